// SPDX-License-Identifier: Apache-2.0
// Ranges and the runs that they make; testbenches/cli runs whole sweeps.
#include "runs/sweep/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "runs/sweep/saturation_search.h"
#include "runs/sweep/sweep_results.h"
#include "support/errors.h"

namespace tilefly::cosim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string RefusalOf(const std::string& range) {
  try {
    runs::ValuesOfRange(range, "load");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(SweepRange, OnlyThreeNumbersAreOne) {
  for (const char* range : {"0.1:0.9:0.1", "1:10:1", "-3:3:2", "5:1:-1", "7:7:1", "1e3:1.5e3:1e2", "1.:2:3", ".5:1:.1", "1e-1:3e-1:1e-1", "1e+2:300:1e2"})
    EXPECT_TRUE(runs::IsRange(range)) << range;
  for (const char* other :
       {"", "0.5", "adversarial:1", "hotspot:3:0.5", "preset:shandy", "dragonfly:p=2,a=4,h=2", "1:2", "1:2:3:4",
        "0.1:0.9:", "a:b:c", ".:2:3", "1e:2e1:1", "1e-:2:1", "1e--1:2:1", "--1:2:1", "64,128:256:64"})
    EXPECT_FALSE(runs::IsRange(other)) << other;
}

TEST(SweepRange, ValuesAreExactDecimals) {
  EXPECT_THAT(runs::ValuesOfRange("0.1:0.9:0.2", "load"), ElementsAre("0.1", "0.3", "0.5", "0.7", "0.9"));
  EXPECT_THAT(runs::ValuesOfRange("64:200:64", "size"), ElementsAre("64", "128", "192"));
  EXPECT_THAT(runs::ValuesOfRange("0.05:0.1:0.025", "load"), ElementsAre("0.050", "0.075", "0.100"));
  EXPECT_THAT(runs::ValuesOfRange("3:1:-1", "x"), ElementsAre("3", "2", "1"));
  EXPECT_THAT(runs::ValuesOfRange("-0.1:0.1:0.1", "x"), ElementsAre("-0.1", "0.0", "0.1"));
  EXPECT_THAT(runs::ValuesOfRange("7:7:1", "x"), ElementsAre("7"));
  EXPECT_THAT(runs::ValuesOfRange("1e3:2e3:2.5e2", "x"), ElementsAre("1000", "1250", "1500", "1750", "2000"));
  EXPECT_THAT(runs::ValuesOfRange("1.25e1:13:0.5", "x"), ElementsAre("12.5", "13.0"));
  EXPECT_THAT(runs::ValuesOfRange(".1:.3:.1", "x"), ElementsAre("0.1", "0.2", "0.3"));
  EXPECT_THAT(runs::ValuesOfRange("1e-1:3e-1:1e-1", "x"), ElementsAre("0.1", "0.2", "0.3"));
  EXPECT_THAT(runs::ValuesOfRange("2.5e-2:0.05:2.5e-2", "x"), ElementsAre("0.025", "0.050"));
  EXPECT_EQ(runs::ValuesOfRange("0.0001:1:0.0001", "x").size(), 10000u);
}

TEST(SweepRange, AStepThatLeadsNowhereIsRefused) {
  EXPECT_THAT(RefusalOf("0.1:0.9:0"),
              AllOf(HasSubstr("--load"), HasSubstr("step of 0"), HasSubstr("such as 0.1:0.9:0.1")));
  EXPECT_THAT(RefusalOf("0.1:0.9:-0.1"), HasSubstr("does not lead from 0.1 to 0.9"));
  EXPECT_THAT(RefusalOf("0.9:0.1:0.1"), HasSubstr("such as 0.9:0.1:-0.1"));
  EXPECT_THAT(RefusalOf("10000:10000:1e-15"), HasSubstr("more digits than"));
  EXPECT_THAT(RefusalOf("0:1:0.0001"), AllOf(HasSubstr("more than 10000"), HasSubstr("larger step")));
  EXPECT_THAT(RefusalOf("0:999999999999999:0.00000000000001"), HasSubstr("larger step"));
}

runs::NetSettings With(const std::vector<std::pair<std::string, std::string>>& values) {
  runs::NetSettings settings;
  for (const auto& [path, value] : values) settings.Set(path, value, "test");
  settings.ResolveInputs();
  return settings;
}

TEST(SweepPlan, ReseedsAreSeeds) {
  const runs::SweepPlan plan(With({{"reseeds", "3"}, {"seed", "7"}, {"traffic.load", "0.1:0.2:0.1"}}));
  ASSERT_EQ(plan.points.size(), 6u);
  EXPECT_EQ(plan.points[0].name, "seed=7,load=0.1");
  EXPECT_EQ(plan.points[0].settings.Get("reseeds"), "1");
  std::set<std::string> seeds;
  for (const runs::SweepPoint& point : plan.points) seeds.insert(point.settings.Get("seed"));
  EXPECT_EQ(seeds.size(), 3u);
  EXPECT_THROW(runs::SweepPlan(With({{"reseeds", "3"}, {"seed", "1:2:1"}})), UsageError);
}

TEST(SweepPlan, IsTheProductOfTheRanges) {
  const runs::NetSettings settings = With({{"traffic.load", "0.1:0.3:0.1"}, {"max_cycles", "1000:2000:1000"}});
  EXPECT_TRUE(runs::IsSweep(settings));
  const runs::SweepPlan plan(settings);
  ASSERT_EQ(plan.swept.size(), 2u);
  EXPECT_STREQ(plan.swept[0].setting->option, "max-cycles");
  EXPECT_STREQ(plan.swept[runs::CurveAxis(plan)].setting->option, "load");
  std::vector<std::string> names;
  for (const runs::SweepPoint& point : plan.points) names.push_back(point.name);
  EXPECT_THAT(names, ElementsAre("max-cycles=1000,load=0.1", "max-cycles=1000,load=0.2", "max-cycles=1000,load=0.3",
                                 "max-cycles=2000,load=0.1", "max-cycles=2000,load=0.2", "max-cycles=2000,load=0.3"));
  EXPECT_EQ(plan.points[5].settings.Get("traffic.load"), "0.3");
  EXPECT_EQ(plan.points[5].settings.Get("warmup"), "400") << "what follows from a range is each run's own";
}

TEST(SweepPlan, OneRunIsNone) { EXPECT_FALSE(runs::IsSweep(With({{"traffic.pattern", "hotspot:3:0.5"}}))); }

TEST(SweepPlan, ARandomSeedIsTheSameInAllRuns) {
  const runs::SweepPlan plan(With({{"seed", "random"}, {"traffic.load", "0.1:0.2:0.1"}}));
  EXPECT_EQ(plan.points[0].settings.Get("seed"), plan.points[1].settings.Get("seed"));
  EXPECT_NE(plan.points[0].settings.Get("seed"), "random");
}

TEST(SweepPlan, TooManyRunsAreRefused) {
  try {
    runs::SweepPlan(With({{"traffic.load", "0.01:1.00:0.01"}, {"seed", "1:101:1"}}));
    FAIL() << "no exception";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("--load 0.01:1.00:0.01"), HasSubstr("--seed 1:101:1"), HasSubstr("10000")));
  }
}

