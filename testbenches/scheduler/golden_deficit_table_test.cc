// SPDX-License-Identifier: Apache-2.0
// The Deficit Table of golden against the page (docs/blocks/scheduler.md): worked examples cycle by cycle, what is
// forgotten, groups, maxima, registers. Requests on their way: golden_hold_test.cc.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "testbenches/scheduler/table_rig.h"

namespace tilefly::golden {
namespace {

constexpr int kMtu = kRosetta64.mtu_cells;

using Rig = TableRig;

TEST(DeficitTable, WorksThePagesTableCycleByCycle) {
  Rig rig({{0, 5}, {1, 4}});
  rig.KeepFull(0, 2);
  rig.KeepFull(1, 3);
  rig.ExpectGrant(0, 3);
  rig.ExpectGrant(0, 1);
  rig.ExpectGrant(1, 1);
  EXPECT_EQ(rig.scheduler().deficit(0), 1);
  rig.ExpectGrant(0, 4);
  EXPECT_EQ(rig.scheduler().deficit(1), 1);
  rig.ExpectGrant(0, 2);
  rig.ExpectGrant(0, 0);
  rig.ExpectGrant(1, 2);  // 4 + 1 - 3
}

/// Figure 3 of S4, its four steps: round N before and after delivery, round N + 1 before and after delivery.
TEST(DeficitTable, WorksThePapersFigure3CycleByCycle) {
  Rig rig({{0, 3}, {1, 3}});
  rig.Put(0, 2, false, 3);
  EXPECT_EQ(rig.scheduler().deficit(0), 0);
  rig.ExpectGrant(0, 1);  // round N: accumulated 3, a packet of 2 leaves 1
  EXPECT_EQ(rig.scheduler().pointer(0), 0);
  rig.ExpectGrant(0, 2);  // round N + 1: the 1 is the deficit, class 1 is passed over, accumulated 3 + 1
  EXPECT_EQ(rig.scheduler().deficit(0), 1);
  EXPECT_EQ(rig.scheduler().pointer(0), 0);
  rig.ExpectGrant(0, 0);  // the remaining two packets are delivered
  rig.Expect(Outcome::kNothing);
  EXPECT_EQ(rig.scheduler().deficit(0), 0) << "inactive: set to zero";
  EXPECT_FALSE(rig.scheduler().current(0)) << "the accumulated weight is discarded";
}

TEST(DeficitTable, ASmallWeightTakesMoreRounds) {
  Rig rig({{0, 30}, {1, 89}});
  rig.KeepFull(0, 89);
  rig.KeepFull(1, 89);
  std::vector<Outcome> outcomes;
  for (int t = 0; t < 7; ++t) outcomes.push_back(rig.Step().outcome);
  // 30 does not fit, class 1, 60 does not fit, class 1, 90 fits.
  EXPECT_EQ(outcomes, (std::vector<Outcome>{Outcome::kMoved, Outcome::kGranted, Outcome::kMoved, Outcome::kGranted,
                                            Outcome::kGranted, Outcome::kGranted, Outcome::kMoved}));
  EXPECT_EQ(rig.cells(0), 89u);
  EXPECT_EQ(rig.cells(1), 3u * 89);
}

TEST(DeficitTable, InactiveClassLosesItsDeficit) {
  Rig rig({{0, 100}, {1, 100}});
  rig.Put(0, 89, false, 2);
  rig.Put(1, 80);
  rig.ExpectGrant(0, 11);
  rig.ExpectGrant(1, 20);
  EXPECT_EQ(rig.scheduler().deficit(0), 11);
  rig.Put(1, 20);
  rig.blocked = 1;  // no credit, and class 1 goes on: class 0 loses what it had, though it wants to send
  rig.ExpectGrant(1, 0);
  EXPECT_EQ(rig.scheduler().deficit(0), 0);
  rig.blocked = 0;
  rig.ExpectGrant(0, 11);
  EXPECT_TRUE(rig.scheduler().unsettled()) << "an entry is being served and nothing is wanted";
  rig.Expect(Outcome::kNothing);
  EXPECT_EQ(rig.scheduler().deficit(0), 0);
  EXPECT_EQ(rig.scheduler().acc(0), 0);
  EXPECT_FALSE(rig.scheduler().unsettled());
}

/// PAUSE of the whole port: what was in progress goes on.
TEST(DeficitTable, WhileNobodyMaySendNothingIsLost) {
  Rig rig({{0, 100}, {1, 100}});
  rig.KeepFull(0, 60);
  rig.KeepFull(1, 30);
  rig.ExpectGrant(0, 40);
  rig.ExpectGrant(1, 70);
  EXPECT_EQ(rig.scheduler().deficit(0), 40);
  rig.blocked = ~0u;
  for (int t = 0; t < 100; ++t) rig.Expect(Outcome::kNothing);
  EXPECT_EQ(rig.scheduler().deficit(0), 40);
  EXPECT_EQ(rig.scheduler().acc(0), 70);
  rig.blocked = 0;
  rig.ExpectGrant(1, 40);
  rig.ExpectGrant(1, 10);
  rig.ExpectGrant(0, 80);  // 100 + 40 - 60
}

/// A turn that was reached and granted nothing, since its channels were busy, is not lost either.
TEST(DeficitTable, AStopWhileATurnWaitsForItsChannelDoesNotEndIt) {
  Rig rig({{0, 100}, {1, 100}});
  rig.KeepFull(0, 50);
  rig.KeepFull(1, 50);
  for (int round = 0; round < 100; ++round) {  // the stop is in step with the rounds
    rig.ExpectGrant(0, 50);
    rig.busy = 2;
    rig.ExpectGrant(0, 0);
    rig.Expect(Outcome::kWaits);
    rig.blocked = ~0u;
    rig.Expect(Outcome::kNothing);
    rig.blocked = rig.busy = 0;
    rig.ExpectGrant(1, 50);
    rig.ExpectGrant(1, 0);
  }
}

TEST(DeficitTable, InAStopAClassWithoutRequestsLosesItsTurnAndItsDeficit) {
  Rig rig({{0, 100}, {1, 100}});
  rig.Put(0, 60, false, 2);
  rig.KeepFull(1, 60);
  rig.ExpectGrant(0, 40);
  rig.ExpectGrant(1, 40);
  rig.ExpectGrant(0, 80);
  rig.blocked = ~0u;
  rig.Expect(Outcome::kNothing);
  EXPECT_FALSE(rig.scheduler().current(0));
  EXPECT_EQ(rig.scheduler().deficit(0), 0);
  EXPECT_EQ(rig.scheduler().deficit(1), 40);
  rig.blocked = 0;
  rig.ExpectGrant(1, 80);
}

/// A stop of one group is none of another's.
TEST(DeficitTable, AGroupThatMayNotSendKeepsItsTurnWhileALowerOneIsServed) {
  Rig rig({{0, 100}, {1, 100}, {2, 100}});
  rig.SetGroup(0, 3);
  rig.SetGroup(1, 3);
  for (int c = 0; c < 3; ++c) rig.KeepFull(c, 60);
  rig.ExpectGrant(0, 40, 3);
  rig.ExpectGrant(1, 40, 3);
  rig.blocked = 1u << 0 | 1u << 1;
  rig.ExpectGrant(2, 40);
  EXPECT_EQ(rig.scheduler().deficit(0), 40);
  EXPECT_EQ(rig.scheduler().acc(3), 40);
  rig.blocked = 0;
  rig.ExpectGrant(0, 80, 3);
  EXPECT_EQ(rig.scheduler().deficit(1), 40);
}

/// A maximum that is used up stops a group as a full buffer of the far end does.
TEST(DeficitTable, AMaximumThatIsUsedUpDoesNotEndTheTurnOfAClassAlone) {
  Rig rig({{0, 100}, {1, 100}});
  rig.SetMaximum(0, 2560, 0);  // ten cycles a cell
  rig.Run(1);
  rig.KeepFull(0, 30);
  rig.ExpectGrant(0, 70);
  rig.Expect(Outcome::kNothing);
  EXPECT_EQ(rig.scheduler().acc(0), 70);
  rig.KeepFull(1, 60);
  rig.ExpectGrant(1, 40);  // now another class goes
  EXPECT_EQ(rig.scheduler().acc(0), 40);
}

TEST(DeficitTable, WaitsAtAClassWithBusyChannels) {
  Rig rig({{0, 10}, {1, 10}});
  rig.KeepFull(0, 10);
  rig.KeepFull(1, 10);
  rig.ExpectGrant(0, 0);
  rig.busy = 2;
  for (int t = 0; t < 3; ++t) {
    const Decision decision = rig.Step();
    EXPECT_EQ(decision.outcome, Outcome::kWaits);
    EXPECT_EQ(decision.tc, 1);
    EXPECT_EQ(rig.scheduler().pointer(0), 1) << "the rotation is made, once";
  }
  rig.busy = 0;
  rig.ExpectGrant(1, 0);
  rig.ExpectGrant(0, 0);
}

TEST(DeficitTable, AHigherGroupFreezesThePlaceOfTheLower) {
  Rig rig({{0, 100}, {1, 100}, {2, 20}});
  rig.SetGroup(2, 3);
  rig.KeepFull(0, 60);
  rig.KeepFull(1, 60);
  rig.ExpectGrant(0, 40);
  rig.ExpectGrant(1, 40);
  EXPECT_EQ(rig.scheduler().deficit(0), 40);
  rig.Put(2, 10, false, 3);
  rig.ExpectGrant(2, 10, 3);
  EXPECT_EQ(rig.scheduler().acc(0), 40) << "frozen";
  EXPECT_TRUE(rig.scheduler().current(0));
  rig.ExpectGrant(2, 0, 3);
  rig.ExpectGrant(2, 10, 3);
  rig.ExpectGrant(0, 80);  // 100 + 40 - 60
  EXPECT_FALSE(rig.scheduler().current(3));
}

TEST(DeficitTable, AChangeOfGroupEndsTheService) {
  Rig rig({{0, 100}, {1, 100}});
  rig.KeepFull(0, 30);
  rig.KeepFull(1, 30);
  rig.ExpectGrant(0, 70);
  rig.SetGroup(0, 2);
  rig.ExpectGrant(0, 70, 2);
  EXPECT_FALSE(rig.scheduler().current(0));
  EXPECT_EQ(rig.scheduler().acc(0), 0);
}

TEST(DeficitTable, AMaximumIsKeptToTheCell) {
  constexpr std::uint64_t kCost = 1000;  // 3.9 cycles a cell
  constexpr std::uint64_t kDepth = 100 * kCost;
  Rig rig({{0, 178}});
  rig.SetMaximum(0, kCost, kDepth);
  rig.Run(1000);  // the bucket is full
  rig.KeepFull(0, 7);
  rig.Run(100000);
  const double rate = static_cast<double>(256) / kCost;
  EXPECT_GT(static_cast<double>(rig.cells(0)), 100000 * rate + 100 - 7);
  EXPECT_LE(static_cast<double>(rig.cells(0)), 100000 * rate + 100 + 7) << "the bucket, and one packet into the negative";
  rig.SetMaximum(0, 0, 0);
  const std::uint64_t before = rig.cells(0);
  rig.Run(100);
  EXPECT_EQ(rig.cells(0), before + 700) << "without a maximum always eligible";
}

TEST(DeficitTable, IsEligibleFromTheCycleItNames) {
  Rig rig({{0, 178}});
  rig.SetMaximum(0, 4096, 0);  // 16 cycles a cell
  EXPECT_EQ(rig.scheduler().EligibleFrom(0), 1);
  rig.Put(0, 5, false, 2);
  rig.Expect(Outcome::kNothing);
  rig.Expect(Outcome::kGranted);  // t = 1: due = 256 + 5 * 4096
  EXPECT_EQ(rig.scheduler().due(0), 256 + 5 * 4096);
  const Cycle from = rig.scheduler().EligibleFrom(0);
  EXPECT_EQ(from, 1 + 5 * 16 + 1);
  while (rig.now() < from) rig.Expect(Outcome::kNothing);
  rig.Expect(Outcome::kGranted);
}

TEST(DeficitTable, SwapRestartsEverythingButTheShaper) {
  Rig rig({{0, 100}, {1, 100}});
  rig.SetMaximum(0, 256, 1 << 20);
  rig.Put(0, 60, false, 3);
  rig.Put(1, 60, false, 3);
  for (int t = 0; t < 2; ++t) rig.Expect(Outcome::kGranted);
  EXPECT_EQ(rig.scheduler().deficit(1), 40);
  const std::int64_t due = rig.scheduler().due(0);
  rig.Swap();
  EXPECT_EQ(rig.scheduler().pointer(0), kRosetta64.dtable_entries - 1);
  EXPECT_FALSE(rig.scheduler().unsettled());
  EXPECT_FALSE(rig.scheduler().current(0));
  EXPECT_EQ(rig.scheduler().acc(0), 0);
  EXPECT_EQ(rig.scheduler().deficit(1), 0);
  EXPECT_EQ(rig.scheduler().due(0), due);
}

TEST(DeficitTable, WritesGoToTheBankNotInUse) {
  SchedulerTable table(kRosetta64);
  for (int e = 0; e < kRosetta64.dtable_entries; ++e) {
    EXPECT_EQ(table.bank().entry(e).weight, 2 * kMtu);
    EXPECT_EQ(table.bank().entry(e).tc, e % 8);
  }
  table.Write(CfgSpace::kDtable, 3, DtableEntry::Of(0xFFF, 5).ToBits());
  EXPECT_EQ(table.bank().entry(3).tc, 3);
  table.Write(CfgSpace::kDtable, kSwapIndex, 0);
  EXPECT_EQ(table.bank().entry(3).tc, 5);
  EXPECT_EQ(table.bank().entry(3).weight, 0xFFF);
  EXPECT_EQ(table.bank().weight(5), 8 * 2 * kMtu + 0xFFF);
  for (const int index : {64, 127, 1023, 1025}) table.Write(CfgSpace::kDtable, index, DtableEntry::Of(1, 7).ToBits());
  for (const int index : {2, 7, 64, 65}) table.Write(CfgSpace::kClass, index, ~std::uint64_t{0});
  table.Write(CfgSpace::kDtable, kSwapIndex, 0);
  EXPECT_EQ(table.bank().weight(7), 8 * 2 * kMtu) << "an index that names nothing";
  EXPECT_EQ(table.group(0), 0xFFu);
  EXPECT_EQ(table.shaped(), 0u);
}

}  // namespace
}  // namespace tilefly::golden
