// SPDX-License-Identifier: Apache-2.0
// The peers of a switch that reduces (cosim/reduction/): all trees get their results, beside other traffic and whatever
// their peers do wrong, and a switch that computes wrongly is found.
#include <gtest/gtest.h>

#include "runs/switch/switch_run.h"

namespace tilefly::cosim {
namespace {

runs::RunOptions Options(std::uint32_t seed) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.devices = {"golden"};
  options.kinds = runs::ParsePortKinds("fabric", options.profile->ports);
  options.seed = seed;
  options.max_cycles = 60'000;
  options.generator.load = 0;
  options.generator.classes = "0,1,2,3,4,5";
  options.reductions.groups = 4;
  return options;
}

class Reductions : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Reductions, OfAllTreesComeOutRight) {
  runs::SwitchRun run(Options(GetParam()));
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  EXPECT_GT(run.reductions()->episodes(), 20);
}

TEST_P(Reductions, ComeOutRightBesideOtherTraffic) {
  runs::RunOptions options = Options(GetParam());
  options.generator.load = 0.7;
  options.generator.size = "64,1024";
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  EXPECT_GT(run.reductions()->episodes(), 10);
}

TEST_P(Reductions, GoOnAfterFailures) {
  runs::RunOptions options = Options(GetParam());
  options.max_cycles = 400'000;
  options.reductions.mishaps = 0.6;
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  EXPECT_GT(run.reductions()->failures(), 10);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Reductions, testing::Range(1u, 9u));

}  // namespace
}  // namespace tilefly::cosim
