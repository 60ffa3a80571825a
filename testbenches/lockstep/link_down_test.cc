// SPDX-License-Identifier: Apache-2.0
// Links that go down and up, and links that ports give up (docs/blocks/link_retry.md, Link down): golden at both ends.
#include <gtest/gtest.h>

#include <algorithm>

#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/port_link.h"

namespace tilefly::bench {
namespace {

constexpr int kDiscard = 0, kBlock = 1, kBestEffort = 2, kLikeDiscard = 3;
const RetryFaults kLosesAll{1, 0, 0, 0, 1};

PortSetup Clean(int down) {
  PortSetup setup{kTile8, true, true, 15, {}, {}, 1500};
  setup.down = down;
  return setup;
}

Stimulus Seed(const char* name) { return Stimulus(SeedOf(RootSeed(), name)); }

void Run(PortLink* link, Cycle until) {
  while (link->cycle < until) {
    if (link->cycle == 600) link->Raise();
    ASSERT_NO_THROW(link->Step()) << "cycle " << link->cycle;
    ASSERT_EQ(link->wrong, "");
  }
}

/// Hosts stop; all that is inside comes out, within the time that a full input buffer takes at one SerDes lane.
void Finish(PortLink* link) {
  link->Drain();
  const Cycle latest = link->cycle + 30'000;
  int quiet = 0;
  while (quiet < 5 && link->cycle < latest) {
    ASSERT_NO_FATAL_FAILURE(Run(link, link->cycle + 500));
    quiet = link->credits(0).AllHome() && link->credits(1).AllHome() ? quiet + 1 : 0;
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(link->credits(i).AllHome()) << "switch " << i;
    EXPECT_EQ(link->Counter(i, Counter::kBadCredit), 0u) << "switch " << i;
    EXPECT_NO_THROW(link->device(i).CheckDrained()) << "switch " << i;
  }
}

std::int64_t Sum(const PortLink& link, Counter counter) {
  return static_cast<std::int64_t>(link.Counter(0, counter) + link.Counter(1, counter));
}

const Portobs& Port(PortLink* link, int i) { return link->device(i).Observe().ports[0]; }

/// What the observation records of port 0 of both switches say of takes.
struct Takes {
  std::int64_t lost = 0, in_first_cycle = 0;
};

/// As Run; the record of a cycle shows the events of the cycle before.
void RunAndWatch(PortLink* link, Cycle until, Takes* takes) {
  while (link->cycle < until) {
    const Cycle now = link->cycle;
    ASSERT_NO_FATAL_FAILURE(Run(link, now + 1));
    for (std::size_t i = 0; i < 2; ++i) {
      const Portobs& port = Port(link, static_cast<int>(i));
      if (!port.take_lost) continue;
      ASSERT_TRUE(port.take_valid);
      ++takes->lost;
      takes->in_first_cycle += link->decides.up(i, now) && !link->decides.up(i, now - 1);
      ASSERT_TRUE(!link->decides.up(i, now - 1)) << "a packet is discarded although the link is up, cycle " << now;
    }
  }
}

/// A link that goes down now and then, with packets in the output buffer, in the replay buffer and on the wire.
class LinkDownOfMode : public ::testing::TestWithParam<int> {};

TEST_P(LinkDownOfMode, LosesWhatTheTableSays) {
  const int down = GetParam();
  PortLink link(Clean(down), Seed("link down modes"));
  Takes takes;
  std::int64_t replay_lost = 0;
  for (int n = 0; n < 12; ++n) {
    ASSERT_NO_FATAL_FAILURE(RunAndWatch(&link, 2000 * n + 1900 + 7 * n, &takes));
    link.decides.TakeDown(link.cycle);
    std::array<int, 2> held{};
    for (int i = 0; i < 2; ++i) held[static_cast<std::size_t>(i)] = Port(&link, i).held;
    ASSERT_NO_FATAL_FAILURE(RunAndWatch(&link, link.cycle + 1, &takes));
    for (int i = 0; i < 2; ++i) replay_lost += held[static_cast<std::size_t>(i)] + Port(&link, i).take_valid;
    if (down == kBestEffort && n % 2 == 0) link.WriteMode();  // too early: the link has been down for one cycle
  }
  ASSERT_NO_FATAL_FAILURE(RunAndWatch(&link, link.cycle + 2000, &takes));
  ASSERT_NO_FATAL_FAILURE(Finish(&link));
  EXPECT_EQ(Sum(link, Counter::kLinkDowns), 24);
  EXPECT_EQ(Sum(link, Counter::kTxLost), takes.lost);
  EXPECT_EQ(Sum(link, Counter::kLinkGivenUp), 0);
  const std::int64_t missing = link.sent - link.received;
  if (down != kBestEffort) {
    EXPECT_EQ(Sum(link, Counter::kReplayLost), replay_lost);
    EXPECT_GE(missing, takes.lost);
    EXPECT_LE(missing, takes.lost + replay_lost);
    EXPECT_GT(replay_lost, 12);
  }
  EXPECT_EQ(takes.lost > 20, down != kBlock) << takes.lost;
  EXPECT_EQ(Sum(link, Counter::kTxPackets) > 500, true);
  EXPECT_EQ(link.stomped > 0, true) << "no packet was cut off on the wire";
}

std::string NameOf(const ::testing::TestParamInfo<int>& of) {
  constexpr const char* kNames[] = {"Discard", "Block", "BestEffort", "AnotherValue"};
  return kNames[of.param];
}
INSTANTIATE_TEST_SUITE_P(All, LinkDownOfMode, ::testing::Values(kDiscard, kBlock, kBestEffort, kLikeDiscard), NameOf);

/// A slow link discards its output buffer for longer than it is down, and comes up in each cycle of a packet. A take that is
/// decided in the first cycle of a link that is up again still discards, and its credits come home.
TEST(LinkDown, ATakeInTheFirstCycleOfALinkThatIsUpAgainDiscards) {
  Takes takes;
  for (int shift = 0; shift < 40; ++shift) {
    SCOPED_TRACE(shift);
    PortSetup setup = Clean(kDiscard);
    setup.lanes = 1;
    setup.longest = 300;
    PortLink link(setup, Seed("first cycle"));
    ASSERT_NO_FATAL_FAILURE(RunAndWatch(&link, 3000, &takes));
    link.decides.TakeDown(link.cycle, link.decides.least_down() + shift);
    ASSERT_NO_FATAL_FAILURE(RunAndWatch(&link, link.cycle + 700, &takes));
    ASSERT_NO_FATAL_FAILURE(Finish(&link));
  }
  EXPECT_GT(takes.in_first_cycle, 0) << takes.lost;
}

}  // namespace
}  // namespace tilefly::bench
