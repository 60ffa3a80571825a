// SPDX-License-Identifier: Apache-2.0
// RTL and golden with link-level retry, over wires that fail in every way: equal in every cycle, and nothing is lost.
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "runs/switch/retry_results.h"
#include "runs/switch/switch_run.h"
#include "testbenches/bench/settings.h"

namespace tilefly::cosim {
namespace {

/// A replay's charge takes a lane its credit in a cycle in which nothing else happens at the output. Another class has its
/// turn then, so an output that sleeps must wake: with these settings and this seed, golden once slept on.
TEST(ReplaysCharge, LetsAnotherClassHaveItsTurn) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.kinds = runs::ParsePortKinds("mixed", 8);
  options.retry = 0.5;
  options.link_delay = 112;
  options.seed = 3;
  options.generator.load = 0.6;
  options.generator.size = "64,1024,4000*0.1";
  options.generator.classes = "0,1,2,3";
  options.generator.replicated = 0.02;
  options.generator.routed = 0.2;
  options.generator.faults = 0.05;
  options.acks = 0.5;
  options.stalls.share = 0.02;
  options.max_cycles = 10'000;
  auto plan = std::make_shared<faults::Plan>();
  plan->channel.word_ber = plan->channel.slot_ber = 1e-5;
  plan->channel.word = {0.002, 0.001, 0.001};
  plan->channel.slot = {0.005, 0.005, 0.005};
  options.plan = plan;
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
}

/// A port that becomes a retry port late has waited for nothing: golden once counted its watchdog from cycle 0.
TEST(RetryPorts, MayBeginInAnyCycle) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.kinds = runs::ParsePortKinds("fabric", 8);
  options.retry = 1;
  options.link_delay = 1;
  options.generator.load = 0.5;
  options.generator.size = "64,1024";
  options.max_cycles = 1000;
  options.device.first_cycle = 1 << 20;
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
}

class FailingWires : public ::testing::TestWithParam<int> {};

/// Kinds of ports, lanes, delays and rates are dealt over the runs; in two of three some ports have no retry.
TEST_P(FailingWires, RtlEqualsGolden) {
  const int number = GetParam();
  const bool full = bench::TierFromEnvironment() == bench::Tier::kFull;
  constexpr const char* kKinds[] = {"fabric", "mixed", "enhanced"};
  constexpr double kShares[] = {0.5, 1, 0.7};
  runs::RunOptions options;
  options.profile = &kTile8;
  options.kinds = runs::ParsePortKinds(kKinds[number % 3], 8);
  options.lanes = 4 - number % 4;
  options.retry = kShares[number % 3];
  options.link_delay = 1 + 37 * number % 420;
  options.seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  options.generator.load = 0.4 + 0.1 * (number % 6);
  options.generator.size = "64,1024,4000*0.1";
  options.generator.classes = "0,1,2,3,4,5";
  options.generator.replicated = 0.02;
  options.generator.faults = 0.05;
  options.generator.routed = number % 2 == 0 ? 0.2 : 0;
  options.acks = number % 2 == 0 ? 0.5 : 0;
  options.stalls.share = 0.02;
  options.reductions.groups = number % 4 == 3 ? 4 : 0;
  if (options.reductions.groups > 0) options.reductions.mishaps = 0.3;
  options.max_cycles = full ? 100'000 : 6000;
  auto plan = std::make_shared<faults::Plan>();
  plan->channel.word_ber = 5e-6;
  plan->channel.slot_ber = 5e-6;
  plan->channel.burst = 1 + number % 3;
  plan->channel.word = {0.001, 0.001, 0.001};
  plan->channel.slot = {0.004, 0.004, 0.004};
  options.plan = plan;
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  std::string history;
  for (const std::string& event : outcome.history) history += "\n  " + event;
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message << history;
  EXPECT_EQ(run.lockstep().compared(), run.lockstep().cycle() * 8);
  const nlohmann::ordered_json link_retry = runs::LinkRetryJson(run);
  for (const char* const key : {"replays", "healed_cells", "bad_words", "bad_slots"})
    EXPECT_GT(link_retry[key].get<std::int64_t>(), 0) << key;
}

INSTANTIATE_TEST_SUITE_P(Runs, FailingWires, ::testing::Range(0, 12));

}  // namespace
}  // namespace tilefly::cosim
