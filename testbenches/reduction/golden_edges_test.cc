// SPDX-License-Identifier: Apache-2.0
// Events that fall into one cycle, against the edge cases of docs/blocks/reduction.md and reduction-trees.md.
#include <gtest/gtest.h>

#include <vector>

#include "testbenches/reduction/tree_packets.h"

namespace tilefly::golden {
namespace {

constexpr int kFailing = static_cast<int>(RedState::kFailing);
constexpr auto kBothVisits = {RedRig::Visits::kAll, RedRig::Visits::kNeeded};

Red Fail(int group, RedCode code) {
  Red red;
  red.what = static_cast<std::uint8_t>(RedWhat::kFail);
  red.group = static_cast<std::uint8_t>(group);
  red.code = static_cast<std::uint8_t>(code);
  return red;
}

/// Sends a packet without data whose end comes in the event of cycle `end`.
void SendToEndIn(RedRig* rig, Cycle end, int port, const Red& red) {
  EXPECT_EQ(rig->Send(port, end - 5, red, {}), end - 4);
}

/// The same packet of all children; the cycle of its launch. Port 0 is free before.
Cycle LaunchOf(RedRig* rig, const Red& red) {
  rig->Send(0, rig->now(), red, {});
  rig->Send(2, rig->now(), red, {});
  return rig->Send(5, rig->now() + 20, red, {}) + 6;
}

int LeftOf(const RedRig& rig) { return rig.reductions().cfu().Status(1).left; }
int CodeOf(const RedRig& rig) { return rig.reductions().cfu().Status(1).code; }

TEST(EdgeCases, APacketThatBeganBeforeTheBindIsOfNoLock) {
  for (const bool stale : {true, false}) {
    RedRig rig(kTile8);
    rig.SetTree(1, {kChildren, 0, -1, false, 0});
    SendAll(&rig, kChildren, Lock(1, 0, 0));
    Red red = SegmentHeader(1, stale ? 1 : 2, 0, RedOp::kSum, RedType::kInt16, rig.profile().red_bytes);
    const Cycle last = rig.Send(0, rig.now(), red, std::vector<std::uint8_t>(red.bytes));
    rig.RunTo(last + 4);
    EXPECT_EQ(StateOf(rig, 1), kActive);
    EXPECT_EQ(rig.Count(0, Counter::kRedStale), 0u);
    rig.Step();
    EXPECT_EQ(rig.Count(0, Counter::kRedStale), stale ? 1u : 0u);
    rig.Drain();
    EXPECT_EQ(StateOf(rig, 1), stale ? kActive : kIdle);
    if (!stale) ExpectTold(rig, kChildren, RedWhat::kFail, RedCode::kUnbound);
  }
}

/// A segment too many, whose report comes while or after the slot is given back, is not of the next lock.
TEST(EdgeCases, ASlotThatIsGivenBackForgetsWhatIsReported) {
  for (int offset = -3; offset <= 1; ++offset) {
    SCOPED_TRACE(offset);
    RedRig rig(kTile8);
    rig.SetTree(1, {kChildren, 0, -1, false, 0});
    SendAll(&rig, kChildren, Lock(1, 0, 1));
    rig.RunTo(rig.now() + 300);
    Red red = SegmentHeader(1, 1, 0, RedOp::kSum, RedType::kInt16, 2);
    red.empty = red.ends = true;
    const Cycle freed = SendAll(&rig, kChildren, red) + 6 + rig.profile().red_home;
    rig.RunTo(freed - 50);
    EXPECT_EQ(StateOf(rig, 1), kDrain);
    red.seq = 1;
    SendToEndIn(&rig, freed + offset, 0, red);
    rig.RunTo(freed + 50);
    EXPECT_EQ(StateOf(rig, 1), kIdle);
    EXPECT_EQ(rig.Count(0, Counter::kRedStale), offset == 1 ? 1u : 0u);
    SendAll(&rig, kChildren, Lock(1, 1, 0));
    rig.RunTo(rig.now() + 300);
    ASSERT_EQ(StateOf(rig, 1), kActive);
    red.seq = 0;
    red.tag = 2;
    SendAll(&rig, kChildren & ~Bit(0), red);
    rig.RunTo(rig.now() + 200);
    EXPECT_EQ(rig.GotAt(0, RedWhat::kResult).size(), 1u);
    rig.Send(0, rig.now(), red, {});
    rig.Drain();
    EXPECT_EQ(rig.GotAt(0, RedWhat::kResult).size(), 2u);
  }
}

/// LOCK with OK for a group that did not ask is UNBOUND, but not in the cycle in which the group fails for another
/// reason.
TEST(EdgeCases, AnAnswerWithoutALockDoesNotCountWhereTheGroupFails) {
  for (int offset = -1; offset <= 1; ++offset) {
    SCOPED_TRACE(offset);
    RedRig rig(kTile8);
    MakeActive(&rig, 0);
    const Cycle last = rig.Send(kParent, rig.now(), Answer(1, 1, RedAction::kLock, RedCode::kOk, 5, 0), {});
    const Cycle f = last + 6 + rig.profile().red_delay;
    SendToEndIn(&rig, f - 1 + offset, 0, Fail(1, RedCode::kBusy));
    rig.Drain();
    EXPECT_EQ(CodeOf(rig), static_cast<int>(offset <= 0 ? RedCode::kBusy : RedCode::kUnbound));
  }
}

/// A short operation is in use until its F, and so is a group for which nothing else speaks.
TEST(EdgeCases, AFailIsHeardWhileAShortOneIsOnTheLanes) {
  const Cycle delay = kTile8.red_delay;
  for (const Cycle after : {Cycle{1}, delay - 1, delay, delay + 1}) {
    SCOPED_TRACE(after);
    RedRig rig(kTile8);
    rig.SetTree(1, {kChildren, 0, -1, false, 0});
    Red red = ShortHeader(1, 0, RedAction::kReduce);
    red.empty = true;
    const Cycle launch = LaunchOf(&rig, red);
    SendToEndIn(&rig, launch + after - 1, 0, Fail(1, RedCode::kLeft));
    rig.RunTo(launch + after + 2);
    EXPECT_EQ(StateOf(rig, 1), after <= delay ? kFailing : kIdle);
    rig.Drain();
    EXPECT_EQ(rig.GotAt(2, RedWhat::kFail).size(), after <= delay ? 1u : 0u);
  }
}

/// A root is not locked for a child that has left, whenever it says so.
TEST(EdgeCases, AChildThatLeavesUndoesItsLock) {
  for (Cycle after = 0; after <= kTile8.red_delay + 1; ++after) {
    SCOPED_TRACE(after);
    RedRig rig(kTile8);
    rig.SetTree(1, {kChildren, 0, -1, false, 0});
    const Cycle launch = LaunchOf(&rig, Lock(1, 0, 0));
    SendToEndIn(&rig, launch + after - 1, 0, Fail(1, RedCode::kLeft));
    rig.Drain();
    EXPECT_EQ(StateOf(rig, 1), kIdle);
    ExpectTold(rig, kChildren, RedWhat::kShortResult, after < kTile8.red_delay ? RedCode::kBusy : RedCode::kOk);
    ExpectTold(rig, kChildren, RedWhat::kFail, RedCode::kLeft);
  }
}

TEST(EdgeCases, AnOperationThatEndsWhereTheGroupFailsIsNotCounted) {
  for (int offset = -1; offset <= 1; ++offset) {
    SCOPED_TRACE(offset);
    RedRig rig(kTile8);
    rig.SetTree(1, {kChildren, 0, -1, false, 0});
    SendAll(&rig, kChildren, Lock(1, 0, 2));
    rig.RunTo(rig.now() + 300);
    Red red = SegmentHeader(1, 1, 0, RedOp::kSum, RedType::kInt16, 2);
    red.empty = red.ends = true;
    const Cycle launch = LaunchOf(&rig, red);
    SendToEndIn(&rig, launch - 1 + offset, 0, Fail(1, RedCode::kLeft));
    rig.RunTo(launch + 2);
    EXPECT_EQ(StateOf(rig, 1), kFailing);
    EXPECT_EQ(LeftOf(rig), offset <= 0 ? 2 : 1);
    rig.Drain();
    EXPECT_EQ(rig.GotAt(2, RedWhat::kResult).size(), offset < 0 ? 0u : 1u);
  }
}

/// What goes up to nobody is gone.
TEST(EdgeCases, AParentThatDoesNotExistIsToldNothing) {
  RedRig rig(kTile8);
  rig.SetTree(1, {kChildren, 0, 63, false, 0});
  for (int i = 0; i < 20; ++i) {
    Red red = ShortHeader(1, i, RedAction::kReduce);
    red.empty = true;
    SendAll(&rig, kChildren, red);
    rig.RunTo(rig.now() + 40);
  }
  rig.Drain();
  EXPECT_TRUE(rig.got.empty());
  EXPECT_EQ(rig.Sum(Counter::kRxRed), 60u);
  EXPECT_EQ(StateOf(rig, 1), kIdle);
  EXPECT_EQ(rig.bytes_kept(), 0u);
}

/// A port is live by its link in the cycle and by MODE.enable as committed before; the CFU sees it in the next cycle.
TEST(EdgeCases, APortThatGoesDownIsSeenInTheCyclesOfThePage) {
  for (const RedRig::Visits visits : kBothVisits) {
    for (const bool by_link : {true, false}) {
      RedRig rig(kTile8, visits);
      MakeActive(&rig, 0);
      EXPECT_EQ(rig.device().NextActive(), kNever);
      Cycle fails = rig.now() + 1;
      if (by_link) {
        rig.LinkUp(5, false);
      } else {
        PortMode off = RedRig::Fabric();
        off.enable = false;
        rig.SetMode(5, off);
        fails = rig.now() + 7 + 2;
      }
      rig.RunTo(fails);
      EXPECT_EQ(StateOf(rig, 1), kActive);
      rig.Step();
      EXPECT_EQ(StateOf(rig, 1), kFailing);
      EXPECT_EQ(CodeOf(rig), static_cast<int>(RedCode::kLink));
      rig.Drain();
      EXPECT_EQ(rig.device().NextActive(), kNever);
    }
  }
}

}  // namespace
}  // namespace tilefly::golden
