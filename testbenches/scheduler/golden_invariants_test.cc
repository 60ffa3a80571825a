// SPDX-License-Identifier: Apache-2.0
// Invariants SCHED-1 to SCHED-6 of docs/blocks/scheduler.md on golden's Deficit Table, over random tables, sizes, activity,
// busy channels, groups, maxima and swaps; and their golden checks bite.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "golden/scheduler/scheduler_checker.h"
#include "testbenches/bench/bites.h"
#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"
#include "testbenches/scheduler/scheduler_rig.h"

namespace tilefly::golden {
namespace {

constexpr int kMtu = kRosetta64.mtu_cells;

Profile WithEntries(int entries) {
  Profile profile = kRosetta64;
  profile.dtable_entries = entries;
  return profile;
}

class RandomRun {
 public:
  RandomRun(int entries, std::uint32_t seed) : random_(seed), rig_(WithEntries(entries)) { NewTable(0); }

  void Run(Cycle cycles) {
    while (rig_.now() < cycles) {
      const Cycle now = rig_.now();
      if (random_.Chance(1, "swap", now)) NewTable(now);
      if (random_.Chance(1, "class registers", now)) NewClasses(now);
      Arrive(now);
      Check(now);
    }
  }
  int grants = 0;
  int long_waits = 0;  ///< of a quarter of their bound or more
  // Waits for requests on their way: decisions, and how they end.
  int expects = 0;
  int came = 0;
  int expired = 0;
  int interrupted = 0;
  int kept_waits = 0;  ///< of classes that wait while nobody of their group may send: decisions

 private:
  void NewTable(Cycle now) {
    const int most = random_.Chance(64, "any weight", now) ? 4095 : 3 * kMtu;
    std::vector<TableSlot> slots;
    for (int e = 0; e < rig_.table().entries(); ++e) {
      const auto index = static_cast<std::uint32_t>(e);
      const bool empty = random_.Chance(48, "empty", now, index);
      slots.push_back({static_cast<int>(random_.Below(8, "class", now, index)),
                       empty ? 0 : random_.Between(1, most, "weight", now, index)});
    }
    rig_.Use(slots);
    books_.Restart(/*swapped=*/true);
  }

  void NewClasses(Cycle now) {
    for (int c = 0; c < kMaxClasses; ++c) {
      const auto index = static_cast<std::uint32_t>(c);
      rig_.SetGroup(c, random_.Chance(96, "group", now, index) ? random_.Between(0, 3, "group number", now, index) : 0);
      const bool shaped = random_.Chance(64, "maximum", now, index);
      rig_.SetMaximum(c, shaped ? random_.Below(4096, "cost", now, index) : 0, random_.Below(1 << 20, "depth", now, index));
    }
    books_.Restart(/*swapped=*/false);
  }

  void Arrive(Cycle now) {
    rig_.blocked = random_.Chance(32, "stop", now / 50) ? ~0u : 0;  // the far end takes nothing
    rig_.busy = 0;
    for (int c = 0; c < kMaxClasses; ++c) {
      const auto index = static_cast<std::uint32_t>(c);
      // From stretch to stretch there is a backlog, or one or two requests at a time, so that queues are seen empty.
      const auto most = random_.Chance(96, "backlog", now / 512, index) ? 100u : random_.Below(3, "requests", now / 512, index);
      if (rig_.queued(c) < most && random_.Spell("arrival", now, index)) {
        const bool small = random_.Chance(192, "small", now, index);
        rig_.Put(c, random_.Between(1, small ? 4 : kMtu, "cells", now, index), random_.Chance(128, "more", now, index));
      }
      if (random_.Chance(48, "block", now / 100, index)) rig_.blocked |= 1u << c;
      if (random_.Chance(32, "busy", now, index)) rig_.busy |= 1u << c;
    }
  }

  void Check(Cycle now) {
    const DeficitTable& scheduler = rig_.scheduler();
    const SchedulerTable& table = rig_.table();
    SchedulerChecker::Seen seen;
    seen.wanted = rig_.wanted();
    seen.eligible = 0xFF;
    for (int c = 0; c < kMaxClasses; ++c) {
      if (table.tc(c).cost != 0 && 256 * now <= scheduler.due(c)) seen.eligible &= ~(1u << c);
    }
    seen.active = seen.wanted & ~rig_.blocked & table.bank().served() & seen.eligible;
    const Decision decision = rig_.Step();
    seen.granted = rig_.granted_head();
    grants += decision.outcome == Outcome::kGranted;
    books_.Decided(table, scheduler, kRosetta64.class_hold, seen, decision, &audit_);
    NoteWait(decision);
    scheduler.Check(table, 0, &audit_);
    ASSERT_TRUE(audit_.broken().empty()) << audit_.Message() << ", cycle " << now;
    for (int c = 0; c < kMaxClasses; ++c) {
      const unsigned group = table.group(table.tc(c).group);
      kept_waits += (seen.wanted >> c & 1) != 0 && (seen.active & group) == 0 && books_.others(c) > 0;
      const bool is_long = 4 * books_.others(c) >= SchedulerChecker::WaitBound(table, c) && books_.others(c) > 0;
      const bool was_long = ((long_ >> c) & 1) != 0;
      long_waits += is_long && !was_long;
      long_ = is_long ? long_ | 1u << c : long_ & ~(1u << c);
    }
  }

