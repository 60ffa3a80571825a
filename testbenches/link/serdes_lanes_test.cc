// SPDX-License-Identifier: Apache-2.0
// Golden's SerDes lanes against the sentences of docs/blocks/link_retry.md, "SerDes lanes".
#include "golden/link/serdes_lanes.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tilefly::golden {
namespace {

constexpr int kEpochBits = 4;
constexpr Cycle kEpoch = 1 << kEpochBits;

/// One port, with `fail` 3 and `back` 2, an empty MAC and a link that is up, unless a test says otherwise.
class SerdesLanesTest : public ::testing::Test {
 protected:
  SerdesLanesTest() {
    in.retry = in.link_up = true;
    in.fail = 3;
    in.back = 2;
    Idle(1);  // the next cycle is 1: an epoch begins in 16
  }
  SerdesLanes::Outputs Step() {
    const SerdesLanes::Outputs out = lanes.Step(now++, in);
    lanes.Check(0, &audit);
    in.lane_err = 0;
    in.avoid_valid = in.report_valid = in.report_out = in.written = false;
    return out;
  }
  SerdesLanes::Outputs Idle(Cycle cycles) {
    SerdesLanes::Outputs out;
    for (Cycle n = 0; n < cycles; ++n) out = Step();
    return out;
  }
  SerdesLanes::Outputs Errors(unsigned mask) {
    in.lane_err = mask;
    return Step();
  }
  SerdesLanes::Outputs Avoid(unsigned mask) {
    in.avoid_valid = true;
    in.avoid = mask;
    return Step();
  }
  void TearDown() override { EXPECT_TRUE(audit.broken().empty()) << audit.Message(); }

