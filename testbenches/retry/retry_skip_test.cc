// SPDX-License-Identifier: Apache-2.0
// Both halves of the golden retry block may leave out quiet cycles: they then do the same as with every cycle made.
#include <gtest/gtest.h>

#include <deque>
#include <tuple>
#include <utility>

#include "golden/retry/retry_in.h"
#include "golden/retry/retry_out.h"
#include "support/random.h"

namespace tilefly::golden {
namespace {

constexpr Cycle kDelay = 40;
constexpr int kTimer = 300;

/// A sender and a receiver over a wire that damages words and loses reports. The halves of `skips` leave out what they may.
class Pair {
 public:
  explicit Pair(std::uint64_t seed) : random_(seed, 0, 0, Purpose::kOrder) {}

  void Run(Cycle cycles) {
    for (Cycle now = 0; now < cycles; ++now) {
      RetryOut::Inputs in;
      in.enable = in.link_up = true;
      in.replay_timer_max = kTimer;
      in.replay_ct_max = 255;
      if (now >= next_take_ && whole_.ready(true)) {
        in.take = true;
        in.take_words = static_cast<int>(2 + random_.Below(30));
        for (int k = 0; k < in.take_words; ++k) coming_.push_back({now + 6 + k, {k, in.take_words}});
        next_take_ = now + in.take_words + (random_.Below(4) == 0 ? random_.Below(900) : 0);
      }
      if (!coming_.empty() && coming_.front().first == now) {
        in.word.valid = true;
        in.word.sop = coming_.front().second.first == 0;
        in.word.eop = coming_.front().second.first == coming_.front().second.second - 1;
        coming_.pop_front();
      }
      if (!back_.empty() && back_.front().first == now) {
        in.report = back_.front().second;
        back_.pop_front();
      }
      const RetryOut::Outputs out = whole_.Step(in);
      const bool nothing = !in.take && !in.word.valid && !in.report.valid;
      if (nothing && skips_.Quiet(kTimer) > left_out_) {
        ++left_out_;
        EXPECT_FALSE(out.word.valid || out.start || out.replay || out.timeout || out.repeated) << now;
      } else {
        skips_.Skip(std::exchange(left_out_, 0));
        const RetryOut::Outputs other = skips_.Step(in);
        EXPECT_TRUE(other.word == out.word && other.tag == out.tag) << now;
        EXPECT_EQ(std::tie(other.ready, other.start, other.again, other.replay, other.timeout, other.repeated),
                  std::tie(out.ready, out.start, out.again, out.replay, out.timeout, out.repeated))
            << now;
      }
      skipped += left_out_ > 0;
      replays += out.replay;
      Receive(now);
      wire_.push_back({now + kDelay, {out.word, out.tag}});
    }
  }
  std::int64_t skipped = 0, skipped_at_receiver = 0, replays = 0;

 private:
  void Receive(Cycle now) {
    RetryIn::Inputs in;
    in.enable = in.link_up = true;
    if (!wire_.empty() && wire_.front().first == now) {
      std::tie(in.word, in.tag) = wire_.front().second;
      wire_.pop_front();
    }
    if (in.word.valid && random_.Below(200) == 0) in.word.err = true;
    const RetryIn::Outputs out = all_.Step(in);
    if (!in.word.valid && quiet_.quiet()) {
      ++skipped_at_receiver;
      quiet_.Skip(1);
      EXPECT_FALSE(out.report.valid || out.missing) << now;
    } else {
      const RetryIn::Outputs other = quiet_.Step(in);
      EXPECT_TRUE(other.report == out.report && other.accepted == out.accepted && other.word == out.word) << now;
    }
    if (out.report.valid && random_.Below(20) != 0) back_.push_back({now + 1 + kDelay, out.report});
  }

  Stream random_;
  RetryOut whole_{RetryOut::Parameters()}, skips_{RetryOut::Parameters()};
  RetryIn all_{RetryIn::Parameters()}, quiet_{RetryIn::Parameters()};
  Cycle next_take_ = 5, left_out_ = 0;
  std::deque<std::pair<Cycle, std::pair<int, int>>> coming_;
  std::deque<std::pair<Cycle, std::pair<Word, RetryTag>>> wire_;
  std::deque<std::pair<Cycle, RetryReport>> back_;
};

TEST(RetrySkips, QuietCyclesMayBeLeftOut) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Pair pair(seed);
    pair.Run(60'000);
    EXPECT_GT(pair.skipped, 10'000);
    EXPECT_GT(pair.skipped_at_receiver, 10'000);
    EXPECT_GT(pair.replays, 20);
  }
}

}  // namespace
}  // namespace tilefly::golden