  void NoteWait(const Decision& decision) {
    const bool expects_now = decision.outcome == Outcome::kExpects;
    expects += expects_now;
    if (expected_ >= 0 && !(expects_now && decision.tc == expected_)) {
      const bool granted = decision.outcome == Outcome::kGranted;
      came += granted && decision.tc == expected_;
      expired += granted && decision.tc != expected_ && left_ == 0;
      interrupted += books_.promised(rig_.table().tc(expected_).group) > 0 && decision.tc != expected_;
    }
    expected_ = expects_now ? decision.tc : -1;
    left_ = books_.promised(rig_.table().tc(decision.tc).group);
  }

  bench::Stimulus random_;
  SchedulerRig<DeficitTable> rig_;
  SchedulerChecker books_;
  Audit audit_;
  int expected_ = -1;  ///< class that the last decision waited for
  int left_ = 0;       ///< decisions for which its requests may still be waited for
  unsigned long_ = 0;  ///< classes that wait for a quarter of their bound
};

class Invariants : public testing::TestWithParam<int> {};

TEST_P(Invariants, HoldInEveryCycle) {
  const Cycle cycles = bench::CyclesOf(bench::TierFromEnvironment());
  RandomRun run(GetParam(), bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  run.Run(cycles);
  EXPECT_GT(run.grants, cycles / 4);
  EXPECT_GT(run.long_waits, 10) << "waits came nowhere near their bounds";
  EXPECT_GT(run.expects, cycles / 50) << "seldom a wait for requests on their way";
  EXPECT_GT(run.came, 50);
  EXPECT_GT(run.expired, 4);
  EXPECT_GT(run.interrupted, 5);
  EXPECT_GT(run.kept_waits, cycles / 100) << "seldom a stop while a class waits";
}

INSTANTIATE_TEST_SUITE_P(Entries, Invariants, testing::Values(8, 32, 64, 128),
                         [](const auto& info) { return std::to_string(info.param); });

using bench::BrokenIds;

constexpr unsigned kA = 1, kB = 2;

/// Two classes, one entry each.
SchedulerRig<DeficitTable> TwoClasses(int weight_a, int weight_b) {
  SchedulerRig<DeficitTable> rig(kRosetta64);
  rig.Use({{0, weight_a}, {1, weight_b}});
  return rig;
}

constexpr int kHold = kRosetta64.class_hold;

/// Classes in `wanted` have requests, those in `active` may send; the request granted is of `cells`.
SchedulerChecker::Seen Told(unsigned wanted, unsigned active, int cells = 0, bool more = false) {
  return {wanted, 0xFF, active, {cells, more}};
}

TEST(SchedulerInvariants, AGrantOfAClassThatIsNotActiveBreaksSched1) {
  auto rig = TwoClasses(10, 10);
  SchedulerChecker books;
  Audit audit;
  books.Decided(rig.table(), rig.scheduler(), kHold, Told(kA | kB, kA, 1), {Outcome::kGranted, 0}, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  books.Decided(rig.table(), rig.scheduler(), kHold, Told(kA | kB, kA, 1), {Outcome::kGranted, 1}, &audit);
  EXPECT_EQ(BrokenIds(audit), "SCHED-1");
}

TEST(SchedulerInvariants, ServingAnEntryThatIsEmptyBreaksSched2) {
  auto rig = TwoClasses(10, 10);
  rig.Put(0, 2, false, 2);
  rig.Step();
  Audit audit;
  rig.scheduler().Check(rig.table(), 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  const auto other = TwoClasses(0, 10);
  rig.scheduler().Check(other.table(), 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "SCHED-2");
}

TEST(SchedulerInvariants, ADeficitOfAnIdleClassBreaksSched3) {
  auto rig = TwoClasses(10, 10);
  rig.Put(0, 7, false, 3);
  rig.Put(1, 10, false, 2);
  SchedulerChecker books;
  Audit audit;
  rig.Step();
  const Decision decision = rig.Step();  // A's second head does not fit: it keeps 3 cells
  ASSERT_EQ(rig.scheduler().deficit(0), 3);
  books.Decided(rig.table(), rig.scheduler(), kHold, Told(kA | kB, kA | kB, 10), decision, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  books.Decided(rig.table(), rig.scheduler(), kHold, Told(kA | kB, 0), {}, &audit);
  EXPECT_EQ(BrokenIds(audit), "") << "nobody may send: A keeps them";
  SchedulerChecker others = books;
  Audit idle;
  others.Decided(rig.table(), rig.scheduler(), kHold, Told(kB, 0), {}, &idle);
  EXPECT_EQ(BrokenIds(idle), "SCHED-3") << "nobody may send, and A wants nothing";
  books.Decided(rig.table(), rig.scheduler(), kHold, Told(kA | kB, kB, 10), decision, &audit);
  EXPECT_EQ(BrokenIds(audit), "SCHED-3");
}

TEST(SchedulerInvariants, MoreThanAnEntryCanGiveBreaksSched4) {
  auto rig = TwoClasses(4095, 10);
  rig.Put(0, 7, false, 572);
  rig.Put(0, 3);
  rig.Put(0, kMtu, false, 2);
  for (int grant = 0; grant < 573; ++grant) rig.Step();
  ASSERT_EQ(rig.scheduler().acc(0), kMtu - 1);
  rig.Step();  // the next turn
  ASSERT_EQ(rig.scheduler().acc(0), 4095 - 1);
  Audit audit;
  rig.scheduler().Check(rig.table(), 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  const auto other = TwoClasses(1, 10);
  rig.scheduler().Check(other.table(), 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "SCHED-4");
}

/// The promise of a class is waited for, as long as the page says and no longer.
TEST(SchedulerInvariants, AWaitWithoutAPromiseBreaksSched5) {
  auto rig = TwoClasses(10, 10);
  rig.Put(0, 1, true);
  SchedulerChecker books;
  Audit audit;
  const Decision granted = rig.Step();
  books.Decided(rig.table(), rig.scheduler(), kHold, Told(kA | kB, kA | kB, 1, true), granted, &audit);
  const SchedulerChecker promised = books;
  for (int t = 0; t < kHold; ++t) {
    books.Decided(rig.table(), rig.scheduler(), kHold, Told(kB, kB), {Outcome::kExpects, 0}, &audit);
  }
  EXPECT_EQ(BrokenIds(audit), "");
  books.Decided(rig.table(), rig.scheduler(), kHold, Told(kB, kB), {Outcome::kExpects, 0}, &audit);
  EXPECT_EQ(BrokenIds(audit), "SCHED-5");
  Audit early;
  books = promised;
  books.Decided(rig.table(), rig.scheduler(), kHold, Told(kB, kB, 1), {Outcome::kMoved, 1}, &early);
  EXPECT_EQ(BrokenIds(early), "SCHED-5");
}

/// Nobody may send: the turn of a class that wants to goes on afterwards, and its deficit counts.
TEST(SchedulerInvariants, ATurnThatEndsInAStopBreaksSched6) {
  auto rig = TwoClasses(10, 10);
  rig.Put(0, 7, false, 3);
  rig.Put(1, 4, false, 2);
  SchedulerChecker books;
  Audit audit;
  for (const int cells : {7, 4}) {
    const Decision decision = rig.Step();
    books.Decided(rig.table(), rig.scheduler(), kHold, Told(kA | kB, kA | kB, cells), decision, &audit);
  }
  ASSERT_EQ(rig.scheduler().deficit(0), 3);
  ASSERT_EQ(rig.scheduler().acc(0), 6);
  const SchedulerChecker before = books;
  books.Decided(rig.table(), rig.scheduler(), kHold, Told(kA | kB, 0), {}, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  auto others = TwoClasses(10, 10);
  Audit lost;
  SchedulerChecker turn = before;
  turn.Decided(others.table(), others.scheduler(), kHold, Told(kB, 0), {}, &lost);
  EXPECT_EQ(BrokenIds(lost), "SCHED-6") << "the turn of B";
  Audit forgotten;
  SchedulerChecker deficit = before;
  deficit.Decided(others.table(), others.scheduler(), kHold, Told(kA, 0), {}, &forgotten);
  EXPECT_EQ(BrokenIds(forgotten), "SCHED-6") << "the deficit of A";
}

TEST(SchedulerInvariants, AClassThatIsNeverReachedBreaksSched5) {
  auto rig = TwoClasses(10, 10);
  rig.Put(0, 1, false, 2);
  rig.Step();  // A is being served
  SchedulerChecker books;
  Audit audit;
  const int bound = SchedulerChecker::WaitBound(rig.table(), 1);
  for (int cells = 0; cells < bound; ++cells) {
    books.Decided(rig.table(), rig.scheduler(), kHold, Told(kA | kB, kA | kB, 1), {Outcome::kGranted, 0}, &audit);
  }
  EXPECT_EQ(BrokenIds(audit), "");
  books.Decided(rig.table(), rig.scheduler(), kHold, Told(kA | kB, 0), {}, &audit);  // nobody may send: B goes on waiting
  EXPECT_EQ(BrokenIds(audit), "");
  books.Decided(rig.table(), rig.scheduler(), kHold, Told(kA | kB, kA | kB, 1), {Outcome::kGranted, 0}, &audit);
  EXPECT_EQ(BrokenIds(audit), "SCHED-5");
}

}  // namespace
}  // namespace tilefly::golden