TEST(Sweep, TheWorstCodeCounts) {
  EXPECT_EQ(runs::WorstExitCode({0, 0}), 0);
  EXPECT_EQ(runs::WorstExitCode({0, 124, 4}), 4);
  EXPECT_EQ(runs::WorstExitCode({4, 1, 0}), 1);
  EXPECT_EQ(runs::WorstExitCode({1, 2}), 2);
  EXPECT_EQ(runs::WorstExitCode({2, 3}), 3);
  EXPECT_EQ(runs::WorstExitCode({2, 77}), 3) << "a code that the program does not have";
  EXPECT_EQ(runs::WorstExitCode({3, -1}), 130) << "not run";
}

TEST(Sweep, PointsSayWhetherTheyAreSteady) {
  const runs::SweepPlan plan(With({{"traffic.load", "0.1:0.3:0.1"}}));
  std::vector<runs::RunOutcome> outcomes(3);
  const char* const verdicts[] = {"converged", "undecided", "saturated"};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::string verdict = verdicts[i];
    outcomes[i].exit_code = 0;
    outcomes[i].results = {
        {"verdict", "pass"}, {"steady_state", {{"verdict", verdict}}}, {"latency_ns", {{"mean", 700}}}};
    for (const char* key : {"converged", "saturated", "latency_depends_on_length"}) outcomes[i].results[key] = nullptr;
    if (verdict == "undecided") continue;
    outcomes[i].results["converged"] = verdict == "converged";
    outcomes[i].results["saturated"] = outcomes[i].results["latency_depends_on_length"] = verdict == "saturated";
  }
  const std::string csv = runs::SweepCsv(plan, outcomes);
  EXPECT_THAT(csv, HasSubstr("load,verdict,converged,saturated,latency_depends_on_length,"));
  EXPECT_THAT(csv, HasSubstr("\n0.1,pass,yes,no,no,"));
  EXPECT_THAT(csv, HasSubstr("\n0.2,pass,undecided,undecided,undecided,"));
  EXPECT_THAT(csv, HasSubstr("\n0.3,pass,no,yes,yes,"));
  const auto json = runs::SweepJson(plan, outcomes, 0, 1);
  EXPECT_EQ(json["points"][0]["saturated"], false);
  EXPECT_TRUE(json["points"][1]["saturated"].is_null());
  EXPECT_EQ(json["points"][2]["steady_state"], "saturated");
  const std::string svg = runs::SweepSvg(plan, outcomes);
  const char* const kHollow = "r=\"3.5\" fill=\"white\"";
  std::size_t hollow = 0;
  for (auto at = svg.find(kHollow); at != std::string::npos; at = svg.find(kHollow, at + 1)) ++hollow;
  EXPECT_EQ(hollow, 2u) << svg;
}

