// SPDX-License-Identifier: Apache-2.0
// What makes a golden group fail, and who is told (docs/blocks/reduction-trees.md, Failure).
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "testbenches/reduction/tree_packets.h"

namespace tilefly::golden {
namespace {

/// What makes a group fail, and the code that every peer is told.
struct Cause {
  const char* name;
  RedCode code;
  std::function<void(RedRig*)> make;
};

const Cause kCauses[] = {
    {"OfAnotherOperation", RedCode::kMismatch,
     [](RedRig* rig) {
       Red red = Sum16(0);
       ForEachBit(kChildren, [&](int p) {
         red.op = static_cast<std::uint8_t>(p == 2 ? RedOp::kMax : RedOp::kSum);
         rig->Send(p, rig->now(), red, {1, 0});
       });
     }},
    {"FromTheWrongSide", RedCode::kRole,
     [](RedRig* rig) {
       rig->Send(kParent, rig->now(), Sum16(0), {1, 0});
     }},
    {"WithAnotherTag", RedCode::kTimeout,  // the segment is stale, the others wait for one
     [](RedRig* rig) {
       Red red = Sum16(0);
       red.tag = 3;
       rig->Send(0, rig->now(), red, {1, 0});
       rig->Send(2, rig->now(), Sum16(0), {1, 0});
     }},
    {"OutOfOrder", RedCode::kOrder,
     [](RedRig* rig) {
       rig->Send(2, rig->now(), Sum16(1), {1, 0});
     }},
    {"WithoutCredit", RedCode::kOrder,
     [](RedRig* rig) {
       for (int i = 0; i <= rig->profile().red_segments; ++i) rig->Send(2, rig->now(), Sum16(i), {1, 0});
     }},
    {"OfAnIllegalOperation", RedCode::kFormat,
     [](RedRig* rig) {
       Red red = Sum16(0);
       red.op = static_cast<std::uint8_t>(RedOp::kMinnum);
       rig->Send(2, rig->now(), red, {1, 0});
     }},
    {"OfHalfALane", RedCode::kFormat,
     [](RedRig* rig) {
       Red red = Sum16(0);
       red.bytes = 1;
       rig->Send(2, rig->now(), red, {1});
     }},
    {"OfAnotherLength", RedCode::kFormat,
     [](RedRig* rig) { rig->Send(2, rig->now(), Sum16(0), std::vector<std::uint8_t>(64)); }},
    {"AtALinkThatIsDown", RedCode::kLink, [](RedRig* rig) { rig->LinkUp(5, false); }},
    {"OfAHostThatLeaves", RedCode::kLeft,
     [](RedRig* rig) {
       Red red;
       red.what = static_cast<std::uint8_t>(RedWhat::kFail);
       red.group = 1;
       red.code = static_cast<std::uint8_t>(RedCode::kLeft);
       rig->Send(0, rig->now(), red, {});
     }},
    {"OfAnAnswerWithoutALock", RedCode::kUnbound,
     [](RedRig* rig) { rig->Send(kParent, rig->now(), Answer(1, 1, RedAction::kLock, RedCode::kOk, 5, 0), {}); }},
    {"OfAShortOneWithASegmentTooMany", RedCode::kOrder,
     [](RedRig* rig) {
       Red red = ShortHeader(1, 16, RedAction::kReduce);
       red.empty = true;
       rig->Send(0, rig->now(), red, {});
       red.seq = 24;
       rig->Send(0, rig->now(), red, {});
     }},
    {"OfAShortOneThatNobodyElseSends", RedCode::kTimeout,
     [](RedRig* rig) {
       Red red = ShortHeader(1, 16, RedAction::kReduce);
       red.empty = true;
       rig->Send(0, rig->now(), red, {});
     }},
};

TEST(Failures, EverySourceIsTold) {
  for (const Cause& cause : kCauses) {
    SCOPED_TRACE(cause.name);
    RedRig rig(kTile8);
    MakeActive(&rig, 2000);
    cause.make(&rig);
    rig.Drain();
    PortMask told = kChildren | Bit(kParent);
    if (cause.code == RedCode::kLink) told &= ~Bit(5);
    ExpectTold(rig, told, RedWhat::kFail, cause.code);
    ForEachBit(told, [&](int p) {
      ASSERT_EQ(rig.GotAt(p, RedWhat::kFail).size(), 1u) << "port " << p;
      EXPECT_EQ(rig.GotAt(p, RedWhat::kFail)[0].red.tag, 4);
    });
    EXPECT_EQ(StateOf(rig, 1), kIdle);
    EXPECT_EQ(rig.reductions().cfu().Status(1).failures, 1u);
    for (int p = 0; p < rig.profile().ports; ++p) {
      EXPECT_EQ(rig.reductions().cfu().room(p, RedLane::kS), rig.profile().red_short_room);
      EXPECT_EQ(rig.reductions().cfu().room(p, RedLane::kD), rig.profile().red_room);
    }
  }
}

TEST(Failures, AreTheSameWhenOnlyTheCyclesThatMatterAreVisited) {
  for (const Cause& cause : kCauses) {
    SCOPED_TRACE(cause.name);
    std::vector<RedRig::Got> got[2];
    for (const RedRig::Visits visits : {RedRig::Visits::kAll, RedRig::Visits::kNeeded}) {
      RedRig rig(kTile8, visits);
      MakeActive(&rig, 2000);
      cause.make(&rig);
      rig.Drain();
      EXPECT_EQ(rig.device().NextActive(), kNever);
      got[static_cast<int>(visits)] = rig.got;
    }
    EXPECT_FALSE(got[0].empty());
    ExpectTheSame(got[0], got[1]);
  }
}

}  // namespace
}  // namespace tilefly::golden
