// SPDX-License-Identifier: Apache-2.0
// Links that go down and up, and links that ports give up (docs/blocks/link_retry.md, Link down): golden at both ends,
// and RTL beside one of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "testbenches/lockstep/link_runs.h"

namespace tilefly::bench {
namespace {

constexpr int kDiscard = 0, kBlock = 1, kBestEffort = 2, kLikeDiscard = 3;

/// Cycles of a link down behind which MODE may be written: no word of a packet is to come.
constexpr Cycle kMacIsEmpty = 540;

PortSetup CleanLink(int down) {
  PortSetup setup{kTile8, true, true, 15, {}, {}, 1500};
  setup.down = down;
  return setup;
}

/// Hosts stop; all that is inside comes out, within the time that a full input buffer takes at one SerDes lane.
void FinishDown(PortLink* link) {
  link->Drain();
  const Cycle latest = link->cycle + 30'000;
  int quiet = 0;
  while (quiet < 5 && link->cycle < latest) {
    ASSERT_NO_FATAL_FAILURE(RunTo(link, link->cycle + 500));
    quiet = link->credits(0).AllHome() && link->credits(1).AllHome() ? quiet + 1 : 0;
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(link->credits(i).AllHome()) << "switch " << i;
    EXPECT_EQ(link->Counter(i, Counter::kBadCredit), 0u) << "switch " << i;
    EXPECT_NO_THROW(link->device(i).CheckDrained()) << "switch " << i;
  }
  if (link->device(0).b() == nullptr) return;
  EXPECT_NO_THROW(link->CompareCounters());
}

std::int64_t BothCount(const PortLink& link, Counter counter) {
  return static_cast<std::int64_t>(link.Counter(0, counter) + link.Counter(1, counter));
}

/// Packets of the hosts for which no port was left: no other port leads to the other switch.
std::int64_t NoRoutes(PortLink* link) {
  std::int64_t sum = 0;
  for (int i = 0; i < 2; ++i) sum += static_cast<std::int64_t>(link->device(i).a().Counter(1, static_cast<int>(Drop::kNoRoute)));
  return sum;
}

const Portobs& RecordOf(PortLink* link, int i) { return link->device(i).Observe().ports[0]; }

/// What the observation records of port 0 of both switches say of takes.
struct Takes {
  std::int64_t lost = 0, in_first_cycle = 0;
};

/// As RunTo; the record of a cycle shows the events of the cycle before.
void RunAndWatch(PortLink* link, Cycle until, Takes* takes) {
  while (link->cycle < until) {
    const Cycle now = link->cycle;
    ASSERT_NO_FATAL_FAILURE(RunTo(link, now + 1));
    for (std::size_t i = 0; i < 2; ++i) {
      const Portobs& port = RecordOf(link, static_cast<int>(i));
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
  PortLink link(CleanLink(down), StimulusOf("link down modes"), Rtl());
  Takes takes;
  std::int64_t replay_lost = 0;
  for (int n = 0; n < 12; ++n) {
    ASSERT_NO_FATAL_FAILURE(RunAndWatch(&link, 2000 * n + 1900 + 7 * n, &takes));
    link.decides.TakeDown(link.cycle);
    std::array<int, 2> held{};
    for (int i = 0; i < 2; ++i) held[static_cast<std::size_t>(i)] = RecordOf(&link, i).held;
    ASSERT_NO_FATAL_FAILURE(RunAndWatch(&link, link.cycle + 1, &takes));
    for (int i = 0; i < 2; ++i) replay_lost += held[static_cast<std::size_t>(i)] + RecordOf(&link, i).take_valid;
    ASSERT_NO_FATAL_FAILURE(RunAndWatch(&link, link.cycle + kMacIsEmpty, &takes));
    if (down == kBestEffort && n % 2 == 0) link.WriteMode();
  }
  ASSERT_NO_FATAL_FAILURE(RunAndWatch(&link, link.cycle + 2000, &takes));
  ASSERT_NO_FATAL_FAILURE(FinishDown(&link));
  EXPECT_EQ(BothCount(link, Counter::kLinkDowns), 24);
  EXPECT_EQ(BothCount(link, Counter::kTxLost), takes.lost);
  EXPECT_EQ(BothCount(link, Counter::kLinkGivenUp), 0);
  const std::int64_t missing = link.sent - link.received;
  if (down != kBestEffort) {
    EXPECT_EQ(BothCount(link, Counter::kReplayLost), replay_lost);
    EXPECT_GE(missing, takes.lost);
    EXPECT_LE(missing, takes.lost + replay_lost + NoRoutes(&link));
    EXPECT_GT(replay_lost, 12);
  }
  EXPECT_EQ(takes.lost > 10, down != kBlock) << takes.lost;
  EXPECT_EQ(BothCount(link, Counter::kRerouted) > 0, false) << "of the port of the link";
  EXPECT_EQ(NoRoutes(&link) > 100, down != kBlock) << NoRoutes(&link);
  EXPECT_EQ(BothCount(link, Counter::kTxPackets) > 500, true);
  EXPECT_EQ(link.stomped > 0, true) << "no packet was cut off on the wire";
}

std::string ModeNameOf(const ::testing::TestParamInfo<int>& of) {
  constexpr const char* kNames[] = {"Discard", "Block", "BestEffort", "AnotherValue"};
  return kNames[of.param];
}
INSTANTIATE_TEST_SUITE_P(All, LinkDownOfMode, ::testing::Values(kDiscard, kBlock, kBestEffort, kLikeDiscard), ModeNameOf);

/// A slow link discards its output buffer for longer than it is down, and comes up in each cycle of a packet. A take that is
/// decided in the first cycle of a link that is up again still discards, and its credits come home.
TEST(LinkDown, ATakeInTheFirstCycleOfALinkThatIsUpAgainDiscards) {
  Takes takes;
  for (int shift = 0; shift < 60 && takes.in_first_cycle < 2; ++shift) {
    SCOPED_TRACE(shift);
    PortSetup setup = CleanLink(kDiscard);
    setup.lanes = 1;
    setup.longest = 300;
    PortLink link(setup, StimulusOf("first cycle"), RtlInFullTier());
    ASSERT_NO_FATAL_FAILURE(RunAndWatch(&link, 3000, &takes));
    link.decides.TakeDown(link.cycle, link.decides.least_down() + shift);
    ASSERT_NO_FATAL_FAILURE(RunAndWatch(&link, link.cycle + 700, &takes));
    ASSERT_NO_FATAL_FAILURE(FinishDown(&link));
  }
  EXPECT_EQ(takes.in_first_cycle, 2);
}

/// Until the link is given up: the cycle in which end 0 shows `link_fail_o` first.
void RunUntilGivenUp(PortLink* link, Cycle latest, Cycle* risen) {
  while (link->decides.given_up(0) == 0 && link->cycle < latest) {
    ASSERT_NO_FATAL_FAILURE(RunTo(link, link->cycle + 1));
    *risen = link->cycle - 1;
  }
  ASSERT_LT(link->cycle, latest) << "the link is not given up";
}

/// The link comes up behind `retrain` cycles, and packets go on.
void ExpectGoesOn(PortLink* link) {
  const std::int64_t before = link->received;
  ASSERT_NO_FATAL_FAILURE(RunTo(link, link->cycle + 6000));
  EXPECT_GT(link->received, before + 50);
  ASSERT_NO_FATAL_FAILURE(FinishDown(link));
}

TEST(LinkDown, TheReplayLimitGivesTheLinkUp) {
  PortSetup setup = CleanLink(kDiscard);
  setup.limit = 3;
  PortLink link(setup, StimulusOf("limit"), Rtl());
  link.decides.Retrain(1500);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 3000));
  link.SetFaults(0, kLosesAll, {});
  Cycle risen = 0;
  ASSERT_NO_FATAL_FAILURE(RunUntilGivenUp(&link, 12'000, &risen));
  link.SetFaults(0, {}, {});
  ASSERT_NO_FATAL_FAILURE(ExpectGoesOn(&link));
  EXPECT_EQ(link.Counter(0, Counter::kLinkGivenUp), 1u);
  EXPECT_EQ(link.Counter(1, Counter::kLinkGivenUp), 0u);
  EXPECT_EQ(BothCount(link, Counter::kWatchdog), 0);
  EXPECT_EQ(BothCount(link, Counter::kLinkDowns), 2);
  EXPECT_GE(link.Counter(0, Counter::kTxReplayTimeout), 3u);
}

/// The watchdog is off, replays have no limit, and the wire loses all words and slots of a direction: each replay charges its
/// cells once more, and no stamp gives them back.
TEST(LinkDown, CellsThatAreOutGiveTheLinkUp) {
  PortSetup setup = CleanLink(kBlock);
  setup.watchdog = 0;
  setup.classes = 1;
  PortLink link(setup, StimulusOf("used"), RtlInFullTier());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 3000));
  link.SetFaults(0, kLosesAll, kLosesAll);
  int used = 0;
  while (link.decides.given_up(0) == 0 && link.cycle < 300'000) {
    const int before = link.credits(0).used(0);
    ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + 1));
    if (link.decides.given_up(0) == 0) used = before;
  }
  // The cycle before showed the flop; the event of the cycle before that read used_v.
  EXPECT_GE(used, 49'152);
  EXPECT_LT(used, 49'152 + 2 * 89);
  EXPECT_EQ(link.Counter(0, Counter::kLinkGivenUp), 1u);
  EXPECT_EQ(BothCount(link, Counter::kWatchdog), 0);
  link.SetFaults(0, {}, {});
  ASSERT_NO_FATAL_FAILURE(ExpectGoesOn(&link));
  EXPECT_EQ(BothCount(link, Counter::kLinkDowns), 2);
}

/// A receiver that returns no credits. No return, no request and no link down moves `silent_since`, so the watchdog acts in the
/// cycle of the page's sentence.
TEST(LinkDown, TheWatchdogGivesTheLinkUpWhenNoCreditComes) {
  constexpr int kUnits = 40;
  PortSetup setup = CleanLink(kDiscard);
  setup.watchdog = kUnits;
  setup.classes = 1;
  PortLink link(setup, StimulusOf("watchdog"), Rtl());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 4000));
  EXPECT_EQ(BothCount(link, Counter::kWatchdog), 0) << "of a busy link";
  link.Stick(1, Stuck::kCredits);
  Cycle risen = 0, begun = 0;  // of the lane's waiting: a request, and no credit for an MTU
  while (link.decides.given_up(0) == 0 && link.cycle < 20'000) {
    const bool waits = RecordOf(&link, 0).load > 0 && !link.credits(0).LaneOk(0, golden::CreditTable(kTile8), kTile8.mtu_cells);
    if (!waits) begun = link.cycle;
    ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + 1));
    risen = link.cycle - 1;
  }
  EXPECT_EQ(risen, begun + 64 * kUnits + 1);
  EXPECT_EQ(link.Counter(0, Counter::kWatchdog), 1u);
  EXPECT_EQ(link.Counter(0, Counter::kLinkGivenUp), 1u);
  EXPECT_EQ(link.Counter(1, Counter::kLinkGivenUp), 0u);
  link.Stick(1, Stuck::kNothing);
  ASSERT_NO_FATAL_FAILURE(ExpectGoesOn(&link));
}

