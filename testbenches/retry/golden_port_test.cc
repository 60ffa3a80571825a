// SPDX-License-Identifier: Apache-2.0
// Retry in the port, golden at both ends of a link between two switches (docs/blocks/link_retry.md).
#include <gtest/gtest.h>

#include <cstdio>

#include "testbenches/bench/settings.h"
#include "testbenches/retry/port_link.h"

namespace tilefly::bench {
namespace {

void RunPorts(PortLink* link, Cycle cycles) {
  while (link->cycle < cycles || (!link->delivered() && link->cycle < cycles + 20'000)) {
    if (link->cycle == 600) link->LinkUp(true);
    if (link->cycle == cycles) link->Drain();
    ASSERT_NO_THROW(link->Step()) << "cycle " << link->cycle;
    ASSERT_EQ(link->wrong, "");
  }
  ASSERT_TRUE(link->delivered()) << link->sent - link->received << " packets of " << link->sent << " are lost";
  for (int t = 0; t < 3000; ++t) link->Step();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(link->credits(i).AllHome()) << "switch " << i;
    EXPECT_EQ(link->Counter(i, Counter::kBadCredit), 0u);
    EXPECT_NO_THROW(link->device(i).CheckDrained());
  }
}

/// Words and slots are dropped, bad and repeated: every packet comes, once, and all credits come home.
TEST(RetryPort, EveryPacketIsDeliveredOnceOverAWireThatFails) {
  std::int64_t stomped = 0;
  for (const bool cut_through : {true, false}) {
    for (int i = 0; i < 4; ++i) {
      SCOPED_TRACE((cut_through ? "cut through, run " : "stored, run ") + std::to_string(i));
      PortSetup setup{kTile8, true, cut_through, 3 + 30 * i, {0.004, 0.004, 0.001, 0.001, 1}, {0.005, 0.005, 0.01, 0.005, 1}, 1500};
      PortLink link(setup, Stimulus(SeedOf(RootSeed(), "ports") + static_cast<std::uint32_t>(i)));
      ASSERT_NO_FATAL_FAILURE(RunPorts(&link, 12'000));
      EXPECT_GT(link.sent, 100);
      EXPECT_GT(link.Counter(0, Counter::kTxOkRpt), 50u);
      EXPECT_GT(link.Counter(1, Counter::kCreditsHealed), 0u);
      EXPECT_EQ(cut_through || link.stomped == 0, true) << "a stored attempt that was broken off left";
      stomped += link.stomped;
    }
  }
  EXPECT_GT(stomped, 0);
}

/// Without an error every word and every credit return is on the link in the cycle in which it is there without retry.
TEST(RetryPort, NothingMovesWithoutAnError) {
  std::vector<std::array<Link, 2>> with, without;
  for (const bool retry : {true, false}) {
    PortLink link({kTile8, retry, true, 20, {}, {}, 1500}, Stimulus(SeedOf(RootSeed(), "clean ports")));
    link.log = retry ? &with : &without;
    ASSERT_NO_FATAL_FAILURE(RunPorts(&link, 8000));
    EXPECT_GT(link.sent, 100);
  }
  ASSERT_EQ(with.size(), without.size());
  std::int64_t words = 0, credits = 0;
  for (std::size_t t = 0; t < with.size(); ++t) {
    for (std::size_t i = 0; i < 2; ++i) {
      const Link &a = with[t][i], &b = without[t][i];
      ASSERT_TRUE(a.word == b.word) << "a word moved in cycle " << t;
      ASSERT_FALSE(b.tag.seq != 0 || b.ctrl.retry_valid || b.ctrl.wired_valid) << "without retry in cycle " << t;
      words += b.word.valid;
      if (t < 680 || !b.ctrl.credit_valid) continue;  // at link up all lanes say what they hold
      ++credits;
      ASSERT_TRUE(a.ctrl.credit_valid && a.ctrl.credit_vl == b.ctrl.credit_vl && a.ctrl.credit_cells == b.ctrl.credit_cells)
          << "a return moved in cycle " << t;
    }
  }
  EXPECT_GT(words, 2000);
  EXPECT_GT(credits, 100);
}

}  // namespace
}  // namespace tilefly::bench
