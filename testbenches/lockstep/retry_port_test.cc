// SPDX-License-Identifier: Apache-2.0
// Retry in the port, golden at both ends of a link between two switches (docs/blocks/link_retry.md).
#include <gtest/gtest.h>

#include <cstdio>

#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/port_link.h"

namespace tilefly::bench {
namespace {

/// `pace`: of the observation record, in every cycle: bad slots say nothing of SerDes lanes.
void RunPorts(PortLink* link, Cycle cycles, int pace) {
  while (link->cycle < cycles || (!link->delivered() && link->cycle < cycles + 20'000)) {
    if (link->cycle == 600) link->Raise();
    if (link->cycle == cycles) link->Drain();
    ASSERT_NO_THROW(link->Step()) << "cycle " << link->cycle;
    ASSERT_EQ(link->wrong, "");
    const int shown = link->cycle > 20 ? link->device(0).Observe().ports[0].pace : pace;
    ASSERT_EQ(shown, pace) << "cycle " << link->cycle;
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
      ASSERT_NO_FATAL_FAILURE(RunPorts(&link, 12'000, 3));
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
    ASSERT_NO_FATAL_FAILURE(RunPorts(&link, 8000, retry ? 3 : 0));
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

/// The link goes down with packets on it and in both buffers. Some are lost; nothing comes twice, and all credits are home.
TEST(RetryPort, CreditsAreHomeAfterLinkDowns) {
  PortSetup setup{kTile8, true, true, 15, {0.004, 0.004, 0.001, 0.001, 1}, {0.005, 0.005, 0.01, 0.005, 1}, 1500};
  PortLink link(setup, Stimulus(SeedOf(RootSeed(), "link downs")));
  std::int64_t may_be_lost = 0;
  while (link.cycle < 30'000) {
    const Cycle phase = link.cycle % 4000;
    if (link.cycle == 600) link.Raise();
    if (phase == 600 && link.cycle > 4000 && link.cycle < 24'000) link.decides.TakeDown(link.cycle);
    if (link.cycle == 25'000) link.Drain();
    ASSERT_NO_THROW(link.Step()) << "cycle " << link.cycle;
    ASSERT_EQ(link.wrong, "");
  }
  EXPECT_GE(link.decides.downs(), 5);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(link.Counter(i, Counter::kLinkDowns), static_cast<std::uint64_t>(link.decides.downs()));
    may_be_lost += static_cast<std::int64_t>(link.Counter(i, Counter::kReplayLost) + link.Counter(i, Counter::kTxLost) +
                                             link.WithoutRoute(i));
  }
  EXPECT_LE(link.sent - link.received, may_be_lost);
  EXPECT_GT(link.received, 500);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(link.credits(i).AllHome()) << "switch " << i;
    EXPECT_EQ(link.Counter(i, Counter::kBadCredit), 0u);
    EXPECT_NO_THROW(link.device(i).CheckDrained());
  }
}

/// The NIC's port of a switch, and one packet on flow 5 that ends badly. Cells that the account has in each cycle.
class CountedAttempt {
 public:
  CountedAttempt(bool retry, int length, tilefly::Drop status) : length_(length) {
    PortMode mode;
    mode.enable = mode.credits = mode.cut_through = mode.acks = true;
    mode.std_format = false;
    mode.retry = retry;
    switch_.Write(0, golden::WriteRegister(1, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
    PortMode out = mode;
    out.acks = out.retry = false;
    switch_.Write(1, golden::WriteRegister(2, CfgSpace::kPort, static_cast<int>(PortReg::kMode), out.ToBits()));
    for (Cycle t = 0; t < 20; ++t) switch_.Step(t);
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(length);
    header.src = 1;
    header.dst = 2;
    header.flow = 5;
    switch_.Arrive(1, kA0, {true, golden::HeaderBits(header), 7});
    for (Cycle t = 20; t < 400; ++t) {
      if (t == last()) {
        golden::End end;
        end.status = status;
        switch_.Finish(1, last(), end);
      }
      switch_.Step(t);
      cells_.push_back(switch_.flows().cells(1, 5));
    }
  }
  Cycle last() const { return kA0 + golden::CeilDiv(length_ + 16, 32) - 1; }
  /// The first cycle whose events leave other cells than those of the packet, behind its counting.
  Cycle Forgotten() const {
    for (Cycle t = kA0 + 18; t < 400; ++t) {
      if (cells_[static_cast<std::size_t>(t - 20)] == 0) return t;
    }
    return -1;
  }
  std::uint32_t cells(Cycle t) const { return cells_[static_cast<std::size_t>(t - 20)]; }

  static constexpr Cycle kA0 = 20;

 private:
  int length_;
  golden::Switch switch_{kTile8};
  std::vector<std::uint32_t> cells_;
};

TEST(RetryPort, CellsOfABrokenAttemptLeaveTheFlowAccount) {
  for (const int length : {64, 400, 496, 512, 1000, 4000}) {
    SCOPED_TRACE("bytes " + std::to_string(length));
    const CountedAttempt broken(true, length, tilefly::Drop::kBroken);
    EXPECT_EQ(broken.cells(CountedAttempt::kA0 + 18), static_cast<std::uint32_t>(golden::CellsOf(length)));
    EXPECT_EQ(broken.Forgotten(), std::max(CountedAttempt::kA0 + 19, broken.last() + 5));
    EXPECT_EQ(CountedAttempt(false, length, tilefly::Drop::kBroken).Forgotten(), -1) << "without retry";
    EXPECT_EQ(CountedAttempt(true, length, tilefly::Drop::kFcs).Forgotten(), -1) << "accepted, and damaged before the link";
  }
}

}  // namespace
}  // namespace tilefly::bench
