// SPDX-License-Identifier: Apache-2.0
// SerDes lanes of a port that die and return (docs/blocks/link_retry.md, SerDes lanes): golden at both ends of a link,
// and RTL beside one of them.
#include <gtest/gtest.h>

#include "testbenches/lockstep/link_runs.h"

namespace tilefly::bench {
namespace {


PortSetup CableOf(int lanes, int longest = 1500) {
  PortSetup setup{kTile8, true, true, 15, {}, {}, longest};
  setup.timer = 4096;
  setup.lanes = lanes;
  setup.serdes.back = 1;
  return setup;
}

/// Hosts stop: every packet comes, and all credits are home.
void FinishWhole(PortLink* link) {
  link->Drain();
  const Cycle latest = link->cycle + 40'000;
  while (!link->delivered() && link->cycle < latest) ASSERT_NO_FATAL_FAILURE(RunTo(link, link->cycle + 500));
  ASSERT_NO_FATAL_FAILURE(RunTo(link, link->cycle + 3000));
  EXPECT_TRUE(link->delivered()) << link->sent - link->received << " of " << link->sent << " are lost";
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(link->credits(i).AllHome()) << "switch " << i;
    EXPECT_NO_THROW(link->device(i).CheckDrained()) << "switch " << i;
  }
  if (link->device(0).b() == nullptr) return;
  EXPECT_NO_THROW(link->CompareCounters());
}

/// m of the direction out of switch `i`.
int LanesInUse(PortLink* link, int i) { return link->device(i).Observe().ports[0].pace + 1; }

/// Each lane of each cable dies amid packets, at another phase of them: no packet is lost, no timer runs out, and the other
/// direction goes on with all its lanes.
TEST(LinkLanes, EachLaneDiesAndNoPacketIsLost) {
  int phase = 0;
  for (int lanes = 2; lanes <= 4; ++lanes) {
    for (int dead = 0; dead < lanes; ++dead) {
      SCOPED_TRACE("lane " + std::to_string(dead) + " of " + std::to_string(lanes));
      PortLink link(CableOf(lanes), StimulusOf("each lane"), Rtl());
      ASSERT_NO_FATAL_FAILURE(RunTo(&link, 3000 + 7 * phase++));
      link.Kill(0, 1u << dead);
      ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + 1500));
      EXPECT_EQ(LanesInUse(&link, 0), lanes - 1);
      EXPECT_EQ(LanesInUse(&link, 1), lanes);
      ASSERT_NO_FATAL_FAILURE(FinishWhole(&link));
      EXPECT_EQ(link.Counter(1, Counter::kLanesFailed), 1u);
      EXPECT_EQ(link.Counter(0, Counter::kLanesFailed), 0u);
      EXPECT_EQ(link.Counter(0, Counter::kTxReplayTimeout), 0u);
      EXPECT_GE(link.Counter(0, Counter::kTxReplayEvent), 1u);
      EXPECT_EQ(link.Counter(0, Counter::kLinkDowns), 0u);
    }
  }
}

/// Lanes die one after the other, in both directions but not at once, until one is left; then they return.
TEST(LinkLanes, LanesReturnBehindQuietEpochs) {
  constexpr Cycle kEpoch = Cycle{1} << golden::SerdesLanes::kEpochBits;
  PortLink link(CableOf(4, 400), StimulusOf("lanes return"), Rtl());
  for (int dead = 1; dead <= 3; ++dead) {
    ASSERT_NO_FATAL_FAILURE(RunTo(&link, 1000 + 1200 * dead));
    for (std::size_t i = 0; i < 2; ++i) {
      link.Kill(i, (1u << dead) - 1);
      ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + 500));
    }
    for (int i = 0; i < 2; ++i) EXPECT_EQ(LanesInUse(&link, i), 4 - dead);
  }
  for (std::size_t i = 0; i < 2; ++i) link.Kill(i, 0);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 2 * kEpoch));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(link.Counter(i, Counter::kLanesBack), 0u) << "an epoch without errors is not over";
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 2 * kEpoch + 1));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(link.Counter(i, Counter::kLanesBack), 3u);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(LanesInUse(&link, i), 1);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 2 * kEpoch + 1000));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(LanesInUse(&link, i), 4);
  ASSERT_NO_FATAL_FAILURE(FinishWhole(&link));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(link.Counter(i, Counter::kLanesFailed), 3u);
    EXPECT_EQ(link.Counter(i, Counter::kLanesBack), 3u);
    EXPECT_EQ(link.Counter(i, Counter::kLinkDowns), 0u);
  }
}

