// SPDX-License-Identifier: Apache-2.0
// The switch in RTL and golden: equal in every cycle at every port, in every situation; and the devices of RTL among
// themselves. TILEFLY_TIER=quick|ci|full says how much.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "cosim/random.h"
#include "cosim/run/switch_run.h"
#include "cosim/verilated/verilated_array.h"
#include "testbenches/lockstep/scenarios.h"

namespace tilefly::cosim {
namespace {

struct Tier {
  int small_seeds;   ///< runs of every scenario at 8 ports
  Cycle small_cycles;
  int large_runs;    ///< runs at 64 ports
  Cycle large_cycles;
};

Tier TierOf() {
  const char* const name = std::getenv("TILEFLY_TIER");
  const std::string tier = name == nullptr ? "quick" : name;
  if (tier == "full") return {20, 20000, 52, 20000};
  if (tier == "ci") return {2, 20000, 6, 20000};
  return {1, 6000, 2, 2000};
}

/// The seed of a test follows from the root seed and its name.
std::uint32_t SeedOf(const std::string& name, int number) {
  std::uint64_t hash = 0;
  for (char c : name) hash = Mix64(hash ^ static_cast<unsigned char>(c));
  return static_cast<std::uint32_t>(Draw(1, 0, hash + static_cast<std::uint64_t>(number), Purpose::kRun) >> 32);
}

void ExpectPass(SwitchRun& run) {
  const Outcome outcome = run.Run({});
  std::string history;
  for (const std::string& event : outcome.history) history += "\n  " + event;
  EXPECT_EQ(outcome.verdict, Verdict::kPass) << "seed " << run.options().seed << ": " << outcome.message << history;
}

/// At least a quarter of a busy word a cycle, or what a quiet scenario has.
void ExpectCompared(SwitchRun& run) {
  EXPECT_EQ(run.lockstep().compared(), run.lockstep().cycle() * run.options().profile->ports);
  EXPECT_GT(run.lockstep().compared_busy(), run.options().max_cycles / 4) << "hardly anything was on the links";
}

class EightPorts : public ::testing::TestWithParam<Scenario> {
 protected:
  static void TearDownTestSuite() {
    if (merged_ == nullptr) return;
    if (scenarios_run_ == Scenarios().size()) {  // not with --gtest_filter
      for (const auto& [bin, count] : merged_->Entries()) {
        if (bin != "credit_wrap") EXPECT_GT(count, 0) << "no run reached the bin " << bin;
      }
    }
    merged_.reset();
  }
  static std::unique_ptr<Bins> merged_;
  static std::size_t scenarios_run_;
};
std::unique_ptr<Bins> EightPorts::merged_;
std::size_t EightPorts::scenarios_run_ = 0;

TEST_P(EightPorts, RtlAndGoldenAreEqual) {
  const Tier tier = TierOf();
  if (merged_ == nullptr) merged_ = std::make_unique<Bins>(kTile8);
  ++scenarios_run_;
  for (int i = 0; i < tier.small_seeds; ++i) {
    SwitchRun run(OptionsOf(GetParam(), kTile8, SeedOf(GetParam().name, i), tier.small_cycles));
    ExpectPass(run);
    ExpectCompared(run);
    merged_->Merge(run.bins());
  }
}

INSTANTIATE_TEST_SUITE_P(All, EightPorts, ::testing::ValuesIn(Scenarios()), [](const auto& info) { return info.param.name; });

TEST(SixtyFourPorts, RtlAndGoldenAreEqual) {
  const Tier tier = TierOf();
  const auto& scenarios = Scenarios();
  for (int i = 0; i < tier.large_runs; ++i) {
    const Scenario& scenario = scenarios[static_cast<std::size_t>(i) * 3 % scenarios.size()];
    SCOPED_TRACE(scenario.name);
    SwitchRun run(OptionsOf(scenario, kRosetta64, SeedOf("SixtyFourPorts." + scenario.name, i), tier.large_cycles));
    ExpectPass(run);
    ExpectCompared(run);
  }
}

/// Every profile that was built, users' own too.
TEST(AllProfiles, RtlAndGoldenAreEqual) {
  int built = 0;
  for (const Profile& profile : kProfiles) {
    SCOPED_TRACE(profile.name);
    if (!MakeTileModel(profile, {})) continue;
    ++built;
    SwitchRun run(OptionsOf(Scenarios()[3], profile, SeedOf(profile.name, 0), 2000));
    ExpectPass(run);
    ExpectCompared(run);
  }
  EXPECT_GE(built, 2);
}

/// 65536 cells on one lane take about 98,000 cycles.
TEST(Credits, CountersWrap) {
  Scenario scenario = Scenarios()[2];
  scenario.ports = "enhanced";
  scenario.size = "4224";
  scenario.classes = {0};
  SwitchRun run(OptionsOf(scenario, kTile8, SeedOf("Credits", 0), 105000));
  ExpectPass(run);
  EXPECT_GT(run.bins().Get("credit_wrap"), 0);
}

TEST(Wiring, FlatSwitchEqualsArrayOfTiles) {
  for (std::size_t i : {std::size_t{3}, std::size_t{6}}) {
    RunOptions options = OptionsOf(Scenarios()[i], kTile8, SeedOf("Wiring", static_cast<int>(i)), TierOf().small_cycles / 2);
    options.devices = {"rtl", "rtl-flat"};
    SwitchRun run(options);
    ExpectPass(run);
    ExpectCompared(run);
  }
}

/// TILE-2, and the two ways of stepping: how tiles are evaluated changes nothing.
TEST(Array, SkippedTilesAndThreadsChangeNothing) {
  RunOptions options = OptionsOf(Scenarios()[3], kTile8, SeedOf("Array", 0), 4000);
  options.generator.load = 0.05;  // tiles fall asleep
  DeviceOptions all, two;
  all.evaluate_all = true;
  two.two_threads = true;
  for (const DeviceOptions& other : {all, two}) {
    auto asleep = std::make_unique<VerilatedArray>(kTile8, DeviceOptions{});
    const VerilatedArray* const skipping = asleep.get();
    SwitchRun run(options, std::move(asleep), std::make_unique<VerilatedArray>(kTile8, other));
    ExpectPass(run);
    ExpectCompared(run);
    EXPECT_LT(skipping->clocks(), static_cast<std::uint64_t>(run.lockstep().cycle()) * kTile8.tiles * 9 / 10) << "no tile was skipped";
  }
}

/// A missing reset would show.
TEST(Array, RandomInitialRegistersChangeNothing) {
  RunOptions options = OptionsOf(Scenarios()[3], kTile8, SeedOf("Reset", 0), 4000);
  for (int seed : {1, 2, 3}) {
    options.device.random_reset = seed;
    SwitchRun run(options);
    ExpectPass(run);
  }
}

/// The published 350 ns hop: 63 cycles in the switch.
TEST(QuietHop, TakesItsCycles) {
  Scenario scenario = Scenarios()[0];
  scenario.size = "64";
  scenario.load = 0.002;
  SwitchRun run(OptionsOf(scenario, kTile8, 1, 20000));
  ExpectPass(run);
  EXPECT_EQ(run.scoreboard().latency().Quantile(0), 63);
  EXPECT_EQ(run.scoreboard().latency().Quantile(0.5), 63);
}

}  // namespace
}  // namespace tilefly::cosim