  SerdesLanes lanes{kEpochBits};
  SerdesLanes::Inputs in;
  Cycle now = 0;
  Audit audit;
};

TEST_F(SerdesLanesTest, ALaneFailsWithItsLastErrorAndTheSlotSaysSo) {
  EXPECT_EQ(Errors(4).failed, 0u);
  EXPECT_EQ(Errors(4).failed, 0u);
  EXPECT_EQ(Errors(4).failed, 4u);
  const SerdesLanes::Outputs next = Step();
  EXPECT_TRUE(next.lanes_valid);
  EXPECT_EQ(next.lanes_bad, 4u);
  EXPECT_FALSE(next.quiescent);
  EXPECT_FALSE(Step().lanes_valid) << "once";
  in.report_out = true;
  EXPECT_EQ(Step().lanes_bad, 4u) << "each report has the mask";
}

TEST_F(SerdesLanesTest, AnEpochForgetsTheErrorsOfLanesThatAreNotBad) {
  Errors(2);
  Errors(2);
  while (now % kEpoch != 0) Step();
  EXPECT_EQ(Errors(2).failed, 0u) << "the error of the epoch's first cycle counts in the new epoch";
  EXPECT_EQ(Errors(2).failed, 0u);
  EXPECT_EQ(Errors(2).failed, 2u);
}

TEST_F(SerdesLanesTest, ABadLaneIsGoodAfterEpochsWithoutAnError) {
  for (int n = 0; n < 3; ++n) Errors(8);
  Step();
  while (now % kEpoch != 0) Step();
  EXPECT_EQ(Step().back, 0u) << "first quiet epoch";
  Errors(8);  // an error begins the count anew
  while (now % kEpoch != 0) Step();
  EXPECT_EQ(Step().back, 0u);
  while (now % kEpoch != 0) Step();
  EXPECT_EQ(Step().back, 0u);
  while (now % kEpoch != 0) Step();
  EXPECT_EQ(Step().back, 8u);
  const SerdesLanes::Outputs next = Step();
  EXPECT_TRUE(next.lanes_valid);
  EXPECT_EQ(next.lanes_bad, 0u);
}

TEST_F(SerdesLanesTest, TheLowestLaneFailsFirstAndTheLastNever) {
  for (int n = 0; n < 2; ++n) Errors(15);
  EXPECT_EQ(Errors(15).failed, 1u);
  EXPECT_EQ(Errors(15).failed, 2u);
  EXPECT_EQ(Errors(15).failed, 4u);
  for (int n = 0; n < 20; ++n) EXPECT_EQ(Errors(15).failed, 0u) << "lane 3 is the last";
}

TEST_F(SerdesLanesTest, LanesThatAreOffCountAsBadForTheOthers) {
  in.off = 14;
  in.written = true;
  Step();
  EXPECT_EQ(Step().lanes_bad, 14u);
  for (int n = 0; n < 5; ++n) EXPECT_EQ(Errors(1).failed, 0u);
}

TEST_F(SerdesLanesTest, ZeroMeansNever) {
  in.fail = 0;
  for (int n = 0; n < 300; ++n) EXPECT_EQ(Errors(1).failed, 0u);
  in.fail = 255;
  EXPECT_EQ(Errors(1).failed, 0u);
  in.back = 0;
  in.fail = 1;
  EXPECT_EQ(Errors(1).failed, 1u);
  for (Cycle n = 0; n < 300 * kEpoch; ++n) EXPECT_EQ(Step().back, 0u);
}

TEST_F(SerdesLanesTest, ErrorsAndQuietEpochsSaturate) {
  in.fail = 0;
  lanes.Preset({254, 0, 0, 0}, {0, 0, 0, 254}, 8);
  Errors(1);
  Errors(1);
  in.fail = 255;
  EXPECT_EQ(Step().failed, 1u) << "255 errors, not 256 modulo 256";
  in.back = 255;
  while (now % kEpoch != 0) Step();
  EXPECT_EQ(Step().back, 8u);
}

TEST_F(SerdesLanesTest, TheSenderTakesNothingUntilItsMacIsEmptyAndMIsWanted) {
  in.mac_empty = false;
  SerdesLanes::Outputs out = Avoid(4);
  EXPECT_TRUE(out.take_ok);
  out = Step();
  EXPECT_FALSE(out.take_ok);
  EXPECT_EQ(out.m, 4);
  EXPECT_EQ(Idle(5).m, 4) << "a packet has one m";
  in.mac_empty = true;
  EXPECT_EQ(Step().m, 4);
  out = Step();
  EXPECT_EQ(out.m, 3);
  EXPECT_TRUE(out.take_ok);
  EXPECT_TRUE(out.nack) << "the port's own, when m is what is wanted";
  EXPECT_FALSE(Step().nack) << "once";
}

TEST_F(SerdesLanesTest, TheOwnNackHasTheLatestNumberAndGivesWayToAReport) {
  in.report_valid = true;
  in.report_seq = 77;
  Step();
  Avoid(1);
  Step();  // m := 3
  in.report_valid = true;
  in.report_seq = 99;
  EXPECT_FALSE(Step().nack) << "the slot has a report";
  const SerdesLanes::Outputs out = Step();
  EXPECT_TRUE(out.nack);
  EXPECT_EQ(out.nack_seq, 99);
  Avoid(0);
  EXPECT_FALSE(Idle(3).nack) << "a lane that returns asks for nothing again";
  EXPECT_EQ(Step().m, 4);
}

TEST_F(SerdesLanesTest, AllLanesUnwantedLeaveOne) {
  Avoid(15);
  Idle(2);
  EXPECT_EQ(Step().m, 1);
}

TEST_F(SerdesLanesTest, LanesThatTheCableDoesNotHaveDoNotCount) {
  in.lanes = 2;
  Idle(2);
  EXPECT_EQ(Step().m, 2);
  for (int n = 0; n < 10; ++n) EXPECT_EQ(Errors(12).failed, 0u);
  Avoid(12);
  EXPECT_FALSE(Idle(2).nack);
  EXPECT_EQ(Step().m, 2);
  for (int n = 0; n < 2; ++n) Errors(3);
  EXPECT_EQ(Errors(3).failed, 1u);
  for (int n = 0; n < 10; ++n) EXPECT_EQ(Errors(2).failed, 0u) << "lane 1 is the last of two";
}

TEST_F(SerdesLanesTest, LinkDownForgetsAll) {
  for (int n = 0; n < 3; ++n) Errors(4);
  Avoid(2);
  in.link_up = false;
  const SerdesLanes::Outputs down = Errors(8);
  EXPECT_EQ(down.failed, 0u);
  Idle(2);
  in.link_up = true;
  const SerdesLanes::Outputs out = Step();
  EXPECT_EQ(out.m, 4);
  EXPECT_FALSE(out.lanes_valid);
  EXPECT_TRUE(out.quiescent);
  in.report_out = true;
  EXPECT_EQ(Step().lanes_bad, 0u);
}

TEST_F(SerdesLanesTest, AnotherPortHasTheLanesOfItsMode) {
  in.retry = false;
  in.lanes = 2;
  const SerdesLanes::Outputs out = Avoid(1);
  EXPECT_EQ(out.m, 2);
  EXPECT_TRUE(out.take_ok && out.quiescent && !out.lanes_valid && !out.nack);
}

TEST_F(SerdesLanesTest, InAnyRunALaneIsLeftAndMKeepsItsPacket) {
  std::mt19937 random(5);
  const auto chance = [&](unsigned n) { return random() % n == 0; };
  int changes = 0, last = 4;
  for (int n = 0; n < 50'000; ++n) {
    if (chance(1000)) in.link_up = false;
    if (!in.link_up && chance(4)) in.lanes = static_cast<int>(random() % 8);  // MODE is written while the link is down
    if (!in.link_up && chance(20)) in.link_up = true;
    in.written = chance(800);
    if (in.written) in.off = random() & 15;
    in.lane_err = chance(3) ? random() & 15 : 0;
    in.avoid_valid = chance(40);
    in.avoid = random() & 15;
    in.report_valid = chance(10);
    in.report_seq = static_cast<int>(random() & 2047);
    in.report_out = chance(10);
    in.mac_empty = chance(4);
    const SerdesLanes::Outputs out = Step();
    changes += out.m != last;
    last = out.m;
  }
  EXPECT_GT(changes, 200);
  EXPECT_GT(audit.judged(), 50'000);
}

}  // namespace
}  // namespace tilefly::golden