/// A lane that dies in both directions at once: no slot that says so comes through, so the replay limit gives the link up.
TEST(LinkLanes, ALaneThatDiesInBothDirectionsTakesTheLinkDown) {
  PortSetup setup = CableOf(4);
  setup.limit = 2;
  PortLink link(setup, StimulusOf("both directions"), Rtl());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 3000));
  for (std::size_t i = 0; i < 2; ++i) link.Kill(i, 4);
  while (link.decides.downs() == 0 && link.cycle < 25'000) ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + 1));
  for (std::size_t i = 0; i < 2; ++i) link.Kill(i, 0);
  EXPECT_GE(link.decides.given_up(0) + link.decides.given_up(1), 1);
  const std::int64_t before = link.received;
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + 4000));
  EXPECT_GT(link.received, before + 20);
}

/// The last lane never fails: the replay limit gives the link up.
TEST(LinkLanes, ALinkWhoseLastLaneDiesIsGivenUp) {
  PortSetup setup = CableOf(1);
  setup.limit = 2;
  PortLink link(setup, StimulusOf("last lane"), Rtl());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 3000));
  link.Kill(0, 1);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 25'000));
  EXPECT_EQ(link.Counter(1, Counter::kLanesFailed), 0u);
  EXPECT_EQ(LanesInUse(&link, 0), 1);
  EXPECT_GE(link.Counter(0, Counter::kLinkGivenUp), 1u);
}

/// Software takes lanes out of use: the far end sends on the others, and no replay is needed but its own.
TEST(LinkLanes, LanesThatAreOffAreLeftOut) {
  PortLink link(CableOf(4), StimulusOf("lanes off"), Rtl());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 3000));
  PortLanes off;
  off.off = 0b0101;
  link.Write(1, PortReg::kLanes, off.ToBits());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 4000));
  EXPECT_EQ(LanesInUse(&link, 0), 2);
  EXPECT_EQ(LanesInUse(&link, 1), 4);
  off.off = 0b1111;
  link.Write(1, PortReg::kLanes, off.ToBits());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 5000));
  EXPECT_EQ(LanesInUse(&link, 0), 1);
  off.off = 0;
  link.Write(1, PortReg::kLanes, off.ToBits());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 6500));
  EXPECT_EQ(LanesInUse(&link, 0), 4);
  ASSERT_NO_FATAL_FAILURE(FinishWhole(&link));
  EXPECT_EQ(link.Counter(1, Counter::kLanesFailed) + link.Counter(1, Counter::kLanesBack), 0u);
  EXPECT_EQ(link.Counter(0, Counter::kTxReplayTimeout), 0u);
  EXPECT_EQ(link.Counter(1, Counter::kRxBad), 0u);
}

/// A write of LANES tells the far end of an idle link, on which there are no reports. A mask that is lost comes with the next
/// report.
TEST(LinkLanes, TheMaskComesWithAWriteAndWithEachReport) {
  PortSetup setup = CableOf(4);
  setup.delay = 3;
  PortLink link(setup, StimulusOf("mask"), Rtl());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 640));
  PortLanes off;
  off.off = 8;
  link.Write(1, PortReg::kLanes, off.ToBits());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 675));
  EXPECT_EQ(link.sent, 0);
  EXPECT_EQ(LanesInUse(&link, 0), 3);
  link.SetFaults(1, {}, kLosesAll);
  off.off = 12;
  link.Write(1, PortReg::kLanes, off.ToBits());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 695));
  link.SetFaults(1, {}, {});
  EXPECT_EQ(LanesInUse(&link, 0), 3);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 2500));
  EXPECT_GT(link.received_at[1], 0);
  EXPECT_EQ(LanesInUse(&link, 0), 2);
}

/// A link down forgets the lanes: training begins anew, and the link comes up with all of them.
TEST(LinkLanes, ALinkDownForgetsThem) {
  PortLink link(CableOf(4), StimulusOf("lanes and link down"), Rtl());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 3000));
  link.Kill(0, 2);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 4500));
  EXPECT_EQ(LanesInUse(&link, 0), 3);
  link.Kill(0, 0);
  link.decides.TakeDown(link.cycle);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + link.decides.least_down()));
  EXPECT_EQ(LanesInUse(&link, 0), 4);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + 2000));
  EXPECT_EQ(link.Counter(1, Counter::kLanesFailed), 1u);
  EXPECT_EQ(link.Counter(1, Counter::kLanesBack), 0u);
}

}  // namespace
}  // namespace tilefly::bench
