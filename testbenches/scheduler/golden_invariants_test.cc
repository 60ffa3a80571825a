// SPDX-License-Identifier: Apache-2.0
// Invariants SCHED-1 to SCHED-5 of docs/blocks/scheduler.md on golden's Deficit Table, over random tables, sizes, activity,
// busy channels, groups, maxima and swaps. What a class may wait is worked out here from the table alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

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

/// Most cells that others may be granted before class `c` is reached: largest gap between two of its entries, the weights of
/// its group in it, and what the classes there may have kept.
int WaitBound(const SchedulerTable& table, int c) {
  const unsigned group = table.group(table.tc(c).group);
  const int n = table.entries();
  int worst = 0;
  for (int from = 0; from < n; ++from) {
    const TableBank::Entry& start = table.bank().entry(from);
    if (start.tc != c || start.weight == 0) continue;
    int weights = 0;
    unsigned classes = 0;
    for (int i = 1; i <= n; ++i) {
      const TableBank::Entry& entry = table.bank().entry((from + i) % n);
      if (entry.weight == 0) continue;
      if (entry.tc == c) break;
      if (((group >> entry.tc) & 1) == 0) continue;
      weights += entry.weight;
      classes |= 1u << entry.tc;
    }
    ForEachBit(classes, [&](int j) {
      int most = 0;
      for (int e = 0; e < n; ++e) {
        if (table.bank().entry(e).tc == j) most = std::max<int>(most, table.bank().entry(e).weight);
      }
      weights += most + 2 * kMtu;
    });
    worst = std::max(worst, weights);
  }
  return worst;
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
    others_ = {};
  }

  void NewClasses(Cycle now) {
    for (int c = 0; c < kMaxClasses; ++c) {
      const auto index = static_cast<std::uint32_t>(c);
      rig_.SetGroup(c, random_.Chance(96, "group", now, index) ? random_.Between(0, 3, "group number", now, index) : 0);
      const bool shaped = random_.Chance(64, "maximum", now, index);
      rig_.SetMaximum(c, shaped ? random_.Below(4096, "cost", now, index) : 0, random_.Below(1 << 20, "depth", now, index));
    }
    others_ = {};
  }

  void Arrive(Cycle now) {
    rig_.blocked = rig_.busy = 0;
    for (int c = 0; c < kMaxClasses; ++c) {
      const auto index = static_cast<std::uint32_t>(c);
      if (random_.Spell("arrival", now, index)) {
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
    const unsigned wanted = rig_.wanted();
    unsigned active = wanted & ~rig_.blocked & table.bank().served();
    for (int c = 0; c < kMaxClasses; ++c) {
      if (table.tc(c).cost != 0 && 256 * now <= scheduler.due(c)) active &= ~(1u << c);
    }
    const Decision decision = rig_.Step();
    const int granted = decision.outcome == Outcome::kGranted ? decision.tc : -1;
    if (granted >= 0) {
      ++grants;
      ASSERT_TRUE((active >> granted) & 1) << "SCHED-1, cycle " << now;
    }
    for (int g = 0; g < kGroups; ++g) {
      const int c = table.bank().entry(scheduler.pointer(g)).tc;
      ASSERT_TRUE(scheduler.current(g) ? table.tc(c).group == g : scheduler.acc(g) == 0) << "SCHED-2, cycle " << now;
      ASSERT_LE(scheduler.acc(g), 2 * 4095 + kMtu) << "SCHED-4, cycle " << now;
    }
    for (int c = 0; c < kMaxClasses; ++c) {
      const unsigned bit = 1u << c;
      const bool keeps = (active & bit) != 0 || (scheduler.held(c) && (wanted & bit) == 0);
      ASSERT_TRUE(keeps || scheduler.deficit(c) == 0) << "SCHED-3, class " << c << ", cycle " << now;
      ASSERT_LE(scheduler.deficit(c), 4095 + kMtu) << "SCHED-4, class " << c << ", cycle " << now;
    }
    if (active != 0) ASSERT_NE(decision.outcome, Outcome::kNothing) << "SCHED-1, cycle " << now;
    CheckWaits(now, active, granted);
  }

  void CheckWaits(Cycle now, unsigned active, int granted) {
    const SchedulerTable& table = rig_.table();
    const unsigned first = active == 0 ? 0 : active & table.group(table.HighestGroup(active));
    for (int c = 0; c < kMaxClasses; ++c) {
      int& others = others_[static_cast<std::size_t>(c)];
      const bool reached = rig_.scheduler().current(table.tc(c).group) &&
                           table.bank().entry(rig_.scheduler().pointer(table.tc(c).group)).tc == c;
      if (((first >> c) & 1) == 0 || reached) {  // a weight below its head takes it further rounds
        others = 0;
      } else if (granted >= 0) {
        const int bound = WaitBound(table, c);
        const int before = others;
        others += rig_.granted();
        ASSERT_LE(others, bound) << "SCHED-5, class " << c << ", cycle " << now;
        if (before < bound / 4 && others >= bound / 4) ++long_waits;
      }
    }
  }

  bench::Stimulus random_;
  SchedulerRig<DeficitTable> rig_;
  std::array<int, kMaxClasses> others_{};
};

class Invariants : public testing::TestWithParam<int> {};

TEST_P(Invariants, HoldInEveryCycle) {
  const Cycle cycles = bench::CyclesOf(bench::TierFromEnvironment());
  RandomRun run(GetParam(), bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  run.Run(cycles);
  EXPECT_GT(run.grants, cycles / 4);
  EXPECT_GT(run.long_waits, 10) << "waits came nowhere near their bounds";
}

INSTANTIATE_TEST_SUITE_P(Entries, Invariants, testing::Values(8, 32, 64, 128),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace tilefly::golden
