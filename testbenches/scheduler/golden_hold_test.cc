// SPDX-License-Identifier: Apache-2.0
// Requests on their way (docs/blocks/scheduler.md, `hold`): whose turn waits for them, for how many decisions, and what ends
// the wait.
#include <gtest/gtest.h>

#include "testbenches/scheduler/table_rig.h"

namespace tilefly::golden {
namespace {

using Rig = TableRig;
constexpr int kHold = kRosetta64.class_hold;

/// Two classes in turn; class 0 was granted its last request, which promised more, and class 1 has always something.
Rig WaitingRig() {
  Rig rig({{0, 178}, {1, 178}, {2, 178}});
  rig.KeepFull(1, 60);
  rig.Put(0, 2, false, 3);
  rig.Put(0, 2, true);
  for (int acc = 176; acc >= 170; acc -= 2) rig.ExpectGrant(0, acc);
  EXPECT_EQ(rig.scheduler().hold(0), kHold);
  return rig;
}

TEST(Hold, AnEntryGoesOnWhenItsRequestsCome) {
  Rig rig = WaitingRig();
  rig.ExpectWaitFor(0, 21);
  EXPECT_EQ(rig.scheduler().hold(0), kHold - 21);
  rig.Put(0, 2, true);
  rig.ExpectGrant(0, 168);
  EXPECT_EQ(rig.scheduler().hold(0), kHold - 19) << "a decision more for each cell";
  rig.ExpectWaitFor(0, kHold - 19);
  rig.Put(0, 2);
  rig.ExpectGrant(0, 166);
  EXPECT_FALSE(rig.scheduler().promised(0));
  rig.ExpectGrant(1, 118);
}

/// A class whose requests trickle has CLASS_HOLD decisions of its turn, and one for each cell.
TEST(Hold, ATrickleEndsItsTurn) {
  Rig rig = WaitingRig();
  int waits = 0;
  for (int acc = 168; acc > 168 - 2 * 3; acc -= 2, waits += 10) {
    rig.ExpectWaitFor(0, 10);
    rig.Put(0, 2, true);
    rig.ExpectGrant(0, acc);
  }
  rig.ExpectWaitFor(0, kHold + 3 * 2 - waits);
  rig.ExpectGrant(1, 118);
}

TEST(Hold, ANewTurnMayWaitAnew) {
  Rig rig = WaitingRig();
  rig.ExpectWaitFor(0, 30);
  rig.Put(0, 89, true);
  rig.Put(0, 80);
  rig.Put(0, 80, true);
  rig.ExpectGrant(0, 81);
  EXPECT_EQ(rig.scheduler().hold(0), kHold) << "never more than at its begin";
  rig.ExpectGrant(0, 1);
  rig.ExpectGrant(1, 118);
  EXPECT_EQ(rig.scheduler().hold(0), kHold);
}

TEST(Hold, EndsToTheDecision) {
  Rig rig = WaitingRig();
  rig.ExpectWaitFor(0, kHold);
  EXPECT_EQ(rig.scheduler().acc(0), 170);
  rig.ExpectGrant(1, 118);
  EXPECT_EQ(rig.scheduler().deficit(0), 0) << "it leaves nothing";
  EXPECT_EQ(rig.scheduler().pointer(0), 1);
}

TEST(Hold, ALateRequestFindsItsTurnGone) {
  Rig rig = WaitingRig();
  rig.ExpectWaitFor(0, kHold);
  rig.Put(0, 2);
  rig.ExpectGrant(0, 168);  // not wanted in the decisions before, wanted in this one
  Rig late = WaitingRig();
  late.ExpectWaitFor(0, kHold);
  late.ExpectGrant(1, 118);
  late.Put(0, 2);
  late.ExpectGrant(1, 58);
}

TEST(Hold, NobodyElseLeavesItUnsettledUntilItsEnd) {
  Rig rig({{0, 178}});
  rig.Put(0, 2, true);
  rig.ExpectGrant(0, 176);
  for (int t = 0; t < kHold; ++t) {
    EXPECT_TRUE(rig.scheduler().unsettled());
    rig.ExpectWaitFor(0, 1);
  }
  EXPECT_TRUE(rig.scheduler().unsettled()) << "there is a turn to end";
  rig.Expect(Outcome::kNothing);
  EXPECT_FALSE(rig.scheduler().unsettled());
  EXPECT_EQ(rig.scheduler().acc(0), 0);
}

TEST(Hold, ThePapersRuleWaitsForNobody) {
  Rig rig({{0, 178}, {1, 178}}, 0);
  rig.Put(0, 2, true);
  rig.KeepFull(1, 60);
  rig.ExpectGrant(0, 176);
  rig.ExpectGrant(1, 118);
}

TEST(Hold, ARequestThatMayNotBeSentEndsTheTurn) {
  Rig rig = WaitingRig();
  rig.ExpectWaitFor(0, 3);
  rig.Put(0, 2);
  rig.blocked = 1;
  rig.ExpectGrant(1, 118);
  EXPECT_FALSE(rig.scheduler().promised(0));
}

/// The requests come while the far end takes nothing from anybody: their turn goes on afterwards.
TEST(Hold, AStopDoesNotEndTheTurn) {
  Rig rig = WaitingRig();
  rig.blocked = ~0u;
  rig.ExpectWaitFor(0, 3);
  rig.Put(0, 2, true);
  for (int t = 0; t < 2 * kHold; ++t) rig.Expect(Outcome::kNothing);
  EXPECT_EQ(rig.scheduler().hold(0), kHold - 3);
  rig.blocked = 0;
  rig.ExpectGrant(0, 168);
  rig.ExpectWaitFor(0, kHold - 1);
}

TEST(Hold, ABlockedClassWithoutRequestsIsStillExpected) {
  Rig rig = WaitingRig();
  rig.blocked = 1;
  rig.ExpectWaitFor(0, kHold);
}

/// The next head does not fit: what was promised for the entry before is not waited for at the next.
TEST(Hold, ARotationEndsIt) {
  Rig rig({{0, 20}, {0, 30}, {1, 40}});
  rig.Put(0, 15, true);
  rig.Put(0, 89);
  rig.ExpectGrant(0, 5);
  EXPECT_TRUE(rig.scheduler().promised(0));
  rig.Expect(Outcome::kMoved);  // 35 of the second entry, 89 do not fit
  EXPECT_FALSE(rig.scheduler().promised(0));
  rig.Empty(0);
  rig.Put(1, 10);
  rig.ExpectGrant(1, 30);
}

TEST(Hold, AWaitForABusyChannelDoesNotCount) {
  Rig rig({{0, 178}, {1, 178}});
  rig.Put(0, 2, true, 2);
  rig.KeepFull(1, 60);
  rig.ExpectGrant(0, 176);
  rig.busy = 1;
  for (int t = 0; t < 2 * kHold; ++t) rig.Expect(Outcome::kWaits);
  EXPECT_EQ(rig.scheduler().hold(0), kHold);
  rig.busy = 0;
  rig.ExpectGrant(0, 174);
}

TEST(Hold, AHigherGroupInterruptsIt) {
  Rig rig = WaitingRig();
  rig.SetGroup(2, 3);
  rig.ExpectWaitFor(0, 10);
  for (int round = 0; round < 30; ++round) {
    rig.Put(2, 1);
    rig.Expect(Outcome::kGranted);
  }
  EXPECT_EQ(rig.scheduler().hold(0), kHold - 10) << "frozen";
  EXPECT_EQ(rig.scheduler().acc(0), 170);
  rig.ExpectWaitFor(0, kHold - 10);
  rig.ExpectGrant(1, 118);
}

TEST(Hold, ALowerGroupWaitsForTheRequestsOfAHigherOne) {
  Rig rig({{0, 178}, {1, 178}});
  rig.SetGroup(0, 2);
  rig.KeepFull(1, 60);
  rig.ExpectGrant(1, 118);
  rig.Put(0, 2, true);
  rig.ExpectGrant(0, 176, 2);
  rig.ExpectWaitFor(0, kHold);
  EXPECT_EQ(rig.scheduler().acc(0), 118) << "frozen";
  rig.ExpectGrant(1, 58);
}

/// Both groups wait: the higher one first, then the lower one, each for its own decisions.
TEST(Hold, GroupsWaitOneAfterTheOther) {
  Rig rig({{0, 178}, {1, 178}});
  rig.SetGroup(1, 1);
  rig.Put(0, 2, true);
  rig.ExpectGrant(0, 176);
  rig.ExpectWaitFor(0, 5);
  rig.Put(1, 2, true);
  rig.ExpectGrant(1, 176, 1);
  rig.ExpectWaitFor(1, kHold);
  rig.ExpectWaitFor(0, kHold - 5);
  rig.Expect(Outcome::kNothing);
}

TEST(Hold, AMaximumThatIsUsedUpEndsIt) {
  constexpr std::uint64_t kCost = 10 * 256;  // ten cycles a cell
  Rig rig({{0, 178}, {1, 178}});
  rig.SetMaximum(0, kCost, 5 * kCost);
  rig.Run(100);  // the bucket is full
  rig.KeepFull(1, 60);
  rig.Put(0, 2, true);
  rig.Put(0, 4, true);
  rig.ExpectGrant(0, 176);  // three cells are left
  rig.ExpectGrant(0, 172);  // one too many
  rig.ExpectGrant(1, 118);
  Rig eligible({{0, 178}, {1, 178}});
  eligible.SetMaximum(0, kCost, 5 * kCost);
  eligible.Run(100);
  eligible.KeepFull(1, 60);
  eligible.Put(0, 2, true);
  eligible.ExpectGrant(0, 176);
  eligible.ExpectWaitFor(0, kHold);
}

TEST(Hold, ASwapEndsIt) {
  Rig rig = WaitingRig();
  rig.ExpectWaitFor(0, 3);
  rig.Swap();
  EXPECT_EQ(rig.scheduler().hold(0), 0);
  EXPECT_FALSE(rig.scheduler().unsettled());
  rig.Put(0, 2);
  rig.ExpectGrant(0, 2 * kRosetta64.mtu_cells - 2);  // the table of power-up, from its first entry
}

TEST(Hold, AChangeOfGroupEndsIt) {
  Rig rig = WaitingRig();
  rig.ExpectWaitFor(0, 3);
  rig.SetGroup(0, 2);
  rig.ExpectGrant(1, 118);
  EXPECT_FALSE(rig.scheduler().promised(0));
  EXPECT_EQ(rig.scheduler().hold(2), 0);
}

/// Steps 2 and 4: the deficit of the class that is expected is forgotten with its turn and not before.
TEST(Hold, TheDeficitGoesWithTheTurn) {
  Rig rig({{0, 20}, {1, 20}});
  rig.Put(0, 15, true);
  rig.Put(0, 10, true);
  rig.Put(1, 20);
  rig.ExpectGrant(0, 5);
  rig.ExpectGrant(1, 0);
  EXPECT_EQ(rig.scheduler().deficit(0), 5);
  rig.ExpectGrant(0, 15);
  rig.ExpectWaitFor(0, kHold);
  EXPECT_EQ(rig.scheduler().deficit(0), 5) << "as it was when its entry began";
  rig.Expect(Outcome::kNothing);
  EXPECT_EQ(rig.scheduler().deficit(0), 0);
}

}  // namespace
}  // namespace tilefly::golden
