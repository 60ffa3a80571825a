// SPDX-License-Identifier: Apache-2.0
// The invariants of docs/blocks/reduction.md and reduction-trees.md, each broken on purpose.
#include <gtest/gtest.h>

#include "golden/common/register_write.h"
#include "golden/reduction/red_checker.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {
namespace {

RedLaunch LaunchAt(Cycle at, RedCandidate candidate) {
  RedLaunch launch;
  launch.at = at;
  launch.candidate = candidate;
  launch.lane = launch.is_stream() ? RedLane::kD : RedLane::kS;
  launch.root = true;
  return launch;
}

class RingInvariants : public testing::Test {
 protected:
  std::string Broken() const {
    Audit audit;
    books_.Check(now_, view_, &audit);
    return bench::BrokenIds(audit);
  }
  RedChecker books_{kTile8.red_stream, kTile8.red_short};
  CfuView view_;
  Cycle now_ = 1000;
};

TEST_F(RingInvariants, ALaunchWithoutAnEntryBreaksRed1) {
  const RedLaunch launch = LaunchAt(10, RedCandidate::kUp0);
  books_.Begun(launch, true, 0);
  books_.Took(launch, 3, true);
  EXPECT_EQ(Broken(), "");
  books_.Took(launch, 4, false);
  EXPECT_EQ(Broken(), "RED-1");
}

/// A CFU with a root's tree in group 0 that has a slot.
class BoundCfu {
 public:
  BoundCfu() : context_(kTile8), registers_(kTile8.ports), cfu_(context_, registers_) {
    registers_.Write(WriteRegister(kAllPorts, CfgSpace::kRed, 0, 0b11));
    registers_.Write(WriteRegister(kAllPorts, CfgSpace::kRed, 1, 0b11));
    RedLaunch lock = LaunchAt(0, RedCandidate::kShortUp);
    RedCollect word;
    word.action = static_cast<std::uint8_t>(RedAction::kLock);
    Cfu::Merged merged;
    merged.launch = &lock;
    merged.word = &word;
    cfu_.Commit(100, std::nullopt, {}, &merged);
  }
  void Report(Cycle now, RedEv ev) {
    Cfu::Merged none;
    Cfu::Arrivals arrivals;
    arrivals.reports.push_back({1, ev, 0, 0, 0, true, false, RedCode::kOk, 0});
    cfu_.SetLive(~PortMask{0});
    cfu_.Commit(now, std::nullopt, arrivals, &none);
  }
  std::string Broken() const {
    Audit audit;
    cfu_.Check(&audit);
    return bench::BrokenIds(audit);
  }
  Cfu& cfu() { return cfu_; }

 private:
  Context context_;
  RedRegisters registers_;
  Cfu cfu_;
};

TEST_F(RingInvariants, ASegmentTooManyBreaksRed2) {
  BoundCfu bound;
  ASSERT_EQ(bound.cfu().state(0), RedState::kActive);
  for (int i = 0; i < kTile8.red_segments; ++i) bound.Report(200 + i, RedEv::kSegment);
  EXPECT_EQ(bound.Broken(), "");
  bound.Report(300, RedEv::kSegment);
  EXPECT_EQ(bound.Broken(), "RED-2");
}

TEST_F(RingInvariants, ALaunchTooSoonBreaksRed3) {
  books_.Begun(LaunchAt(10, RedCandidate::kUp0), false, 0);
  books_.Begun(LaunchAt(10 + kTile8.red_stream, RedCandidate::kUp1), false, 0);
  EXPECT_EQ(Broken(), "");
  books_.Begun(LaunchAt(10 + 2 * kTile8.red_stream - 1, RedCandidate::kUp0), false, 0);
  EXPECT_EQ(Broken(), "RED-3");
}

TEST_F(RingInvariants, ARoomThatNobodyHasBreaksRed4) {
  BoundCfu bound;
  EXPECT_EQ(bound.Broken(), "");
  RedLaunch launch = LaunchAt(10, RedCandidate::kUp0);
  launch.to = Bit(5);
  bound.cfu().ReturnRoom(launch, 1);
  EXPECT_EQ(bound.Broken(), "RED-4");
}

TEST_F(RingInvariants, TwoOperationsOfAGroupBreakRed5) {
  books_.Begun(LaunchAt(10, RedCandidate::kUp0), true, 0);
  books_.Begun(LaunchAt(200, RedCandidate::kUp0), false, 1);
  EXPECT_EQ(Broken(), "");
  books_.Begun(LaunchAt(400, RedCandidate::kUp0), true, 1);
  EXPECT_EQ(Broken(), "RED-5");
}

TEST_F(RingInvariants, APortOutOfOrderBreaksRed6) {
  const RedLaunch launch = LaunchAt(10, RedCandidate::kUp0);
  books_.Begun(launch, true, 0);
  for (const int p : {0, 3, 5}) books_.Took(launch, p, true);
  EXPECT_EQ(Broken(), "");
  books_.Took(launch, 4, true);
  EXPECT_EQ(Broken(), "RED-6");
}

using TreeInvariants = RingInvariants;

TEST_F(TreeInvariants, ASlotOfTwoGroupsBreaksTree1) {
  view_.group_of[1] = 3;
  view_.slot_of[3] = 1;
  view_.states[3] = RedState::kLocking;
  EXPECT_EQ(Broken(), "");
  view_.slot_of[4] = 1;
  view_.states[4] = RedState::kLocking;
  EXPECT_EQ(Broken(), "TREE-1");
}

TEST_F(TreeInvariants, ASlotForNobodyBreaksTree2) {
  view_.group_of[0] = 3;
  view_.slot_of[3] = 0;
  view_.states[3] = RedState::kLocking;
  view_.ends[3] = now_;
  EXPECT_EQ(Broken(), "");
  ++now_;
  EXPECT_EQ(Broken(), "TREE-2");
  view_.ends[3] = kNever;
  view_.states[3] = RedState::kIdle;
  EXPECT_EQ(Broken(), "TREE-2");
}

TEST_F(TreeInvariants, AFailureWithoutNoticeBreaksTree3) {
  view_.fails[2] = 1;
  view_.notices_due[2] = true;
  EXPECT_EQ(Broken(), "");
  view_.notices_due[2] = false;
  EXPECT_EQ(Broken(), "TREE-3");
  RedLaunch notice = LaunchAt(10, RedCandidate::kNotice);
  notice.group = 2;
  books_.Begun(notice, false, 0);
  EXPECT_EQ(Broken(), "");
}

TEST_F(TreeInvariants, AnEntryThatIsNotThereBreaksTree4) {
  const RedLaunch launch = LaunchAt(10, RedCandidate::kShortUp);
  books_.Begun(launch, false, 0);
  books_.Took(launch, 3, false);
  EXPECT_EQ(Broken(), "TREE-4");
}

}  // namespace
}  // namespace tilefly::golden
