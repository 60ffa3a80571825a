// SPDX-License-Identifier: Apache-2.0
// The schedulers that the Deficit Table is compared with (docs/blocks/scheduler.md, Baselines): of each its defining property.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "testbenches/scheduler/scheduler_rig.h"
#include "testbenches/switch/saturation.h"

namespace tilefly::golden {
namespace {

/// Classes granted in the next `cycles`, -1 without a grant.
template <typename Rig>
std::vector<int> Order(Rig* rig, int cycles) {
  std::vector<int> order;
  while (cycles-- > 0) {
    const Decision decision = rig->Step();
    order.push_back(decision.outcome == Outcome::kGranted ? decision.tc : -1);
  }
  return order;
}

TEST(RoundRobinScheduler, GivesEveryActiveClassTheSameNumberOfPackets) {
  SchedulerRig<RoundRobinScheduler> rig(kRosetta64);
  rig.KeepFull(1, 89);
  rig.KeepFull(4, 1);
  rig.KeepFull(6, 20);
  EXPECT_EQ(Order(&rig, 6), (std::vector<int>{1, 4, 6, 1, 4, 6}));
  rig.Run(3000);
  EXPECT_EQ(rig.packets(1), rig.packets(4));
  EXPECT_EQ(rig.packets(1), rig.packets(6));
  EXPECT_EQ(rig.cells(1), 89 * rig.cells(4)) << "so large packets get more of the link";
  rig.busy = 1 << 4;
  EXPECT_EQ(Order(&rig, 3), (std::vector<int>{1, -1, -1})) << "it waits at a class whose channels are busy";
}

TEST(StrictPriority, ServesAClassOnlyWhenNoneAboveItIsActive) {
  SchedulerRig<StrictPriority> rig(kRosetta64);
  rig.KeepFull(2, 5);
  rig.KeepFull(5, 5);
  rig.Run(1000);
  EXPECT_EQ(rig.packets(2), 0u) << "starved";
  rig.SetGroup(2, 1);
  EXPECT_EQ(Order(&rig, 2), (std::vector<int>{2, 2})) << "groups come before numbers";
  rig.blocked = 1 << 2;
  EXPECT_EQ(Order(&rig, 2), (std::vector<int>{5, 5}));
  rig.blocked = 0;
  rig.busy = 1 << 2;
  EXPECT_EQ(Order(&rig, 2), (std::vector<int>{-1, -1}));
}

TEST(DeficitRoundRobin, SharesByWeightWhateverTheSizes) {
  SchedulerRig<DeficitRoundRobin> rig(kRosetta64);
  rig.Use(Table4());
  for (int c = 0; c < 7; ++c) rig.KeepFull(c, kTable4Mtu[static_cast<std::size_t>(c)]);
  rig.Run(300000);
  for (int c = 0; c < 7; ++c) {
    const auto i = static_cast<std::size_t>(c);
    EXPECT_NEAR(static_cast<double>(rig.cells(c)) / static_cast<double>(rig.AllCells()),
                static_cast<double>(kTable4Weight[i]) / kTable4Total, 0.0005);
  }
}

TEST(DeficitRoundRobin, GivesARoundsWeightInOnePiece) {
  SchedulerRig<DeficitRoundRobin> rig(kRosetta64);
  rig.Use({{0, 4}, {1, 4}, {0, 4}, {1, 4}});
  rig.KeepFull(0, 3);
  rig.KeepFull(1, 4);
  EXPECT_EQ(Order(&rig, 9), (std::vector<int>{0, 0, 1, 1, 0, 0, 0, 1, 1})) << "8 cells, 2 left over, then 10";
  rig.Empty(0);
  rig.Run(1);
  EXPECT_EQ(rig.scheduler().deficit(0), 0) << "an idle class keeps nothing";
}

/// Of two classes that both always have something, what they got by weight differs by no more than a packet of each.
TEST(SelfClockedFairQueueing, KeepsTwoClassesWithinAPacketOfEach) {
  SchedulerRig<SelfClockedFairQueueing> rig(kRosetta64);
  rig.Use({{0, 30}, {1, 10}, {2, 60}});
  Random random;
  for (int c = 0; c < 3; ++c) rig.KeepFull(c, [random]() mutable { return 1 + random.Below(89); });
  const std::array<double, 3> weight = {30, 10, 60};
  for (int t = 0; t < 20000; ++t) {
    rig.Step();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < i; ++j) {
        const double a = static_cast<double>(rig.cells(i)) / weight[static_cast<std::size_t>(i)];
        const double b = static_cast<double>(rig.cells(j)) / weight[static_cast<std::size_t>(j)];
        ASSERT_LE(std::abs(a - b), 89 / weight[static_cast<std::size_t>(i)] + 89 / weight[static_cast<std::size_t>(j)] + 0.001) << "cycle " << t;
      }
    }
  }
}

