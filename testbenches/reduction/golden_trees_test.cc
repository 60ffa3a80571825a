// SPDX-License-Identifier: Apache-2.0
// Golden groups, locks, short operations and failures against the tables of docs/blocks/reduction-trees.md.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "testbenches/reduction/tree_packets.h"

namespace tilefly::golden {
namespace {

TEST(Trees, ARootTakesTheLowestSlotAndCountsTheTagUp) {
  RedRig rig(kTile8);
  for (int g : {3, 4, 5}) rig.SetTree(g, {kChildren, 0, -1, false, 0});
  for (int g : {3, 4, 5}) {
    const Cycle last = SendAll(&rig, kChildren, Lock(g, 0, 0));
    const Cycle f = last + 4 + 2 + rig.profile().red_delay;
    rig.RunTo(f);
    EXPECT_EQ(StateOf(rig, g), kIdle);
    rig.Step();
    EXPECT_EQ(StateOf(rig, g), g == 5 ? kIdle : kActive) << "group " << g;
    rig.RunTo(f + 200);
    ExpectTold(rig, kChildren, RedWhat::kShortResult, g == 5 ? RedCode::kBusy : RedCode::kOk);
    EXPECT_EQ(rig.GotAt(0, RedWhat::kShortResult).back().red.tag, g == 5 ? 0 : 1);
  }
  EXPECT_EQ(rig.reductions().cfu().binds()[0].group, 3);
  EXPECT_EQ(rig.reductions().cfu().binds()[1].group, 4);
  // A second lock of a group that has one is refused; after its unlock the slot is another's.
  SendAll(&rig, kChildren, Lock(3, 1, 0));
  rig.RunTo(rig.now() + 300);
  ExpectTold(rig, kChildren, RedWhat::kShortResult, RedCode::kBusy);
  Red unlock = ShortHeader(3, 2, RedAction::kUnlock);
  unlock.empty = true;
  SendAll(&rig, kChildren, unlock);
  rig.Drain();
  ExpectTold(rig, kChildren, RedWhat::kShortResult, RedCode::kOk);
  EXPECT_EQ(StateOf(rig, 3), kIdle);
  SendAll(&rig, kChildren, Lock(5, 1, 0));
  rig.Drain();
  EXPECT_EQ(StateOf(rig, 5), kActive);
  EXPECT_EQ(rig.reductions().cfu().binds()[0].group, 5);
}

TEST(Trees, ANodeHoldsItsSlotUntilTheRootAnswers) {
  for (const RedCode code : {RedCode::kOk, RedCode::kBusy}) {
    RedRig rig(kTile8);
    rig.SetTree(1, {kChildren, 0, kParent, false, 0});
    SendAll(&rig, kChildren, Lock(1, 9, 3));
    rig.Drain();
    EXPECT_EQ(StateOf(rig, 1), kLocking);
    const auto asked = rig.GotAt(kParent, RedWhat::kShort);
    ASSERT_EQ(asked.size(), 1u);
    EXPECT_EQ(asked[0].red.count, 3);
    EXPECT_EQ(asked[0].red.contributions, 3u);
    EXPECT_EQ(asked[0].red.tag, 0);
    rig.Send(kParent, rig.now(), Answer(1, 9, RedAction::kLock, code, 11, 3), {});
    rig.Drain();
    EXPECT_EQ(StateOf(rig, 1), code == RedCode::kOk ? kActive : kIdle);
    ExpectTold(rig, kChildren, RedWhat::kShortResult, code);
    EXPECT_EQ(rig.GotAt(2, RedWhat::kShortResult).back().red.tag, 11);
    EXPECT_EQ(rig.reductions().cfu().binds()[0].valid, code == RedCode::kOk);
  }
}

/// Segments go up, results come down, and the lock ends with its last operation.
TEST(Trees, ALockForTwoOperationsEndsByItself) {
  RedRig rig(kTile8);
  rig.SetTree(1, {kChildren, 0, kParent, false, 0});
  SendAll(&rig, kChildren, Lock(1, 0, 2));
  rig.Drain();
  rig.Send(kParent, rig.now(), Answer(1, 0, RedAction::kLock, RedCode::kOk, 7, 2), {});
  rig.Drain();
  for (int segment = 0; segment < 4; ++segment) {
    Red red = SegmentHeader(1, 7, segment, RedOp::kMax, RedType::kInt32, 4);
    red.ends = segment % 2 == 1;
    red.wants = segment < 2;
    ForEachBit(kChildren, [&](int p) {
      rig.Send(p, rig.now(), red, {static_cast<std::uint8_t>(10 * segment + p), 0, 0, 0});
    });
    rig.RunTo(rig.now() + 300);
    const auto up = rig.GotAt(kParent, RedWhat::kSegment);
    ASSERT_EQ(up.size(), static_cast<std::size_t>(segment + 1));
    EXPECT_EQ(up.back().data[0], 10 * segment + 5);
    EXPECT_EQ(up.back().red.seq, segment);
    EXPECT_EQ(up.back().red.tag, 7);
    EXPECT_TRUE(up.back().red.wants);
    EXPECT_EQ(up.back().red.ends, segment % 2 == 1);
    red.what = static_cast<std::uint8_t>(RedWhat::kResult);
    EXPECT_EQ(StateOf(rig, 1), kActive);
    rig.Send(kParent, rig.now(), red, {static_cast<std::uint8_t>(100 + segment), 0, 0, 0});
    rig.RunTo(rig.now() + 300);
    // The children wanted those of the first operation; of the second they learn that it ended.
    const std::size_t told[] = {1, 2, 2, 3};
    const auto down = rig.GotAt(5, RedWhat::kResult);
    ASSERT_EQ(down.size(), told[segment]);
    if (segment != 2) EXPECT_EQ(down.back().data[0], 100 + segment);
  }
  rig.Drain();
  EXPECT_EQ(StateOf(rig, 1), kIdle);
  EXPECT_EQ(rig.bytes_kept(), 0u);
}

TEST(Trees, DrainLastsUntilTheLastLaunchIsOver) {
  RedRig rig(kTile8);
  rig.SetTree(1, {kChildren, 0, -1, false, 0});
  SendAll(&rig, kChildren, Lock(1, 0, 1));
  rig.Drain();
  Red red = SegmentHeader(1, 1, 0, RedOp::kSum, RedType::kInt16, 2);
  red.ends = true;
  Cycle last = 0;
  ForEachBit(kChildren, [&](int p) { last = rig.Send(p, rig.now(), red, {1, 0}); });
  const Cycle t = last + 6;
  rig.RunTo(t);
  EXPECT_EQ(StateOf(rig, 1), kActive);
  rig.Step();
  EXPECT_EQ(StateOf(rig, 1), kDrain);
  const Cycle quiet = 6 * rig.profile().tiles + rig.profile().red_words + 16;
  rig.RunTo(t + quiet);
  EXPECT_EQ(StateOf(rig, 1), kDrain);
  rig.Step();
  EXPECT_EQ(StateOf(rig, 1), kIdle);
  // Of an old lock: stale, not a failure.
  red.seq = 1;
  rig.Send(0, rig.now(), red, {1, 0});
  rig.Drain();
  EXPECT_EQ(rig.Count(0, Counter::kRedStale), 1u);
  EXPECT_EQ(rig.Count(0, Drop::kRed), 1u);
  EXPECT_EQ(StateOf(rig, 1), kIdle);
}

TEST(Trees, ASegmentWithoutALockFailsItsGroup) {
  RedRig rig(kTile8);
  rig.SetTree(1, {kChildren, 0, -1, false, 0});
  rig.Send(2, rig.now(), Sum16(0), {1, 0});
  rig.Drain();
  ExpectTold(rig, kChildren, RedWhat::kFail, RedCode::kUnbound);
  EXPECT_EQ(StateOf(rig, 1), kIdle);
}

TEST(Trees, AFailIsNotAnsweredByAGroupThatIsIdle) {
  RedRig rig(kTile8);
  rig.SetTree(1, {kChildren, 0, kParent, false, 0});
  Red red;
  red.what = static_cast<std::uint8_t>(RedWhat::kFail);
  red.group = 1;
  red.code = static_cast<std::uint8_t>(RedCode::kLeft);
  rig.Send(kParent, rig.now(), red, {});
  rig.Drain();
  EXPECT_TRUE(rig.got.empty());
  EXPECT_EQ(rig.Count(kParent, Counter::kRxRed), 1u);
}

TEST(Trees, AShortOneThatDiffersIsToldAndFailsNobody) {
  RedRig rig(kTile8);
  rig.SetTree(1, {kChildren, 0, -1, false, 0});
  Red red = ShortHeader(1, 3, RedAction::kReduce);
  red.op = static_cast<std::uint8_t>(RedOp::kSum);
  red.dtype = static_cast<std::uint8_t>(RedType::kInt32);
  ForEachBit(kChildren, [&](int p) {
    red.bytes = p == 0 ? 8 : 4;
    rig.Send(p, rig.now(), red, std::vector<std::uint8_t>(red.bytes, 1));
  });
  rig.Drain();
  ExpectTold(rig, kChildren, RedWhat::kShortResult, RedCode::kMismatch);
  EXPECT_TRUE(rig.GotAt(0, RedWhat::kShortResult)[0].red.empty);
  EXPECT_EQ(rig.GotAt(0, RedWhat::kShortResult)[0].length, 32);
  EXPECT_EQ(StateOf(rig, 1), kIdle);
}

TEST(Taken, CountsAndDropsByTheTable) {
  RedRig rig(kTile8);
  rig.SetTree(1, {kChildren, 0, -1, false, 0});
  Red red = ShortHeader(1, 0, RedAction::kReduce);
  red.empty = true;
  rig.Send(1, rig.now(), red, {});  // not in the tree
  rig.Send(0, rig.now(), red, {});
  rig.Send(0, rig.now(), red, {});              // twice
  rig.Send(2, rig.now(), red, {}, Drop::kFcs);  // cut through
  Header other = RedRig::HeaderTo({3, 10}, rig.LengthOf(0));
  rig.SendFrame(3, rig.now(), other, red, {});  // not for this switch: no route
  Header plain = RedRig::HeaderTo(RedRig::kOwn, rig.LengthOf(0));
  plain.an = false;
  plain.dst = FabricAddress(RedRig::kOwn.group, RedRig::kOwn.number, 7);
  rig.SendFrame(4, rig.now(), plain, red, {});  // passes by
  rig.Drain();
  EXPECT_EQ(rig.Count(1, Counter::kRedRefused), 1u);
  EXPECT_EQ(rig.Count(1, Drop::kRed), 1u);
  EXPECT_EQ(rig.Count(0, Counter::kRxRed), 1u);
  EXPECT_EQ(rig.Count(0, Counter::kRedStale), 1u);
  EXPECT_EQ(rig.Count(0, Drop::kRed), 1u);
  EXPECT_EQ(rig.Count(2, Counter::kRedDamaged), 1u);
  EXPECT_EQ(rig.Count(2, Counter::kRxDamaged), 1u);
  EXPECT_EQ(rig.Count(2, Drop::kRed), 1u);
  EXPECT_EQ(rig.Count(3, Drop::kNoRoute), 1u);
  ASSERT_EQ(rig.got.size(), 1u);
  EXPECT_EQ(rig.got[0].port, 7);
  EXPECT_EQ(rig.Count(7, Counter::kTxPackets), 1u);
  EXPECT_EQ(rig.bytes_kept(), 0u);
}

}  // namespace
}  // namespace tilefly::golden
