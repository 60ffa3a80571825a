// SPDX-License-Identifier: Apache-2.0
// The load ring in closed form against a model that writes down every load of every cycle (docs/blocks/routing.md,
// Load).
#include <gtest/gtest.h>

#include "generated/profile.h"
#include "golden/routing/load_ring.h"
#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"
#include "testbenches/routing/loads_by_cycle.h"

namespace tilefly::golden {
namespace {

constexpr int kPorts = LoadsByCycle::kPorts;

class LoadRingTest : public testing::TestWithParam<int> {};

TEST_P(LoadRingTest, ShowsTheLoadsOfTheEpochInEveryCycle) {
  const Cycle epoch = GetParam();
  const bench::Stimulus random(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  LoadRing ring(kPorts, epoch, kTile8.neighbour_epochs);
  LoadsByCycle history;
  const Cycle cycles = bench::CyclesOf(bench::TierFromEnvironment());
  int shown = 0, saturated = 0, changed_at_the_limit = 0;
  for (Cycle now = 0; now < cycles; ++now) {
    // Idle for many epochs now and then; asked before, between and after the cycle's events.
    const bool idle = random.Chance(96, "idle", now / 512);
    for (std::uint32_t i = 0; i < 3 && !idle; ++i) {
      const int asked = static_cast<int>(random.Below(kPorts, "asked", now, i));
      if (random.Chance(60, "ask", now, i)) {
        const int visible = history.Visible(now + LoadRing::kAhead, epoch, asked);
        ASSERT_EQ(ring.Shown(now, asked), visible) << "cycle " << now << ", output " << asked;
        shown += visible != 0;
        saturated += visible == 4095;
      }
      const int output = static_cast<int>(random.Below(kPorts, "output", now, i));
      if (!random.Spell("change", now, i)) continue;
      const bool more = random.Chance(random.Chance(128, "grows", now / 256) ? 200 : 60, "more", now, i);
      const int cells = more ? random.Between(1, 89, "cells", now, i)
                             : -std::min(history.load(output), random.Between(1, 89, "cells", now, i));
      ring.Add(now, output, cells);
      history.Add(now, output, cells);
      changed_at_the_limit += (now + 2) % epoch <= 1 && cells != 0;
      ASSERT_EQ(ring.load(output), history.load(output));
    }
    if (now % 700 == 699) now += static_cast<Cycle>(random.Below(300, "leap", now));  // nothing is due in them
  }
  EXPECT_GT(shown, cycles / 40);
  EXPECT_GT(saturated, 0);
  EXPECT_GT(changed_at_the_limit, cycles / (16 * epoch));
}

INSTANTIATE_TEST_SUITE_P(Epochs, LoadRingTest, testing::Values(12, 16, 32, 100),
                         [](const auto& info) { return "Of" + std::to_string(info.param) + "Cycles"; });

TEST(LoadRing, AChangeInTheLastCycleThatCountsIsShownAndOneCycleLaterNot) {
  const Cycle epoch = kTile8.load_epoch_cycles;
  for (const Cycle late : {0, 1}) {
    LoadRing ring(kPorts, epoch, kTile8.neighbour_epochs);
    const Cycle change = 10 * epoch - 2 + late;
    ring.Add(change, 2, 7);
    const Cycle first = 11 * epoch - LoadRing::kAhead;  // whose decisions see the loads of cycle 10 * epoch
    EXPECT_EQ(ring.Shown(first - 1, 2), 0);
    EXPECT_EQ(ring.Shown(first, 2), late == 0 ? 7 : 0);
    EXPECT_EQ(ring.Shown(first + epoch - 1, 2), late == 0 ? 7 : 0);
    EXPECT_EQ(ring.Shown(first + epoch, 2), 7);
    EXPECT_EQ(ring.Shown(first + 1000 * epoch, 2), 7);
  }
}

TEST(LoadRing, RefusesEpochsShorterThanItLooksAhead) {
  EXPECT_THROW(LoadRing(kPorts, LoadRing::kAhead - 1, 1), std::invalid_argument);
  EXPECT_NO_THROW(LoadRing(kPorts, LoadRing::kAhead, 1));
}

}  // namespace
}  // namespace tilefly::golden
