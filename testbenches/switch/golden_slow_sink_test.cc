// SPDX-License-Identifier: Apache-2.0
// Classes through the golden switch to a sink that is slower than the link and returns credits as it takes packets
// (docs/blocks/scheduler.md, "A far end slower than the link").
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "golden/common/register_write.h"
#include "testbenches/switch/packet_rig.h"

namespace tilefly::golden {
namespace {

constexpr int kClasses = 4;
constexpr int kPace = 4;  // cycles a word
constexpr Cycle kWarmUp = 20000;
constexpr Cycle kWindow = 400000;
constexpr int kShort = 64, kLong = 4220;  // bytes

struct Sink {
  std::array<double, kClasses> share{};  ///< of the cells, by class
  double all = 0;                        ///< cells
};

/// Seven inputs of a switch of 8 ports send to one output without end, the classes in turn; class c has c + 1 times the
/// weight `unit`. `mixed`: class 0 and 2 send short packets, else all send long ones.
Sink Measure(int unit, bool mixed, SchedulerKind kind = SchedulerKind::kDeficitTable) {
  PacketRig rig(kTile8, {kind});
  for (int e = 0; e < kTile8.dtable_entries; ++e) {
    const std::uint64_t entry = DtableEntry::Of(unit * (e % kClasses + 1), e % kClasses).ToBits();
    rig.device().Write(rig.cycle(), WriteRegister(kAllPorts, CfgSpace::kDtable, e, entry));
  }
  rig.device().Write(rig.cycle(), WriteRegister(kAllPorts, CfgSpace::kDtable, kSwapIndex, 0));
  rig.set_sink_pace(kPace);
  rig.set_source([mixed](int port) {
    const int c = (port + kClasses - 1) % kClasses;
    return PacketRig::Request{0, mixed && c % 2 == 0 ? kShort : kLong, c, port == 0 ? kNever : 0};
  });
  rig.RunTo(kWarmUp);
  Sink sink;
  rig.on_departure([&](const Departure& departure) {
    sink.share[departure.header.tc()] += CellsOf(departure.length);
    sink.all += CellsOf(departure.length);
  });
  rig.RunTo(kWarmUp + kWindow);
  for (double& share : sink.share) share /= sink.all;
  rig.on_departure(nullptr);
  rig.Drain();
  EXPECT_TRUE(rig.AllHome());
  return sink;
}

/// The least part of its share by weight that a class gets.
double LeastPart(const Sink& sink) {
  double least = 1;
  for (int c = 0; c < kClasses; ++c) least = std::min(least, sink.share[static_cast<std::size_t>(c)] / (0.1 * (c + 1)));
  return least;
}

/// Rounds of the table of 600 to 1,200 cells, which the far end has room for: S and the reserves of four lanes are 1,492.
TEST(SlowSink, IsSharedByWeightWhateverTheSizes) {
  for (const int unit : {60, 110, 120}) {
    for (const bool mixed : {false, true}) {
      const Sink sink = Measure(unit, mixed);
      EXPECT_GT(sink.all * 1.5 * kPace, 0.99 * kWindow) << "the sink was not kept busy";
      const double round = 10 * unit / sink.all;  // a window is no whole number of rounds
      for (int c = 0; c < kClasses; ++c) {
        EXPECT_NEAR(sink.share[static_cast<std::size_t>(c)], 0.1 * (c + 1), round) << "unit " << unit << ", mixed " << mixed;
      }
    }
  }
}

/// Where reserves of lanes let one class go on while another may not, the other loses what is left of its turn.
TEST(SlowSink, AClassLosesWhatTheReservesOfOthersTakeFromItsTurn) {
  EXPECT_NEAR(LeastPart(Measure(89, false)), 1, 0.03);
  EXPECT_NEAR(LeastPart(Measure(89, true)), 0.92, 0.03) << "entries of class 0 as large as the reserve of its lane";
  EXPECT_NEAR(LeastPart(Measure(178, false)), 0.73, 0.03) << "a round of 1,780 cells, more than the far end has room for";
  EXPECT_NEAR(LeastPart(Measure(178, true)), 0.73, 0.03);
}

TEST(SlowSink, IsSharedByWeightByTheBaselinesThatHaveWeights) {
  for (const SchedulerKind kind : {SchedulerKind::kDeficitRoundRobin, SchedulerKind::kSelfClocked}) {
    EXPECT_GE(LeastPart(Measure(1, false, kind)), 0.9) << static_cast<int>(kind);
  }
}

}  // namespace
}  // namespace tilefly::golden
