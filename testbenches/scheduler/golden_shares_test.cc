// SPDX-License-Identifier: Apache-2.0
// What the Deficit Table promises its classes (docs/blocks/scheduler.md, Shares and bounds): shares by weight, whatever the
// sizes of packets, and a bounded wait.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "testbenches/scheduler/scheduler_rig.h"
#include "testbenches/switch/saturation.h"

namespace tilefly::golden {
namespace {

using Rig = SchedulerRig<DeficitTable>;
constexpr int kMtu = kRosetta64.mtu_cells;

/// Sizes up to the class's MTU in Table 4.
std::function<int()> Sizes(int c) {
  return [c, random = Random(88172645463325252u + static_cast<unsigned>(c))]() mutable {
    return 1 + random.Below(kTable4Mtu[static_cast<std::size_t>(c)]);
  };
}

TEST(Shares, OfEverySubsetOfClassesFollowTheWeights) {
  for (unsigned subset = 1; subset < 1u << 7; ++subset) {
    Rig rig(kRosetta64);
    rig.Use(Table4());
    int weights = 0;
    ForEachBit(subset, [&](int c) {
      rig.KeepFull(c, Sizes(c));
      weights += kTable4Weight[static_cast<std::size_t>(c)];
    });
    while (rig.AllCells() < 2000000) rig.Step();
    ForEachBit(subset, [&](int c) {
      EXPECT_NEAR(static_cast<double>(rig.cells(c)) / static_cast<double>(rig.AllCells()),
                  static_cast<double>(kTable4Weight[static_cast<std::size_t>(c)]) / weights, 0.0005)
          << "subset " << subset << ", class " << c;
    });
  }
}

TEST(Shares, OfLargePacketsAmongSmallOnesAreTheirWeights) {
  Rig rig(kRosetta64);  // the table of power-up: equal weights
  for (int c = 0; c < 7; ++c) rig.KeepFull(c, 1);
  rig.KeepFull(7, kMtu);
  rig.Run(400000);
  EXPECT_NEAR(static_cast<double>(rig.cells(7)) / static_cast<double>(rig.AllCells()), 1.0 / 8, 0.0005);
}

/// Cells that others are granted between two services of class `c`, the most in `cycles`.
std::uint64_t LongestWait(Rig* rig, int c, int cycles) {
  std::uint64_t most = 0;
  std::uint64_t others = 0;
  while (cycles-- > 0) {
    const Decision decision = rig->Step();
    if (decision.outcome != Outcome::kGranted) continue;
    if (decision.tc == c) {
      most = std::max(most, others);
      others = 0;
    } else {
      others += static_cast<std::uint64_t>(rig->granted());
    }
  }
  return most;
}

/// Each of seven others leaves its entry with an MTU - 1 over, and has a head of an MTU and then cells of one.
TEST(Wait, ReachesTheBoundOfThePage) {
  Rig rig(kRosetta64);
  constexpr int kWeight = 2 * kMtu;
  std::vector<TableSlot> table;
  for (int c = 0; c < 8; ++c) table.push_back({c, kWeight});
  rig.Use(table);
  rig.KeepFull(0, 2);
  for (int c = 1; c < 8; ++c) {
    rig.Put(c, 1, false, kMtu + 1);  // leaves an MTU - 1, which the next head does not fit
    rig.Put(c, kMtu);
    rig.KeepFull(c, 1);
  }
  const std::uint64_t bound = 7 * (kWeight + kMtu - 1);
  const std::uint64_t wait = LongestWait(&rig, 0, 4000);
  EXPECT_EQ(wait, bound) << "it is kept, and tight";
}

/// Seven others get a request that promises more, whenever the eighth was served, and no other: each is waited for.
TEST(Wait, ForRequestsOnTheirWayIsClassHoldDecisionsATurnAtMost) {
  constexpr int kHold = kRosetta64.class_hold;
  Rig rig(kRosetta64);
  std::vector<TableSlot> table;
  for (int c = 0; c < 8; ++c) table.push_back({c, kMtu});
  rig.Use(table);
  rig.KeepFull(0, kMtu);
  int waited = 0;
  int longest = 0;
  for (int round = 0; round < 1000; ++round) {
    const Decision decision = rig.Step();
    if (decision.outcome != Outcome::kGranted || decision.tc != 0) {
      ++waited;
      continue;
    }
    longest = std::max(longest, waited);
    waited = 0;
    for (int c = 1; c < 8; ++c) rig.Put(c, 1, true);
  }
  EXPECT_EQ(longest, 7 * (1 + kHold));
}

TEST(Wait, IsShorterForAClassWithManyEntries) {
  Rig rig(kRosetta64);
  rig.Use(Table4());
  for (int c = 0; c < 7; ++c) rig.KeepFull(c, Sizes(c));
  EXPECT_LE(LongestWait(&rig, 0, 100000), 94u + 31u) << "NC: one entry of another class between two of its own";
  EXPECT_LE(LongestWait(&rig, 6, 100000), 1056u + 2 + 1 + 31 + 31 + 15 + 15) << "BK: all others' weights";
}

}  // namespace
}  // namespace tilefly::golden
