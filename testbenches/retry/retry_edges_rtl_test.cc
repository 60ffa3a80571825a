// SPDX-License-Identifier: Apache-2.0
// Both ends of a link at the edges of their long-lived state, RTL against golden (docs/blocks/retry.md): numbers of 11
// bits, a timer of 16, 254 replays, 1023 packets held, a buffer that is full.
#include <gtest/gtest.h>

#include "Vrtl_retry.h"
#include "testbenches/retry/retry_link.h"
#include "testbenches/retry/retry_rig.h"

namespace tilefly::bench {
namespace {

RetrySetup SetupOf(int shortest, int longest, int delay) {
  RetrySetup setup;
  setup.mac.shortest = shortest;
  setup.mac.longest = longest;
  setup.delay = delay;
  return setup;
}

/// A link whose golden ends have RTL beside them.
class EdgeLink {
 public:
  EdgeLink(Comparison* run, const RetrySetup& setup) : link(setup, run->stimulus()), run_(run), rtl_(run) {}
  void Step() {
    link.Step();
    rtl_.Step(link.to_sender, link.from_sender, link.to_receiver, link.from_receiver);
    if (!link.audit.broken().empty()) run_->Fail(link.audit.Message());
  }
  /// At most as many cycles as the run has: all slots are lost.
  void LoseSlots() { link.slots.Set({1, 0, 0, 0, 1}); }

  RetryLink link;

 private:
  Comparison* run_;
  RetryRig<Vrtl_retry> rtl_;
};

TEST(RetryEdges, NumbersOf11BitsWrapWhilePacketsAreReplayed) {
  Comparison run({1, 25, 20'000, 500});
  const Bin wraps = run.AddBin("the number wraps", 3);
  const Bin around = run.AddBin("packets on both sides of the wrap are replayed", 3);
  EdgeLink ends(&run, SetupOf(1, 2, 5));
  while (run.Next()) {
    ends.link.mac.Hold(run.draining());
    const int top = ends.link.sender.top();
    ends.Step();
    if (top == 2045 && ends.link.sender.top() == 2046 && !ends.link.from_sender.repeated) ends.link.words.BadAfter(0);
    if (top == 2047 && ends.link.sender.top() == 0) run.Hit(wraps);
    if (ends.link.from_sender.replay && ends.link.sender.heard() > ends.link.sender.top()) run.Hit(around);
    run.DrainUntil(ends.link.drained());
  }
}

TEST(RetryEdges, ATimerOf16BitsRunsOut) {
  Comparison run({1, 0, 140'000, 0});
  const Bin timeouts = run.AddBin("the timer runs out", 2);
  EdgeLink ends(&run, SetupOf(3, 3, 2));
  ends.link.to_sender.replay_timer_max = 65535;
  ends.LoseSlots();
  Cycle last = 0;
  while (run.Next()) {
    ends.link.mac.Hold(ends.link.mac.taken() == 1);
    ends.Step();
    if (!ends.link.from_sender.timeout) continue;
    run.Hit(timeouts);
    // The timer is 0 in the cycle behind the replay event, which follows the time-out.
    if (last > 0)
      run.Compare("cycles from time-out to time-out", static_cast<std::uint64_t>(run.cycle() - last), 65537);
    last = run.cycle();
  }
}

/// 254 stays 254: with a limit of 255 the link never fails, and fails at once when the limit becomes 254.
TEST(RetryEdges, ReplaysStopAt254) {
  Comparison run({1, 0, 6000, 0});
  const Bin replays = run.AddBin("a replay", 255);
  const Bin failed = run.AddBin("failed", 1);
  EdgeLink ends(&run, SetupOf(1, 1, 2));
  ends.link.to_sender.replay_timer_max = 1;
  ends.link.to_sender.replay_ct_max = 255;
  ends.link.to_sender.retry_threshold = 253;
  ends.LoseSlots();
  int count = 0;
  while (run.Next()) {
    ends.link.mac.Hold(ends.link.mac.taken() == 1);
    if (run.cycle() == 5000) ends.link.to_sender.replay_ct_max = 254;
    ends.Step();
    run.Compare("above the threshold", ends.link.from_sender.over_threshold, count >= 254);
    count += ends.link.from_sender.replay;
    if (ends.link.from_sender.replay) run.Hit(replays);
    if (ends.link.from_sender.link_failed) run.Hit(failed);
    if (run.cycle() < 5000) run.Compare("not failed", ends.link.from_sender.link_failed, 0);
  }
}

TEST(RetryEdges, ALimitOf254FailsBehind254Replays) {
  Comparison run({1, 0, 3000, 0});
  const Bin failed = run.AddBin("failed", 1);
  EdgeLink ends(&run, SetupOf(1, 1, 2));
  ends.link.to_sender.replay_timer_max = 1;
  ends.link.to_sender.replay_ct_max = 254;
  ends.LoseSlots();
  int count = 0;
  while (run.Next()) {
    ends.link.mac.Hold(ends.link.mac.taken() == 1);
    ends.Step();
    count += ends.link.from_sender.replay;
    if (!ends.link.from_sender.link_failed) continue;
    run.Hit(failed);
    run.Compare("replays", static_cast<std::uint64_t>(count), 254);
  }
}

TEST(RetryEdges, TheSenderHoldsAtMost1023Packets) {
  Comparison run({1, 25, 6000, 3000});
  const Bin full = run.AddBin("1023 packets are held", 20);
  EdgeLink ends(&run, SetupOf(1, 1, 600));
  while (run.Next()) {
    ends.link.mac.Hold(run.draining());
    ends.Step();
    const auto held = ends.link.mac.taken() - ends.link.sender.heard();  // before the number wraps
    if (ends.link.mac.taken() < 2000 && held == 1023 && !ends.link.sender.ready(true)) run.Hit(full);
    run.DrainUntil(ends.link.drained());
  }
}

TEST(RetryEdges, TheSenderHoldsAtMostTheBufferLessOneWord) {
  Comparison run({1, 25, 8000, 3000});
  const Bin full = run.AddBin("the buffer has no room for an MTU", 100);
  EdgeLink ends(&run, SetupOf(100, 133, 600));
  ends.link.words.BadAfter(300);
  while (run.Next()) {
    ends.link.mac.Hold(run.draining());
    ends.Step();
    if (!ends.link.from_sender.ready) run.Hit(full);
    run.DrainUntil(ends.link.drained());
  }
}

/// The MAC owes the words of two MTUs, and gives the first of them when the link is up again.
TEST(RetryEdges, AllWordsOfTwoPacketsAreStaleWhenTheLinkGoesDown) {
  Comparison run({1, 10, 2000, 600});
  const Bin stale = run.AddBin("a word comes of a link that went down", 266);
  RetrySetup setup = SetupOf(133, 133, 2);
  setup.mac.latency = 300;
  EdgeLink ends(&run, setup);
  Cycle up_at = 0;
  while (run.Next()) {
    ends.link.mac.Hold(run.draining());
    if (up_at == 0 && ends.link.sender.owed() == 266) {
      ends.link.to_sender.link_up = ends.link.to_receiver.link_up = false;
      up_at = run.cycle() + 2 * setup.delay + setup.out.max_words + 16;
    }
    if (run.cycle() == up_at) ends.link.to_sender.link_up = ends.link.to_receiver.link_up = true;
    ends.Step();
    if (ends.link.moves.stale) run.Hit(stale);
    run.DrainUntil(ends.link.drained());
  }
}

}  // namespace
}  // namespace tilefly::bench
