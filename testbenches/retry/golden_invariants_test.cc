// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/retry.md bite (RETRY-1 to RETRY-9).
#include <gtest/gtest.h>

#include "golden/retry/retry_link_checker.h"
#include "golden/retry/retry_port_checker.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {
namespace {

using bench::BrokenIds;

Word WordOf(bool sop, bool eop, int data = 0) {
  Word word;
  word.valid = true;
  word.sop = sop;
  word.eop = eop;
  word.data[0] = static_cast<std::uint8_t>(data);
  return word;
}

TEST(RetryInvariants, AWordThatWasNotGivenBreaksRetry1) {
  RetryLinkChecker checker;
  Audit audit;
  checker.Given(WordOf(true, false, 1));
  checker.Given(WordOf(false, true, 2));
  checker.Passed(WordOf(true, false, 1), 0, &audit);  // an attempt that ends here
  checker.Passed(WordOf(true, false, 1), 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  checker.Passed(WordOf(false, true, 3), 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "RETRY-1");
}

TEST(RetryInvariants, APacketAcceptedTwiceOrInPartOrNeverBreaksRetry1) {
  RetryLinkChecker checker;
  checker.Given(WordOf(true, true));
  Audit never;
  checker.CheckDrained(0, &never);
  EXPECT_EQ(BrokenIds(never), "RETRY-1");
  Audit audit;
  checker.Passed(WordOf(true, true), 0, &audit);
  checker.Accepted(0, &audit);
  checker.CheckDrained(0, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  checker.Accepted(0, &audit);
  EXPECT_EQ(BrokenIds(audit), "RETRY-1");
  Audit part;
  checker.Given(WordOf(true, false));
  checker.Given(WordOf(false, true));
  checker.Passed(WordOf(true, false), 0, &part);
  checker.Accepted(0, &part);
  EXPECT_EQ(BrokenIds(part), "RETRY-1");
}

/// A sender whose link is up.
struct Sender {
  explicit Sender(const RetryOut::Parameters& parameters = {8, 4, 4}) : out(parameters) {
    in.enable = in.link_up = true;
    Step();
  }
  void Step() {
    shown = out.Step(in);
    in.take = false;
    in.word = {};
    in.report = {};
    out.Check(0, &audit);
  }
  void Take(int words) {
    in.take = true;
    in.take_words = words;
  }
  RetryOut out;
  RetryOut::Inputs in;
  RetryOut::Outputs shown;
  Audit audit;
};

TEST(RetryInvariants, APacketTakenWithoutRoomBreaksRetry2) {
  Sender sender;
  sender.Take(4);
  sender.Step();
  EXPECT_EQ(BrokenIds(sender.audit), "");
  sender.Take(3);  // 4 + 4 > 7: no room for the longest
  sender.Step();
  EXPECT_EQ(BrokenIds(sender.audit), "RETRY-2");
  Audit drained;
  sender.out.CheckDrained(0, &drained);
  EXPECT_EQ(BrokenIds(drained), "RETRY-2");
}

TEST(RetryInvariants, APacketThatNobodyTookBreaksRetry3) {
  Sender sender;
  sender.in.word = WordOf(true, true);
  sender.Step();
  EXPECT_EQ(BrokenIds(sender.audit), "RETRY-3");
}

TEST(RetryInvariants, AMacThatStopsAmidAPacketBreaksRetry5) {
  Sender sender;
  sender.Take(2);
  sender.Step();
  sender.in.word = WordOf(true, false);
  sender.Step();
  EXPECT_EQ(BrokenIds(sender.audit), "");
  sender.Step();  // word 1 is due
  EXPECT_EQ(BrokenIds(sender.audit), "RETRY-5");
}

/// The sender's outputs as they should be: a packet of two words that starts in cycle 1, on two lanes.
struct Seen {
  Seen() : checker({}) {
    in.enable = in.link_up = true;
    in.lanes = 2;
  }
  void Step(bool waiting = false) {
    checker.Step(in, out, waiting, 0, &audit);
    out.start = false;
    out.word = {};
  }
  void Start() {
    Step();
    Step();
    out.start = true;
    Step();
  }
  void Put(bool sop, bool eop, int index) {
    out.word = WordOf(sop, eop);
    out.tag.index = static_cast<std::uint8_t>(index);
    Step();
  }
  RetryOutChecker checker;
  RetryOut::Inputs in;
  RetryOut::Outputs out;
  Audit audit;
};

TEST(RetryInvariants, AWordBesideItsTimeBreaksRetry4) {
  Seen right;
  right.Start();
  right.Put(true, false, 0);
  right.Step();
  right.Put(false, true, 1);
  EXPECT_EQ(BrokenIds(right.audit), "");
  Seen early;
  early.Start();
  early.Put(true, false, 0);
  early.Put(false, true, 1);
  EXPECT_EQ(BrokenIds(early.audit), "RETRY-4");
  Seen never;
  never.Start();
  never.Step();
  EXPECT_EQ(BrokenIds(never.audit), "RETRY-4");
  Seen wrong;
  wrong.Start();
  wrong.Put(true, false, 1);
  EXPECT_EQ(BrokenIds(wrong.audit), "RETRY-4");
  Seen overlapping;
  overlapping.Start();
  overlapping.out.start = true;
  overlapping.Put(true, false, 0);
  EXPECT_EQ(BrokenIds(overlapping.audit), "RETRY-4");
}

TEST(RetryInvariants, AStartOfAFailedOrDeadLinkBreaksRetry8) {
  Seen failed;
  failed.out.link_failed = true;
  failed.Start();
  EXPECT_EQ(BrokenIds(failed.audit), "RETRY-8");
  Seen down;
  down.in.link_up = false;
  down.Start();
  EXPECT_EQ(BrokenIds(down.audit), "RETRY-8");
}

TEST(RetryInvariants, ALinkThatNeitherMovesNorFailsBreaksRetry9) {
  constexpr int kTimer = 10, kLimit = 2;
  constexpr int kBound = (kLimit + 1) * (kTimer + 4 * 133 + 4);
  Seen seen;
  seen.in.replay_timer_max = kTimer;
  seen.in.replay_ct_max = kLimit;
  seen.Step(false);
  for (int i = 0; i < kBound - 1; ++i) seen.Step(true);
  EXPECT_EQ(BrokenIds(seen.audit), "");
  seen.in.report = {true, false, 1};  // progress: the wait begins anew
  seen.Step(true);
  seen.in.report = {};
  for (int i = 0; i < kBound - 1; ++i) seen.Step(true);
  EXPECT_EQ(BrokenIds(seen.audit), "");
  seen.Step(true);
  EXPECT_EQ(BrokenIds(seen.audit), "RETRY-9");
}

/// The receiver's ports.
struct Gate {
  Gate() : checker({}) { in.enable = in.link_up = true; }
  void Pass(bool sop, bool eop, int seq, int index) {
    in.word = out.word = WordOf(sop, eop);
    in.tag.seq = static_cast<std::uint16_t>(seq);
    in.tag.index = static_cast<std::uint8_t>(index);
    out.accepted = eop;
    checker.Step(in, out, 0, &audit);
    out = {};
  }
  void Idle() {
    in.word = {};
    checker.Step(in, out, 0, &audit);
    out = {};
  }
  RetryInChecker checker;
  RetryIn::Inputs in;
  RetryIn::Outputs out;
  Audit audit;
};

TEST(RetryInvariants, AWordThatIsNotTheNextBreaksRetry6) {
  Gate right;
  right.Pass(true, false, 0, 0);
  right.Pass(false, true, 0, 1);
  right.Pass(true, true, 1, 0);
  EXPECT_EQ(BrokenIds(right.audit), "");
  Gate number;
  number.Pass(true, true, 1, 0);
  EXPECT_EQ(BrokenIds(number.audit), "RETRY-6");
  Gate index;
  index.Pass(true, false, 0, 0);
  index.Pass(false, true, 0, 2);
  EXPECT_EQ(BrokenIds(index.audit), "RETRY-6");
  Gate late;
  late.Pass(true, false, 0, 0);
  late.Idle();
  late.Pass(false, true, 0, 1);
  EXPECT_EQ(BrokenIds(late.audit), "RETRY-6");
  Gate bad;
  bad.in.word = bad.out.word = WordOf(true, true);
  bad.in.word.err = bad.out.word.err = true;
  bad.out.accepted = true;
  bad.checker.Step(bad.in, bad.out, 0, &bad.audit);
  EXPECT_EQ(BrokenIds(bad.audit), "RETRY-6");
}

TEST(RetryInvariants, ASecondErrorOfOnePacketBreaksRetry7) {
  Gate gate;
  gate.out.missing = true;
  gate.Idle();
  gate.Pass(true, false, 0, 0);
  gate.out.bad = true;
  gate.Idle();
  EXPECT_EQ(BrokenIds(gate.audit), "");
  gate.out.missing = true;
  gate.Idle();
  EXPECT_EQ(BrokenIds(gate.audit), "RETRY-7");
}

}  // namespace
}  // namespace tilefly::golden
