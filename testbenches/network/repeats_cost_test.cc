// SPDX-License-Identifier: Apache-2.0
// What errors cost on a full link of a system, by the formulas of docs/blocks/retry.md, What an error costs.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "testbenches/network/repeating_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

/// Two switches and one link, which four NICs of each switch fill.
topology::Topology Pair(const char* cable) {
  return topology::Build(std::string("dragonfly:p=4,a=1,h=1,global_cable=") + cable);
}
constexpr int kPort = 4;  ///< of the link, at both switches

NetworkOptions Full(int bytes, Cycle cycles) {
  NetworkOptions options = Sized("adversarial:1", 1, std::to_string(bytes), false);
  options.cycles = cycles;
  options.warmup = 1000;
  return options;
}

/// Cycles of the first words at the far end of the link from switch 0, from the begin of traffic.
class Arrivals : public NodeProbe {
 public:
  void Stepped(int, Cycle, const golden::Switch&) override {}
  void ToldCredit(int, int, const LinkCredit&) override {}
  bool NeedsSteps() const override { return false; }
  void Carries(const LinkEvent& event) override {
    if (event.node == 0 && event.port == kPort && !event.from_nic && event.kind == LinkKind::kPacket)
      first_words.push_back(event.wire);
  }
  std::vector<Cycle> first_words;
};

/// One bad word of a link that is full: its place in its packet is chosen, so the words sent again are known.
TEST(RepeatsCost, OfAnIsolatedErrorIsTheFormula) {
  for (const char* cable : {"2.6m", "100m"}) {
    for (const int bytes : {64, 1024, 4224}) {
      const topology::Topology pair = Pair(cable);
      NetworkOptions options = Full(bytes, 12000);
      options.retry = true;
      Network quiet(pair, options);
      Arrivals arrivals;
      quiet.set_probe(&arrivals);
      ASSERT_EQ(quiet.Run(), Ending::kDrained);
      const int n = WordsOf(bytes);
      const int delay = quiet.wiring().far(0, kPort).delay;
      std::size_t packet = 0;
      while (arrivals.first_words.at(packet) < quiet.nics().begin + 8000) ++packet;
      for (std::size_t i = packet; i < packet + 20; ++i)
        ASSERT_EQ(arrivals.first_words[i + 1] - arrivals.first_words[i], n) << "the link is full";
      for (const int k : {0, 1, n / 2, n - 1}) {
        faults::Plan plan;
        faults::PlannedEvent bad;
        bad.kind = faults::EventKind::kBadWord;
        bad.link = {faults::LinkName::End::kSwitchPort, 0, kPort};
        bad.direction = faults::Direction::kOut;
        bad.at = arrivals.first_words[packet] + delay - quiet.nics().begin + k;
        plan.events = {bad};
        Network network(pair, With(options, plan));
        ASSERT_EQ(network.Run(), Ending::kDrained);
        EXPECT_EQ(network.NotHome(), "");
        const int again = (2 * delay + 6 + k + n - 1) / n;
        EXPECT_EQ(network.statistics().retry.resent_words, again * n) << cable << " " << bytes << " " << k;
        EXPECT_EQ(network.statistics().retry.replays, 1);
        EXPECT_EQ(network.statistics().retry.broken_copies, k > 0);
        EXPECT_EQ(network.statistics().delivered(), network.statistics().sent());
      }
    }
  }
}

/// Words sent again by the errors that happened. A timer that runs out finds the replay buffer full.
TEST(RepeatsCost, OfManyErrorsIsTheFormula) {
  for (const double ber : {1e-6, 1e-5}) {
    for (const int bytes : {64, 1024, 4224}) {
      faults::Plan plan;
      plan.links.resize(1);
      plan.links[0].link = {faults::LinkName::End::kSwitchPort, 0, kPort};
      plan.links[0].rates.word_ber = ber;
      NetworkOptions options = With(Full(bytes, 150'000), plan);
      for (int tc = 0; tc < 4; ++tc) options.traffic.classes.push_back({tc, 1.0, kTile8.mtu_bytes});
      Network network(Pair("2.6m"), options);
      ASSERT_EQ(network.Run(), Ending::kDrained);
      EXPECT_EQ(network.NotHome(), "");
      const Statistics& sums = network.statistics();
      EXPECT_EQ(sums.delivered() + sums.dropped(), sums.sent());
      EXPECT_EQ(sums.dropped(), 0);
      const int n = WordsOf(bytes), delay = network.wiring().far(0, kPort).delay;
      const double q = faults::ChanceOfBad(ber, faults::kBitsOfWord), good = std::pow(1 - q, n);
      double again = 0;
      for (int k = 0; k < n; ++k) again += n * ((2 * delay + 6 + k + n - 1) / n) * std::pow(1 - q, k) * q / (1 - good);
      const int whole_buffer = n * ((1535 - 133) / n + 1);
      const RetryCounts& retry = sums.retry;
      const double expected = static_cast<double>(retry.nacks) * again + static_cast<double>(retry.timeouts) * whole_buffer;
      const auto accepted = static_cast<double>(retry.accepted_words);
      const double efficiency = accepted / (accepted + expected), measured = accepted / static_cast<double>(retry.sent_words);
      std::printf("%g, %4d B: %5lld nacks, %2lld timers, efficiency %.4f, formula %.4f\n", ber, bytes,
                  static_cast<long long>(retry.nacks), static_cast<long long>(retry.timeouts), measured, efficiency);
      EXPECT_NEAR(measured / efficiency, 1, 0.01) << ber << " " << bytes;
    }
  }
}

}  // namespace
}  // namespace tilefly::network