/// Every border and every width of what is undecided, at every place.
TEST(SaturationBorders, AreFoundByHalving) {
  using Answer = runs::SaturationBorders::Answer;
  constexpr int kLast = 20;
  for (int low = 0; low <= kLast; ++low) {
    for (int high = low + 1; high <= kLast + 1; ++high) {
      runs::SaturationBorders borders(kLast);
      int runs = 0;
      for (std::vector<int> next = borders.Next(); !next.empty(); next = borders.Next()) {
        for (const int load : next) {
          ASSERT_TRUE(load >= 1 && load <= kLast && ++runs <= 10) << low << " " << high;
          borders.Tell(load, load <= low ? Answer::kConverged : load >= high ? Answer::kSaturated : Answer::kUndecided);
        }
      }
      EXPECT_EQ(borders.highest_converged(), low) << high;
      EXPECT_EQ(borders.lowest_saturated(), high) << low;
    }
  }
}

TEST(Sweep, PointsWithoutResultsHaveEmptyFields) {
  const runs::SweepPlan plan(With({{"traffic.load", "0.5:1.0:0.5"}}));
  std::vector<runs::RunOutcome> outcomes(2);
  outcomes[0].exit_code = 0;
  outcomes[0].results = {{"verdict", "pass"}, {"accepted_load", 0.49}, {"latency_ns", {{"mean", 700.5}}}};
  outcomes[1].exit_code = kUsage;
  const std::string csv = runs::SweepCsv(plan, outcomes);
  EXPECT_THAT(csv, HasSubstr("\n0.5,pass,,,,,0.49,700.5,,"));
  EXPECT_THAT(csv, HasSubstr("\n1.0,refused,,,,"));
  const auto json = runs::SweepJson(plan, outcomes, kUsage, 1);
  EXPECT_EQ(json["verdict"], "fail");
  EXPECT_EQ(json["points"][0]["values"]["load"], 0.5);
  EXPECT_EQ(json["points"][1]["exit_code"], kUsage);
  EXPECT_FALSE(json["points"][1].contains("accepted_load"));
  EXPECT_THAT(runs::SweepSvg(plan, outcomes), HasSubstr("hollow: saturated or undecided"));
}

}  // namespace
}  // namespace tilefly::cosim
