// SPDX-License-Identifier: Apache-2.0
// Journeys of RTL alone are those of golden alone: both are made of links and observation record.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "runs/switch/session.h"
#include "testbenches/bench/process_folder.h"
#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/scenarios.h"

namespace tilefly::cosim {
namespace {

using Json = nlohmann::ordered_json;

/// Every stage of all packets of a run.
Json JourneysOf(const Scenario& scenario, const std::string& device, Cycle cycles) {
  runs::RunOptions options = OptionsOf(scenario, kTile8, 7, cycles);
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

class RtlJourneys : public ::testing::TestWithParam<Scenario> {};

TEST_P(RtlJourneys, AreThoseOfGoldenInEveryStageOfAllPackets) {
  const Cycle cycles = bench::TierFromEnvironment() == bench::Tier::kQuick ? 400 : 2000;
  const Json rtl = JourneysOf(GetParam(), "rtl", cycles);
  const Json golden = JourneysOf(GetParam(), "golden", cycles);
  ASSERT_EQ(rtl.size(), golden.size());
  for (std::size_t i = 0; i < rtl.size(); ++i) ASSERT_EQ(rtl[i], golden[i]);
  EXPECT_EQ(rtl.dump().find("not in the record"), std::string::npos);
  EXPECT_EQ(rtl.dump().find("request crossing or grant"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, RtlJourneys, ::testing::ValuesIn(Scenarios()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tilefly::cosim
