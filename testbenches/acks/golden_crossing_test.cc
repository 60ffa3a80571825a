// SPDX-License-Identifier: Apache-2.0
// The ack crossbar, whose fifos are bounded, against the page's sentences kept literally (docs/blocks/crossbar.md):
// fifos as lists, every event in its cycle.
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "golden/crossbar/arbitrated_crossbar.h"
#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::golden {
namespace {

class LiteralCrossbar {
 public:
  LiteralCrossbar(const Profile& profile, const Geometry& geometry) : profile_(profile), geometry_(geometry) {}

  void Leave(Cycle now, int source, int destination, std::uint32_t message) {
    on_row_[now + 1].push_back({source, destination, message});
  }
  /// Cycle `now`: decisions on what was committed, then what enters. What arrives in it.
  std::vector<std::pair<int, std::uint32_t>> Step(Cycle now) {
    std::vector<std::pair<int, std::uint32_t>> arrived = std::move(arriving_[now]);
    for (auto* fifos : {&turn_, &receive_}) {
      for (auto& [name, fifo] : *fifos) committed_[&fifo] = fifo.size();
    }
    for (int row = 0; row < profile_.rows; ++row) {
      for (int d = 0; d < profile_.ports; ++d) {
        if (const auto message = Decide(&turn_, row * kMaxPorts + d, profile_.row_in)) {
          entering_[now + 4].push_back({row, d, *message});
        }
      }
    }
    for (int d = 0; d < profile_.ports; ++d) {
      if (const auto message = Decide(&receive_, d, profile_.rows)) arriving_[now + 1].push_back({d, *message});
    }
    for (const Message& m : on_row_[now]) {
      const int turn = geometry_.row[m.from] * kMaxPorts + m.to;
      Push(&turn_, {turn, geometry_.input[m.from]}, profile_.request_credits * profile_.vls, m.number);
    }
    for (const Message& m : entering_[now]) {
      Push(&receive_, {m.to, m.from}, profile_.cells + profile_.copy_entries, m.number);
    }
    on_row_.erase(now);
    entering_.erase(now);
    arriving_.erase(now);
    return arrived;
  }
  int lost_at_turn = 0, lost_at_receiver = 0;

 private:
  struct Message {
    int from;  ///< port, or row
    int to;
    std::uint32_t number;
  };
  using Fifos = std::map<std::pair<int, int>, std::deque<std::uint32_t>>;

  std::optional<std::uint32_t> Decide(Fifos* fifos, int arbiter, int inputs) {
    int& pointer = pointers_[{fifos, arbiter}];
    for (int i = 0; i < inputs; ++i) {
      const int input = (pointer + i) % inputs;
      const auto fifo = fifos->find({arbiter, input});
      if (fifo == fifos->end() || fifo->second.empty()) continue;
      const std::uint32_t message = fifo->second.front();
      fifo->second.pop_front();
      pointer = (input + 1) % inputs;
      return message;
    }
    return std::nullopt;
  }
  void Push(Fifos* fifos, std::pair<int, int> name, int depth, std::uint32_t message) {
    auto& fifo = (*fifos)[name];
    if (static_cast<int>(committed_[&fifo]) >= depth) {
      ++(fifos == &turn_ ? lost_at_turn : lost_at_receiver);
    } else {
      fifo.push_back(message);
    }
  }

  const Profile& profile_;
  const Geometry& geometry_;
  Fifos turn_, receive_;
  std::map<const void*, std::size_t> committed_;
  std::map<std::pair<const void*, int>, int> pointers_;
  std::map<Cycle, std::vector<Message>> on_row_, entering_;
  std::map<Cycle, std::vector<std::pair<int, std::uint32_t>>> arriving_;
};

struct Amount {
  int sources;  ///< that send to the hot port
  int rate;     ///< of 256 cycles
  Cycle cycles;
};

/// Sends `amount` and compares; the literal model, for what it lost.
LiteralCrossbar Compare(const Profile& profile, const Amount& amount) {
  const Geometry geometry(profile);
  LiteralCrossbar literal(profile, geometry);
  MergedCrossbar crossbar(profile, geometry, true);
  const bench::Stimulus random(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  constexpr int kHot = 5;
  std::uint32_t number = 0;
  int refused = 0;
  std::size_t arrivals = 0;
  for (Cycle now = 0; now < 3 * amount.cycles; ++now) {
    for (int source = 0; source < profile.ports && now < amount.cycles; ++source) {
      const auto index = static_cast<std::uint32_t>(source);
      const bool hot = source < amount.sources;
      if (!random.Chance(hot ? amount.rate : 30, "send", now, index)) continue;
      const int destination =
          hot ? kHot : static_cast<int>(random.Below(static_cast<std::uint64_t>(profile.ports), "to", now, index));
      literal.Leave(now, source, destination, number);
      refused += !crossbar.Leave(source, destination, number++);
    }
    crossbar.Arbitrate(now, [&](std::uint32_t) { ++refused; });
    std::vector<std::uint32_t> arrived;
    crossbar.Deliver(now, [&](std::uint32_t message) { arrived.push_back(message); });
    std::vector<std::uint32_t> expected;
    for (const auto& [port, message] : literal.Step(now)) expected.push_back(message);
    EXPECT_EQ(arrived, expected) << "cycle " << now;
    if (arrived != expected) break;
    arrivals += arrived.size();
    Audit audit;
    if (now % 64 == 0) crossbar.Check(&audit);
    EXPECT_TRUE(audit.broken().empty());
  }
  EXPECT_EQ(refused, literal.lost_at_turn + literal.lost_at_receiver);
  EXPECT_GT(arrivals, 100u);
  return literal;
}

TEST(AckCrossing, EqualsThePageWhereNothingIsLost) {
  const LiteralCrossbar literal = Compare(kRosetta64, {0, 0, 400});
  EXPECT_EQ(literal.lost_at_turn + literal.lost_at_receiver, 0);
}

TEST(AckCrossing, LosesWhatFindsATurnFifoFull) {
  const LiteralCrossbar literal = Compare(kRosetta64, {16, 256, 400});
  EXPECT_GT(literal.lost_at_turn, 1000);
  EXPECT_GT(Compare(kTile8, {3, 220, 1200}).lost_at_turn, 100);
}

TEST(AckCrossing, LosesWhatFindsAReceivingFifoFull) {
  Profile profile = kRosetta64;
  profile.cells = 100;  // for a short run
  profile.copy_entries = 20;
  EXPECT_GT(Compare(profile, {64, 24, 1500}).lost_at_receiver, 100);
}

}  // namespace
}  // namespace tilefly::golden
