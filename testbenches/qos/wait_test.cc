// SPDX-License-Identifier: Apache-2.0
// The bound on waits against the scheduler of the page, driven to be as slow as it can be.
#include "qos/wait.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "qos/check.h"
#include "qos/planner.h"
#include "testbenches/bench/settings.h"

namespace tilefly::qos {
namespace {

/// Size of the next packet of a class that is served with so many credits left; 0: the class is inactive.
using Heads = std::function<int(int owner, int left)>;

/// Serves the table by rules 1 to 3 (docs/qos.md) for some turns of the pointer. `served` gets every grant.
void Serve(const Table& table, int turns, const Heads& heads,
           const std::function<void(int owner, int credits)>& served) {
  std::vector<int> deficits(table.classes.size());
  for (int i = 0; i < turns * table.size(); ++i) {
    const Entry& entry = table.entries[i % table.size()];
    if (entry.owner < 0) continue;
    int left = entry.weight + deficits[entry.owner];
    int head = heads(entry.owner, left);
    for (; head > 0 && head <= left; head = heads(entry.owner, left)) {
      left -= head;
      served(entry.owner, head);
    }
    deficits[entry.owner] = head > 0 ? left : 0;
  }
}

/// Most credits of others between two grants of class c.
std::int64_t LongestWait(const Table& table, int c, int turns, const Heads& heads) {
  std::int64_t worst = 0;
  std::int64_t waited = 0;
  Serve(table, turns, heads, [&](int owner, int credits) {
    if (owner == c) {
      worst = std::max(worst, waited);
      waited = 0;
    } else {
      waited += credits;
    }
  });
  return worst;
}

TEST(Wait, NoClassWaitsLongerThanTheBoundAndTheBoundIsReached) {
  const Table table = MakePlan(LoadWishes("plans/study7.yaml"), {{}, 30, 1073}).table;
  std::mt19937 generator(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  for (int c = 0; c < 7; ++c) {
    const std::int64_t bound = *WaitCredits(table, c);
    std::int64_t worst = 0;
    // In one turn others leave as much as they can, in the next they use it up; now and then one pauses.
    for (int round = 0; round < 200; ++round) {
      const int save = static_cast<int>(generator() % 8);
      const Heads heads = [&](int owner, int left) {
        const int mtu = table.classes[owner].mtu;
        if (owner == c) return mtu;
        const bool saves = static_cast<int>(generator() % 8) < save;
        if (saves && left < mtu) return mtu;
        if (round % 4 == 3 && generator() % 16 == 0) return 0;
        return left >= mtu + 1 || !saves ? 1 : mtu;
      };
      worst = std::max(worst, LongestWait(table, c, 40, heads));
    }
    EXPECT_LE(worst, bound) << table.classes[c].name;
    EXPECT_GE(static_cast<double>(worst), 0.8 * static_cast<double>(bound)) << table.classes[c].name;
    fmt::print("{}: {} of {} credits\n", table.classes[c].name, worst, bound);
  }
}

TEST(Wait, AClassWithItsEntriesSideBySideWaitsForTheOthers) {
  Table table;
  for (const char* name : {"A", "B"}) {
    TrafficClass one;
    one.name = name;
    one.mtu = 10;
    table.classes.push_back(one);
  }
  table.entries = {{0, 10}, {0, 12}, {1, 15}, {1, 17}};
  EXPECT_EQ(*WaitCredits(table, 0), 15 + 17 + 9);
  EXPECT_EQ(*WaitCredits(table, 1), 10 + 12 + 9);
}

TEST(Wait, UpperGroupsAddTheirMaximums) {
  Table table;
  for (const char* name : {"A", "B", "Top"}) {
    TrafficClass one;
    one.name = name;
    one.mtu = 10;
    table.classes.push_back(one);
  }
  table.entries = {{0, 20}, {2, 30}, {1, 20}, {-1, 0}};
  table.classes[2].group = 1;
  EXPECT_EQ(WaitCredits(table, 0), std::nullopt);  // no maximum: for ever
  table.classes[2].maximum = Maximum{kWhole / 5, 40};
  EXPECT_EQ(*WaitCredits(table, 0), 98);  // (20 + 9 + 40 + 9) / 0.8, rounded up
  EXPECT_EQ(*WaitCredits(table, 2), 0);
  table.classes[2].maximum->share = kWhole;
  EXPECT_EQ(WaitCredits(table, 0), std::nullopt);
}

TEST(Wait, CyclesAreThoseOfTheLink) {
  Units units;  // 48 B credits, 200 Gb/s, MTU 89
  EXPECT_EQ(WaitCycles(units, 11), 150);
  units.link_mbps = 100'000;
  EXPECT_EQ(WaitCycles(units, 11), 300);
}

}  // namespace
}  // namespace tilefly::qos
