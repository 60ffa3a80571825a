// SPDX-License-Identifier: Apache-2.0
// Links that retry ports give up, and plain ports, in the cycles of docs/blocks/link_retry.md, Link down.
#include <gtest/gtest.h>

#include <vector>

#include "golden/common/register_write.h"
#include "golden/egress/link_watch.h"

namespace tilefly::golden {
namespace {

/// One output of a switch, of which a test says what happens to it.
class LinkWatchTest : public ::testing::Test {
 protected:
  static constexpr int kOutput = 3;
  static constexpr PortMask kPort = Bit(kOutput);
  static constexpr int kUnits = 2;  ///< of the watchdog

  LinkWatchTest() {
    PortMode mode;
    mode.enable = mode.credits = mode.retry = true;
    mode.std_format = false;
    Write(CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    SetRetry(0, kUnits);
    for (int v = 0; v < kMaxLanes; ++v) Write(CfgSpace::kCredit, v, CreditLane{}.ToBits());  // no lane may send
    context.retry_ports = kPort;
    grants.SetRetry(kOutput, true);
    links.Begins(0, kOutput);
  }
  void Write(CfgSpace space, int index, std::uint64_t data) {
    context.registers.Apply(WriteRegister(kOutput, space, index, data));
  }
  void SetRetry(int down, int watchdog) {
    PortRetry retry;
    retry.down = static_cast<std::uint8_t>(down);
    retry.watchdog = static_cast<std::uint16_t>(watchdog);
    Write(CfgSpace::kPort, static_cast<int>(PortReg::kRetry), retry.ToBits());
  }
  /// A request that waits from the next cycle on.
  void Request() { grants.Request(now, kOutput, 0, 0, 4); }
  void LinkUp(bool up) {
    if (!up) links.Falls(now, kOutput);
    context.links_up = up ? context.links_up | kPort : context.links_up & ~kPort;
  }
  /// One cycle in which `events` happen.
  template <typename Events>
  void Cycle(Events&& events, bool heard = false) {
    links.Look(now, grants);
    events();
    links.Judge(now++, heard ? kPort : 0);
  }
  void Cycle() {
    Cycle([] {});
  }
  /// Whether the port shows `link_fail_o` in the current cycle.
  bool fails() const { return links.failing() == kPort; }
  bool plain() const { return context.plain_ports == kPort; }
  std::uint64_t Count(Counter counter) const { return context.counters.Read(kOutput, static_cast<int>(counter)); }
  /// The cycle in which `link_fail_o` rises, -1 when it does not in 1,000.
  tilefly::Cycle Rises() {
    while (!fails() && now < 1000) Cycle();
    return fails() ? now : -1;
  }

  Context context{kTile8};
  GrantUnit grants{context};
  LinkWatch links{context};
  tilefly::Cycle now = 0;
};

TEST_F(LinkWatchTest, TheWatchdogCountsTheCyclesInWhichARequestWaits) {
  for (int t = 0; t < 300; ++t) Cycle();
  EXPECT_FALSE(fails()) << "no request waits";
  Cycle([&] { Request(); });  // the decision of cycle 301 is the first that sees it: silent since 300
  EXPECT_EQ(Rises(), 300 + 64 * kUnits + 1);
  EXPECT_EQ(Count(Counter::kWatchdog), 1u);
  EXPECT_EQ(Count(Counter::kLinkGivenUp), 1u);
  for (int t = 0; t < 64 * kUnits; ++t) Cycle();
  EXPECT_EQ(Count(Counter::kWatchdog), 2u) << "it is due again";
  EXPECT_EQ(Count(Counter::kLinkGivenUp), 1u) << "the port shows it already";
  EXPECT_TRUE(fails());
}

TEST_F(LinkWatchTest, APortThatBecomesARetryPortBeginsTheTime) {
  constexpr int kOther = kOutput + 1;
  Request();
  now = 100'000;  // in cycles of a port with retry beside it
  Cycle([&] { LinkUp(false); });
  Cycle([&] { links.Begins(now, kOther); });
  context.retry_ports |= Bit(kOther);
  Cycle();
  EXPECT_EQ(context.counters.Read(kOther, static_cast<int>(Counter::kWatchdog)), 0u);
}

TEST_F(LinkWatchTest, AReturnOfAnyLaneBeginsTheTimeAnew) {
  Request();
  Cycle();  // which waits from here on: silent since cycle 0, in which the port became a retry port
  for (int t = 0; t < 5; ++t) {
    for (int i = 0; i < 64 * kUnits - 2; ++i) Cycle();
    Cycle([] {}, true);
  }
  EXPECT_FALSE(fails());
  const tilefly::Cycle last = now - 1;
  EXPECT_EQ(Rises(), last + 64 * kUnits + 1);
}

TEST_F(LinkWatchTest, ALinkThatIsDownBeginsTheTimeAnew) {
  Request();
  Cycle([&] { LinkUp(false); });
  for (int t = 0; t < 400; ++t) Cycle();
  EXPECT_FALSE(fails());
  Cycle([&] { LinkUp(true); });
  EXPECT_EQ(Rises(), 400 + 64 * kUnits + 1);
  Cycle([&] { LinkUp(false); });
  EXPECT_FALSE(fails()) << "in the cycle behind the first with link_up_i = 0";
}

TEST_F(LinkWatchTest, AWatchdogOf0IsOff) {
  SetRetry(0, 0);
  Request();
  EXPECT_EQ(Rises(), -1);
}

TEST_F(LinkWatchTest, TheReplayLimitIsSeenInItsCycle) {
  for (int t = 0; t < 10; ++t) Cycle();
  links.ReplaysFailed(kOutput);
  Cycle();
  EXPECT_TRUE(fails());
  Cycle();
  EXPECT_TRUE(fails()) << "until the link is down";
  EXPECT_EQ(Count(Counter::kLinkGivenUp), 1u);
  EXPECT_EQ(Count(Counter::kWatchdog), 0u);
  links.ReplaysFailed(kOutput);
  Cycle([&] { LinkUp(false); });
  EXPECT_FALSE(fails());
}

TEST_F(LinkWatchTest, BestEffortBeginsInTheSecondCycleOfALinkDownAndNoLater) {
  SetRetry(2, kUnits);
  Cycle();
  Cycle([&] { LinkUp(false); });
  EXPECT_FALSE(plain());
  Cycle();
  EXPECT_TRUE(plain());
  Cycle([&] { links.ModeWritten(kOutput); });
  EXPECT_FALSE(plain());
  for (int t = 0; t < 10; ++t) Cycle();
  EXPECT_FALSE(plain()) << "the link is down still";
  Cycle([&] { LinkUp(true); });
  Cycle([&] { LinkUp(false); });
  Cycle([&] { links.ModeWritten(kOutput); });
  EXPECT_FALSE(plain()) << "the write wins over the second cycle";
  Cycle([&] { LinkUp(true); });
  Cycle([&] { LinkUp(false); });
  Cycle([&] { LinkUp(true); });
  Cycle();
  EXPECT_FALSE(plain()) << "a link down of one cycle";
}

TEST_F(LinkWatchTest, APortThatIsNoRetryPortAsksForNothing) {
  links.ReplaysFailed(kOutput);
  Cycle();
  EXPECT_TRUE(fails());
  Cycle([&] { context.retry_ports = 0; });
  EXPECT_TRUE(fails()) << "it was a retry port in that cycle";
  EXPECT_TRUE(links.active());
  Cycle();
  EXPECT_FALSE(fails());
}

/// Cycles that Next leaves out change nothing.
TEST_F(LinkWatchTest, CyclesInWhichNothingHappensMayBeLeftOut) {
  Cycle();
  Request();
  EXPECT_EQ(links.Next(now - 1, grants), 64 * kUnits) << "silent since cycle 0";
  now = 64 * kUnits;
  Cycle();
  EXPECT_TRUE(fails());
  EXPECT_EQ(links.Next(now - 1, grants), 2 * 64 * kUnits);
}

}  // namespace
}  // namespace tilefly::golden