TEST(LinkDown, TheWatchdogOfAReceiverThatSaysNothingComesBehindTheReplayLimit) {
  PortSetup setup = CleanLink(kDiscard);
  setup.limit = 3;
  PortLink link(setup, StimulusOf("stuck"), Rtl());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 4000));
  link.Stick(1, Stuck::kAll);
  Cycle risen = 0;
  ASSERT_NO_FATAL_FAILURE(RunUntilGivenUp(&link, 20'000, &risen));
  EXPECT_EQ(BothCount(link, Counter::kWatchdog), 0);
  link.Stick(1, Stuck::kNothing);
  ASSERT_NO_FATAL_FAILURE(ExpectGoesOn(&link));
}

/// What of retry is on the wire in the cycles from `from` on.
struct RetryOnTheWire {
  std::int64_t words = 0, tagged = 0, reports = 0, stamps = 0;
};
RetryOnTheWire SeenOfRetry(const std::vector<std::array<Link, 2>>& log, std::size_t from) {
  RetryOnTheWire seen;
  for (std::size_t t = from; t < log.size(); ++t) {
    for (const Link& link : log[t]) {
      seen.words += link.word.valid;
      seen.tagged += link.tag.seq != 0 || link.tag.index != 0 || link.tag.pace != 0;
      seen.reports += link.ctrl.retry_valid;
      seen.stamps += link.ctrl.wired_valid;
    }
  }
  return seen;
}

TEST(LinkDown, BestEffortGoesOnWithoutRetryUntilModeIsWritten) {
  PortLink link(CleanLink(kBestEffort), StimulusOf("best effort"), Rtl());
  std::vector<std::array<Link, 2>> log;
  link.log = &log;
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 3000));
  link.decides.TakeDown(link.cycle);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + link.decides.least_down()));
  const std::size_t up = log.size();
  const std::int64_t before = link.received;
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + 4000));
  const RetryOnTheWire plain = SeenOfRetry(log, up);
  EXPECT_GT(plain.words, 1000);
  EXPECT_GT(link.received, before + 100);
  EXPECT_EQ(plain.tagged + plain.reports + plain.stamps, 0);
  EXPECT_EQ(RecordOf(&link, 0).held, 0);

  const std::int64_t lost = BothCount(link, Counter::kReplayLost);
  link.decides.TakeDown(link.cycle);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + kMacIsEmpty));
  EXPECT_EQ(BothCount(link, Counter::kReplayLost), lost) << "a plain port has no replay buffer";
  link.WriteMode();
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + link.decides.least_down() - kMacIsEmpty));
  const std::size_t again = log.size();
  ASSERT_NO_FATAL_FAILURE(ExpectGoesOn(&link));
  const RetryOnTheWire retry = SeenOfRetry(log, again);
  EXPECT_GT(retry.tagged, 1000);
  EXPECT_GT(retry.reports, 50);
  EXPECT_GT(retry.stamps, 10);
}

/// A plain link loses damaged packets and their credits; the next link down brings the credits home.
TEST(LinkDown, BestEffortLosesWhatTheWireDamages) {
  PortLink link(CleanLink(kBestEffort), StimulusOf("lossy best effort"), Rtl());
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, 2000));
  link.decides.TakeDown(link.cycle);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + link.decides.least_down()));
  const std::int64_t before = BothCount(link, Counter::kTxLost) + BothCount(link, Counter::kReplayLost);
  for (std::size_t i = 0; i < 2; ++i) link.SetFaults(i, {0.01, 0.002, 0, 0, 1}, {});
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + 4000));
  link.Drain();
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + 8000));
  EXPECT_GT(link.sent - link.received, before + 5);
  EXPECT_EQ(BothCount(link, Counter::kTxOkRpt), 0);
  EXPECT_FALSE(link.credits(0).AllHome() && link.credits(1).AllHome());
  link.decides.TakeDown(link.cycle);
  ASSERT_NO_FATAL_FAILURE(RunTo(&link, link.cycle + link.decides.least_down()));
  ASSERT_NO_FATAL_FAILURE(FinishDown(&link));
}

}  // namespace
}  // namespace tilefly::bench
