// SPDX-License-Identifier: Apache-2.0
// Two partner's ends of a link with retry, over a wire that loses what a test says.
#include <gtest/gtest.h>

#include <functional>

#include "cosim/endpoint/link_delay.h"
#include "cosim/endpoint/retry_halves.h"
#include "cosim/setup/frame.h"

namespace tilefly::cosim {
namespace {

constexpr int kDelay = 5, kShared = 958, kVl = 5, kCells = 2, kWords = 3;

/// One end sends packets of three words in the cycles that `starts` names. The other end consumes at once.
class TwoEnds {
 public:
  /// Changes what arrives in a cycle: at the sender (`back`), or at the receiver.
  using Wire = std::function<void(Cycle, bool back, Link*)>;

  explicit TwoEnds(Wire wire) : wire_(std::move(wire)) {}

  void Run(Cycle cycles, const std::function<bool(Cycle)>& starts) {
    for (; now_ < cycles; ++now_) {
      Link to_receiver = there_.Out(now_), to_sender = back_.Out(now_);
      wire_(now_, false, &to_receiver);
      wire_(now_, true, &to_sender);
      Link sent, answered;
      sender.DriveControl(now_, &sent.ctrl);
      receiver.DriveControl(now_, &answered.ctrl);
      if (next_ == kWords && starts(now_) && sender.HasRoom() && sender.LaneOk(kVl)) {
        sender.Start(kVl, kCells, kWords);
        next_ = 0;
        ++started;
      }
      sender.Step(now_, true, to_sender, {next_ < kWords ? WordOf(next_) : Word()});
      next_ += next_ < kWords;
      sender.ShowSent(&sent);
      const RetryHalves::Passed passed = receiver.Step(now_, true, to_receiver, {});
      // A packet, whole or broken off, is consumed at once.
      if ((passed.word.valid && passed.word.eop) || passed.broke_off) receiver.Free(kVl, kCells);
      accepted += passed.word.valid && passed.word.eop;
      there_.Put(now_, sent);
      back_.Put(now_, answered);
    }
  }

  RetryHalves sender{kTile8, 0, 4, kShared, {}}, receiver{kTile8, 1, 4, kShared, {}};
  int started = 0, accepted = 0;

 private:
  static Word WordOf(int k) {
    Frame frame;
    frame.enh = true;
    frame.header.len = 64;
    frame.header.vl = kVl;
    frame.bytes.assign(64, 7);
    return MakeWord(frame, k);
  }

  Wire wire_;
  LinkDelay<Link> there_{kDelay}, back_{kDelay};
  Cycle now_ = 0;
  int next_ = kWords;
};

/// The lane's turn for a stamp comes once in 1024 cycles.
constexpr Cycle kHealed = 1024 + 2 * kDelay + 16 + 16;

TEST(RetryHalves, WithoutAnErrorNoStampChangesACount) {
  TwoEnds ends([](Cycle, bool, Link*) {});
  ends.Run(6000, [](Cycle now) { return now < 4500; });
  EXPECT_GT(ends.accepted, 1000);
  EXPECT_EQ(ends.accepted, ends.started);
  EXPECT_TRUE(ends.sender.CreditsHome());
  EXPECT_EQ(ends.receiver.counts().old_stamps, 0);
  EXPECT_EQ(ends.receiver.counts().healed_cells, 0);
  EXPECT_EQ(ends.sender.counts().resent_words, 0);
}

/// A bad word: the packet is broken off, and comes again.
TEST(RetryHalves, ABadWordIsSentAgain) {
  TwoEnds ends([](Cycle now, bool back, Link* link) {
    if (!back && now == 100 + kDelay + 1) link->word.err = true;
  });
  ends.Run(100 + kHealed, [](Cycle now) { return now == 100; });
  EXPECT_EQ(ends.accepted, 1);
  EXPECT_EQ(ends.receiver.counts().broken_off, 1);
  EXPECT_EQ(ends.sender.counts().resent_words, kWords);
  EXPECT_TRUE(ends.sender.CreditsHome());
}

/// A first word that is lost takes its cells with it: a stamp brings them back.
TEST(RetryHalves, CellsOfALostAttemptComeBackByAStamp) {
  TwoEnds ends([](Cycle now, bool back, Link* link) {
    if (!back && now == 100 + kDelay) link->word = {};
  });
  ends.Run(100 + kHealed + 50, [](Cycle now) { return now == 100; });
  EXPECT_EQ(ends.accepted, 1);
  EXPECT_EQ(ends.receiver.counts().healed_cells, kCells);
  EXPECT_TRUE(ends.sender.CreditsHome());
}

/// The last return is lost: the next stamp asks for it, and without a stamp it would stay lost.
TEST(RetryHalves, AStampAsksForALostReturn) {
  TwoEnds ends([](Cycle now, bool back, Link* link) {
    if (back && now >= 100 && now < 200) link->ctrl.credit_valid = false;
  });
  ends.Run(201, [](Cycle now) { return now == 100; });
  EXPECT_EQ(ends.accepted, 1);
  EXPECT_FALSE(ends.sender.CreditsHome()) << "the return was not lost";
  ends.Run(100 + kHealed, [](Cycle) { return false; });
  EXPECT_TRUE(ends.sender.CreditsHome());
}

}  // namespace
}  // namespace tilefly::cosim
