// SPDX-License-Identifier: Apache-2.0
// RTL and golden whose links go down, lose SerDes lanes, and have receivers that say nothing, by a plan: equal in every cycle.
#include <gtest/gtest.h>

#include "testbenches/lockstep/planned_runs.h"

namespace tilefly::bench {
namespace {

class PlannedPairs : public ::testing::TestWithParam<int> {};

/// With best effort no lane dies: a packet that comes on fewer lanes when its port goes on without retry is filled at its own
/// pace by golden, as the page says, and at that of the cable by RTL.
TEST_P(PlannedPairs, RtlEqualsGolden) {
  const int number = GetParam(), down = number % 3, lanes = number % 2 == 0 ? 4 : 3;
  constexpr const char* kKinds[] = {"fabric", "mixed", "enhanced"};
  const bool full = TierFromEnvironment() == Tier::kFull;
  const Cycle cycles = full ? 60'000 : 9000;
  const std::uint64_t seed = SeedOf(RootSeed(), CurrentTest());
  runs::RunOptions options = PlannedOptions(MixedPlanOf(seed, 0b00'010'010, down, number % 2 == 0, lanes, cycles),
                                            kKinds[number % 3], 1 + 67 * number % 400);
  options.devices = {"rtl", "golden"};
  options.lanes = lanes;
  options.generator.load = 0.4 + 0.1 * number;
  options.generator.replicated = 0.02;
  options.generator.routed = number % 2 == 0 && down == kModeBlock ? 0.2 : 0;
  options.stalls.share = 0.02;
  options.max_cycles = cycles;
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << HistoryOf(outcome);
  EXPECT_EQ(run.lockstep().compared(), run.lockstep().cycle() * 8);
  EXPECT_GT(DownsOf(run), 0);
}

INSTANTIATE_TEST_SUITE_P(Runs, PlannedPairs, ::testing::Range(0, 6));

}  // namespace
}  // namespace tilefly::bench
