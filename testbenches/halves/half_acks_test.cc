// SPDX-License-Identifier: Apache-2.0
// Acks of a switch that runs as halves, against a switch that is stepped: all that come by links at once, and fifos of
// the ack crossbar that are full. Credit returns that make no sense come beside them.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <tuple>

#include "golden/halves/half_switch.h"
#include "testbenches/acks/ack_rig.h"

namespace tilefly::golden {
namespace {

using Left = std::tuple<Cycle, int, int, int, int, std::uint32_t>;

Left LeftOf(const AckReturn& ack) {
  return {ack.wire, ack.port, ack.ack.flow, ack.ack.hops, ack.ack.load, ack.ack.path};
}

class AckLinks : public HalfLinks {
 public:
  void Depart(const Departure&) override {}
  void Return(const CreditReturn&) override {}
  void PassOn(const AckReturn& ack) override { left.push_back(LeftOf(ack)); }

  std::vector<Left> left;
};

/// How many acks come, and to how many ports they go.
struct Crowd {
  int each;  ///< a port gets an ack in one of so many cycles
  int destinations;
  int most;            ///< cycles of a piece
  bool saved = false;  ///< after each piece another switch goes on from the saved state
};

std::unique_ptr<HalfSwitch> SwitchFor(const AckRig& rig, HalfLinks* links, const Registers& registers) {
  auto halves = std::make_unique<HalfSwitch>(rig.profile(), rig.profile().class_hold, registers, links);
  halves->Begin(rig.now(), false);
  return halves;
}

void AddWays(const HalfWays& more, HalfWays* sum) {
  sum->acks_alone += more.acks_alone;
  sum->acks_stepped += more.acks_stepped;
}

/// Returns the acks that were lost.
std::size_t ExpectSame(const Profile& profile, const Crowd& crowd, Cycle cycles, HalfWays* ways) {
  AckRig rig(profile, Bit(1));
  AckLinks links;
  auto halves = SwitchFor(rig, &links, rig.device().registers());
  std::mt19937 engine(7), returns(8);
  const auto below = [&](int size) { return static_cast<int>(engine() % static_cast<unsigned>(size)); };
  std::size_t sent = 0;
  const Cycle end = rig.now() + cycles;
  while (rig.now() < end + 4000) {
    for (int port = 0; port < profile.ports && rig.now() < end; ++port) {
      if (returns() % 40 == 0) {
        const auto cells = static_cast<std::uint16_t>(returns() % 1000);
        rig.device().Credit(port, rig.now(), 0, cells);
        halves->Credit(port, rig.now(), 0, cells);
      }
      if (below(crowd.each) != 0) continue;
      Ack ack;
      ack.flow = static_cast<std::uint16_t>(sent % 1024);
      ack.port = static_cast<std::uint8_t>(below(crowd.destinations) * 2 + (below(50) == 0));
      ack.hops = static_cast<std::uint8_t>(below(20) == 0 ? 7 : 0);
      rig.SendAck(port, ack);
      halves->Acknowledge(port, rig.now(), ack);
      ++sent;
    }
    rig.Step();
    if (rig.now() - halves->done() < crowd.most) continue;
    halves->Run(rig.now());
    if (!crowd.saved) continue;
    SavedBytes bytes;
    Saver save(&bytes);
    save(*halves);
    AddWays(halves->ways(), ways);
    halves = SwitchFor(rig, &links, rig.device().registers());
    Loader load(bytes);
    load(*halves);
    EXPECT_TRUE(load.AtEnd());
  }
  halves->Run(rig.now());
  std::vector<Left> stepped;
  for (const AckReturn& ack : rig.acks) stepped.push_back(LeftOf(ack));
  std::sort(stepped.begin(), stepped.end());
  std::sort(links.left.begin(), links.left.end());
  EXPECT_EQ(stepped, links.left) << "DIVERGENCE in cycle 0: acks that left";
  std::uint64_t ignored = 0;
  for (int port = 0; port < profile.ports; ++port) {
    for (const Counter counter : {Counter::kAcksIn, Counter::kAcksMade, Counter::kBadAcks, Counter::kBadCredit}) {
      EXPECT_EQ(halves->ReadCounter(port, static_cast<int>(counter), rig.now()), rig.Count(port, counter))
          << "DIVERGENCE in cycle 0: port " << port;
    }
    ignored += rig.Count(port, Counter::kBadAcks);
  }
  AddWays(halves->ways(), ways);
  return sent - ignored - stepped.size();
}

TEST(HalfAcks, CrossInTheSameCycles) {
  HalfWays ways;
  for (const Crowd& crowd : {Crowd{100, 4, 20}, {20, 4, 1}, {9, 4, 13}, {9, 1, 20}}) {
    EXPECT_EQ(ExpectSame(kTile8, crowd, 3000, &ways), 0u);
    EXPECT_EQ(ExpectSame(kRosetta64, crowd, 300, &ways), 0u);
  }
  EXPECT_GT(ways.acks_alone, 1000);
  EXPECT_GT(ways.acks_stepped, 1000);
}

TEST(HalfAcks, AreLostWhereAFifoIsFull) {
  Profile profile = kTile8;
  profile.request_credits = 1;  // 16 acks in a turn fifo
  HalfWays ways;
  EXPECT_GT(ExpectSame(profile, {3, 1, 20}, 2000, &ways), 100u) << "turn fifos";
  EXPECT_GT(ExpectSame(profile, {1, 2, 7}, 2000, &ways), 100u) << "turn fifos";
  profile.request_credits = 12;
  profile.cells = 90;
  profile.copy_entries = 0;
  EXPECT_GT(ExpectSame(profile, {5, 1, 20}, 2000, &ways), 100u) << "fifos of rows";
  EXPECT_GT(ExpectSame(profile, {1, 1, 20}, 2000, &ways), 100u) << "both";
}

TEST(HalfAcks, GoOnFromASavedState) {
  Profile profile = kTile8;
  profile.request_credits = 1;
  profile.cells = 90;
  profile.copy_entries = 0;
  HalfWays ways;
  for (const int most : {1, 7, 20}) {
    EXPECT_EQ(ExpectSame(kTile8, {9, 4, most, true}, 2000, &ways), 0u);
    EXPECT_GT(ExpectSame(profile, {3, 1, most, true}, 2000, &ways), 100u);
    EXPECT_GT(ExpectSame(profile, {1, 2, most, true}, 2000, &ways), 100u);
  }
  EXPECT_GT(ways.acks_alone, 1000);
  EXPECT_GT(ways.acks_stepped, 1000);
}

}  // namespace
}  // namespace tilefly::golden
