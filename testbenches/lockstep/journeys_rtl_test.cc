// SPDX-License-Identifier: Apache-2.0
// Journeys of RTL alone are those of golden alone: both are made of links and observation record.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "runs/switch/session.h"
#include "testbenches/bench/process_folder.h"
#include "testbenches/bench/settings.h"
#include "testbenches/cosim/journey_checks.h"
#include "testbenches/lockstep/retry_scenarios.h"
#include "testbenches/lockstep/scenarios.h"

namespace tilefly::cosim {
namespace {

using Json = nlohmann::ordered_json;

/// Every stage of all packets of a run.
Json JourneysOf(runs::RunOptions options, const std::string& device) {
  options.devices = {device};
  runs::Settings settings;
  settings.Set("journey", "slowest:10000", "test");
  runs::FollowedPackets followed(settings);
  runs::SwitchRun run(options);
  runs::RunControl control;
  followed.Begin(&run, &control);
  const runs::Outcome outcome = run.Run(control);
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  followed.End(run);
  EXPECT_EQ(static_cast<std::int64_t>(followed.journeys().size()), run.scoreboard().books().copies);
  return followed.journeys();
}

/// Returns the journeys.
Json ExpectSame(const runs::RunOptions& options) {
  const Json rtl = JourneysOf(options, "rtl");
  const Json golden = JourneysOf(options, "golden");
  EXPECT_EQ(rtl.size(), golden.size());
  for (std::size_t i = 0; i < std::min(rtl.size(), golden.size()) && !::testing::Test::HasFailure(); ++i) EXPECT_EQ(rtl[i], golden[i]);
  EXPECT_EQ(rtl.dump().find("not in the record"), std::string::npos);
  EXPECT_EQ(rtl.dump().find("request crossing or grant"), std::string::npos);
  return golden;
}

class RtlJourneys : public ::testing::TestWithParam<Scenario> {};

TEST_P(RtlJourneys, AreThoseOfGoldenInEveryStageOfAllPackets) {
  const Cycle cycles = bench::TierFromEnvironment() == bench::Tier::kQuick ? 400 : 2000;
  ExpectSame(OptionsOf(GetParam(), kTile8, 7, cycles));
}

class RtlJourneysOverRetry : public ::testing::TestWithParam<int> {};

TEST_P(RtlJourneysOverRetry, AreThoseOfGoldenAndAddUp) {
  const Cycle cycles = bench::TierFromEnvironment() == bench::Tier::kQuick ? 1500 : 6000;
  const std::uint64_t seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  for (const Json& journey : ExpectSame(RetryScenario(GetParam(), seed, cycles))) {
    ExpectAddsUp(journey);
    if (HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(All, RtlJourneysOverRetry, ::testing::Range(0, kRetryScenarios));

INSTANTIATE_TEST_SUITE_P(All, RtlJourneys, ::testing::ValuesIn(Scenarios()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tilefly::cosim