TEST(SelfClockedFairQueueing, AClassThatWasIdleHasNoClaimToThePast) {
  SchedulerRig<SelfClockedFairQueueing> rig(kRosetta64);
  rig.Use({{0, 10}, {1, 10}});
  rig.KeepFull(0, 10);
  rig.Run(1000);
  rig.KeepFull(1, 10);
  rig.ResetCounts();
  rig.Run(100);
  EXPECT_NEAR(static_cast<double>(rig.packets(1)), 50, 1);
  rig.busy = 2;
  EXPECT_EQ(Order(&rig, 3), (std::vector<int>{0, 0, 0})) << "it does not wait for a busy class";
  rig.busy = 0;
  EXPECT_EQ(Order(&rig, 3), (std::vector<int>{1, 1, 1})) << "which keeps its place in virtual time";
}

TEST(InfiniBandArbiter, LowPriorityGetsAPacketWhenTheLimitIsExceeded) {
  SchedulerRig<InfiniBandArbiter> rig(kRosetta64, 100);
  rig.SetGroup(1, 1);
  rig.KeepFull(0, 30);
  rig.KeepFull(1, 50);
  // High: 50, 100, 150 cells; more than 100 went, so low gets one.
  EXPECT_EQ(Order(&rig, 8), (std::vector<int>{1, 1, 1, 0, 1, 1, 1, 0}));
  SchedulerRig<InfiniBandArbiter> one(kRosetta64, 0);
  one.SetGroup(1, 1);
  one.KeepFull(0, 30);
  one.KeepFull(1, 50);
  EXPECT_EQ(Order(&one, 4), (std::vector<int>{1, 0, 1, 0})) << "limit 0: one packet";
}

TEST(InfiniBandArbiter, KeepsNoDeficitSoLargePacketsGetMore) {
  SchedulerRig<InfiniBandArbiter> rig(kRosetta64, 0);
  rig.Use({{0, 100}, {1, 100}});
  rig.KeepFull(0, 89);  // 178 in an entry of 100
  rig.KeepFull(1, 1);
  rig.Run(102 * 100);
  EXPECT_EQ(rig.cells(0), 100u * 178);
  EXPECT_EQ(rig.cells(1), 100u * 100);
}

/// Share of NC, and the most cells that others get between two of its grants: Table 4's classes, all backlogged.
template <typename Scheduler, typename... Arguments>
std::pair<double, int> OfNc(Arguments... arguments) {
  SchedulerRig<Scheduler> rig(kRosetta64, arguments...);
  rig.Use(Table4());
  for (std::size_t c = 0; c < kTable4Mtu.size(); ++c) {
    rig.KeepFull(static_cast<int>(c), [c, random = Random(88172645463325252u + c)]() mutable { return 1 + random.Below(kTable4Mtu[c]); });
  }
  int wait = 0;
  int longest = 0;
  for (int t = 0; t < 1000000; ++t) {
    const Decision decision = rig.Step();
    if (decision.outcome != Outcome::kGranted) continue;
    wait = decision.tc == 0 ? 0 : wait + rig.granted();
    longest = std::max(longest, wait);
  }
  return {static_cast<double>(rig.cells(0)) / static_cast<double>(rig.AllCells()), longest};
}

/// The figures of the page.
TEST(Comparison, TheTableBuysItsShortWaitsWithDistance) {
  const auto expect = [](std::pair<double, int> of_nc, double share, int wait) {
    EXPECT_NEAR(of_nc.first, share, 0.0001);
    EXPECT_EQ(of_nc.second, wait);
  };
  expect(OfNc<DeficitTable>(), 0.0941, 125);
  expect(OfNc<RoundRobinScheduler>(), 0.0322, 114);
  expect(OfNc<DeficitRoundRobin>(), 0.0941, 1034);
  expect(OfNc<SelfClockedFairQueueing>(), 0.0941, 110);
  expect(OfNc<InfiniBandArbiter>(890), 0.0963, 125);
}

TEST(SchedulerNames, AreAllDifferentAndMakeTheirKind) {
  for (std::size_t i = 0; i < kSchedulerNames.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kSchedulerNames[i].kind), i);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(kSchedulerNames[i].name, kSchedulerNames[j].name);
  }
  const auto made = [](SchedulerKind kind) { return MakeSchedulers(kTile8, {kind}).index(); };
  EXPECT_EQ(made(SchedulerKind::kDeficitTable), made(SchedulerKind::kPaperTable));
  EXPECT_NE(made(SchedulerKind::kDeficitTable), made(SchedulerKind::kRoundRobin));
  EXPECT_NE(made(SchedulerKind::kSelfClocked), made(SchedulerKind::kInfiniBand));
}

}  // namespace
}  // namespace tilefly::golden
