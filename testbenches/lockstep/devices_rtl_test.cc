// SPDX-License-Identifier: Apache-2.0
// The devices of RTL among themselves: how the array of tiles is evaluated changes nothing, and the switch wired in
// SystemVerilog equals the array wired in C++.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cosim/verilated/switch_makers.h"
#include "cosim/verilated/tile_makers.h"
#include "cosim/verilated/verilated_array.h"
#include "cosim/verilated/verilated_switch.h"
#include "runs/switch/switch_run.h"
#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/scenarios.h"

namespace tilefly::cosim {
namespace {

std::uint32_t Seed() { return bench::SeedOf(bench::RootSeed(), bench::CurrentTest()); }
bool Full() { return bench::TierFromEnvironment() == bench::Tier::kFull; }

const Scenario& Named(const std::string& name) {
  const auto found = std::find_if(Scenarios().begin(), Scenarios().end(), [&](const Scenario& s) { return s.name == name; });
  if (found == Scenarios().end()) throw std::invalid_argument(name);
  return *found;
}

void ExpectEqual(runs::SwitchRun& run) {
  const runs::Outcome outcome = run.Run({});
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << "seed " << run.options().seed << ": " << outcome.message;
  EXPECT_EQ(run.lockstep().compared(), run.lockstep().cycle() * run.options().profile->ports);
  EXPECT_GT(run.lockstep().compared_busy(), run.options().max_cycles / 4) << "hardly anything was on the links";
}

/// The profiles of the full tier's build; the others have what was built.
bool MustBeThere(const Profile& profile) {
  const std::string name = profile.name;
  return name == "tile8" || (Full() && (name == "tile16" || name == "rosetta64"));
}

class Flat : public ::testing::TestWithParam<const char*> {};

TEST_P(Flat, SwitchEqualsTheArrayOfTilesInEveryCycle) {
  for (const Profile& profile : kProfiles) {
    SCOPED_TRACE(profile.name);
    std::unique_ptr<Device> flat;
    try {
      flat = std::make_unique<VerilatedSwitch>(profile, DeviceOptions());
    } catch (const UsageError& error) {
      EXPECT_FALSE(MustBeThere(profile)) << error.what();
      continue;
    }
    const Cycle cycles = profile.ports <= 16 ? (Full() ? 100000 : 5000) : (Full() ? 20000 : 500);
    runs::RunOptions options = OptionsOf(Named(GetParam()), profile, Seed(), cycles);
    runs::SwitchRun run(options, std::make_unique<VerilatedArray>(profile, DeviceOptions{}), std::move(flat));
    ExpectEqual(run);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Flat, ::testing::Values("MixedPortsAndFaults", "HotspotOfSmallPackets", "PauseBothWays"),
                         [](const auto& info) { return std::string(info.param); });

/// TILE-2, and the two ways of stepping.
TEST(Array, SkippedTilesAndThreadsChangeNothing) {
  runs::RunOptions options = OptionsOf(Named("MixedPortsAndFaults"), kTile8, Seed(), 4000);
  options.generator.load = 0.05;  // tiles fall asleep
  DeviceOptions all, two;
  all.evaluate_all = true;
  two.two_threads = true;
  for (const DeviceOptions& other : {all, two}) {
    auto asleep = std::make_unique<VerilatedArray>(kTile8, DeviceOptions{});
    const VerilatedArray* const skipping = asleep.get();
    runs::SwitchRun run(options, std::move(asleep), std::make_unique<VerilatedArray>(kTile8, other));
    ExpectEqual(run);
    EXPECT_LT(skipping->clocks(), static_cast<std::uint64_t>(run.lockstep().cycle()) * kTile8.tiles * 9 / 10) << "no tile was skipped";
  }
}

/// TILE-4.
TEST(Array, ReductionsWhoseClockStandsChangeNothing) {
  for (const Scenario& scenario : ReductionScenarios()) {
    SCOPED_TRACE(scenario.name);
    const runs::RunOptions options = OptionsOf(scenario, kTile8, Seed(), Full() ? 100'000 : 10'000);
    DeviceOptions all;
    all.evaluate_all = true;
    auto standing = std::make_unique<VerilatedArray>(kTile8, DeviceOptions{});
    auto running = std::make_unique<VerilatedArray>(kTile8, all);
    const VerilatedArray& saves = *standing;
    const VerilatedArray& wastes = *running;
    runs::SwitchRun run(options, std::move(standing), std::move(running));
    const runs::Outcome outcome = run.Run({});
    ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << "seed " << options.seed << ": " << outcome.message;
    EXPECT_GT(run.reductions()->episodes(), 0) << "nothing was reduced";
    EXPECT_GT(saves.red_clocks(), 0u);
    EXPECT_LT(saves.red_clocks(), saves.clocks()) << "the clock never stood";
    EXPECT_EQ(wastes.red_clocks(), wastes.clocks());
  }
}

/// Law 1: what a tile puts out depends on no order among the tiles within a cycle.
TEST(Array, OrderOfEvaluationChangesNothing) {
  for (const Profile& profile : {kTile8, kRosetta64}) {
    for (const bool two_threads : {false, true}) {
      const bool small = profile.ports == kTile8.ports;
      runs::RunOptions options = OptionsOf(Named("MixedPortsAndFaults"), profile, Seed(), small ? 4000 : 500);
      DeviceOptions shuffled;
      shuffled.shuffle = static_cast<int>(Seed() >> 1 | 1);
      shuffled.two_threads = two_threads;
      runs::SwitchRun run(options, std::make_unique<VerilatedArray>(profile, DeviceOptions{}),
                    std::make_unique<VerilatedArray>(profile, shuffled));
      ExpectEqual(run);
    }
  }
}

/// A missing reset would show.
TEST(Array, RandomInitialRegistersChangeNothing) {
  for (int seed : {1, 2, 3}) {
    runs::RunOptions options = OptionsOf(Named("MixedPortsAndFaults"), kTile8, Seed(), 4000);
    options.device.random_reset = seed;
    runs::SwitchRun run(options);
    ExpectEqual(run);
  }
}

/// Every profile whose tile was built, users' own too.
TEST(AllProfiles, RtlAndGoldenAreEqual) {
  int built = 0;
  for (const Profile& profile : kProfiles) {
    SCOPED_TRACE(profile.name);
    const std::unique_ptr<TileModel> tile = MakeTileModel(profile, {});
    if (!tile) {
      EXPECT_FALSE(MustBeThere(profile));
      continue;
    }
    EXPECT_TRUE(tile->has_steps()) << "cmake/eval_steps.py does not know what this Verilator makes: the RTL is slower, and right";
    ++built;
    runs::SwitchRun run(OptionsOf(Named("MixedPortsAndFaults"), profile, Seed(), Full() ? 50000 : 2000));
    ExpectEqual(run);
  }
  EXPECT_GE(built, 2);
}

}  // namespace
}  // namespace tilefly::cosim
