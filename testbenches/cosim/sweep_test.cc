// SPDX-License-Identifier: Apache-2.0
// Ranges and the runs that they make; testbenches/cli runs whole sweeps.
#include "runs/sweep/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "runs/sweep/saturation_gate.h"
#include "runs/sweep/saturation_search.h"
#include "runs/sweep/sweep_picture.h"
#include "runs/sweep/sweep_results.h"
#include "support/errors.h"

namespace tilefly::cosim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string RefusalOf(const std::string& range) {
  try {
    runs::ValuesOfRange(range, "--load");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(SweepRange, OnlyThreeNumbersAreOne) {
  for (const char* range : {"0.1:0.9:0.1", "1:10:1", "-3:3:2", "5:1:-1", "7:7:1", "1e3:1.5e3:1e2", "1.:2:3", ".5:1:.1",
                            "1e-1:3e-1:1e-1", "1e+2:300:1e2", "0ns:400ns:100ns", "64KiB:256KiB:64KiB"})
    EXPECT_TRUE(runs::IsRange(range)) << range;
  for (const char* other : {"", "0.5", "adversarial:1", "hotspot:3:0.5", "preset:shandy", "dragonfly:p=2,a=4,h=2",
                            "1:2", "1:2:3:4", "0.1:0.9:", "a:b:c", ".:2:3", "1e:2e1:1", "1e-:2:1", "1e--1:2:1",
                            "--1:2:1", "64,128:256:64", "0ns:4us:1ns", "ns:ns:ns", "0:400ns:100ns"})
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
  EXPECT_THAT(runs::ValuesOfRange("0ns:0.5ns:0.25ns", "x"), ElementsAre("0.00ns", "0.25ns", "0.50ns"));
  EXPECT_EQ(runs::ValuesOfRange("0.0001:1:0.0001", "x").size(), 10000u);
}

/// The values of an option of `net` that is given this text; empty: it is one value.
std::vector<std::string> ListOf(const std::string& option, const std::string& text) {
  for (const runs::Setting& setting : runs::NetSettings::Table()) {
    if (setting.option != option) continue;
    return runs::IsSeveral(setting, text) ? runs::ValuesOf(setting, text) : std::vector<std::string>{};
  }
  ADD_FAILURE() << option;
  return {};
}

TEST(SweepList, CommasStandBetweenValuesThatHaveNone) {
  EXPECT_THAT(ListOf("routing", "min,valiant,adaptive_0"), ElementsAre("min", "valiant", "adaptive_0"));
  EXPECT_THAT(ListOf("load", "0.1, 0.5"), ElementsAre("0.1", "0.5"));
  EXPECT_THAT(ListOf("load", "0.1:0.3:0.1,0.5"), ElementsAre("0.1", "0.2", "0.3", "0.5")) << "ranges in lists";
  EXPECT_THAT(ListOf("resend", "20us,1ms"), ElementsAre("20us", "1ms"));
  EXPECT_THAT(ListOf("load", "0.5"), IsEmpty());
}

TEST(SweepList, NumbersAreWrittenPlainly) {
  EXPECT_THAT(ListOf("load", "0.10:0.30:0.05"), ElementsAre("0.1", "0.15", "0.2", "0.25", "0.3"));
  EXPECT_THAT(ListOf("load", "0.50,1e-1,1.0,.25"), ElementsAre("0.5", "0.1", "1", "0.25"));
  EXPECT_THAT(ListOf("max-cycles", "1e4,2000"), ElementsAre("10000", "2000"));
  EXPECT_THAT(ListOf("resend", "20us,1.50ms"), ElementsAre("20us", "1.5ms"));
  EXPECT_THAT(ListOf("qos", "{1.10;a.yaml}"), ElementsAre("1.10", "a.yaml")) << "names of files";
}

TEST(SweepList, CommasWithinAValueKeepTheirMeaning) {
  for (const auto& [option, one] : {std::pair("size", "64,1024*0.5"), std::pair("classes", "0,3*0.5"),
                                    std::pair("topology", "dragonfly:p=2,a=4,h=2"), std::pair("topology", "a,b.yaml"),
                                    std::pair("traffic", "hotspot:3,5:0.5"),
                                    std::pair("traffic", "allreduce:ring,bytes=64KiB+alltoall:bytes=1KiB,ranks=4"),
                                    std::pair("journey", "slowest:3,e7:1"), std::pair("device", "3=rtl,5=rtl"),
                                    std::pair("fail-link", "1.2@3,4.5@6"), std::pair("goal", "a,b.goal")})
    EXPECT_THAT(ListOf(option, one), IsEmpty()) << option << " " << one;
}

TEST(SweepList, ACommaBeforeANameBeginsAnotherPattern) {
  EXPECT_THAT(ListOf("traffic", "uniform,adversarial:1"), ElementsAre("uniform", "adversarial:1"));
  EXPECT_THAT(ListOf("traffic", "hotspot:3,5:0.5,uniform"), ElementsAre("hotspot:3,5:0.5", "uniform"));
  EXPECT_THAT(ListOf("traffic", "allreduce:ring,bytes=64KiB,alltoall+barrier"),
              ElementsAre("allreduce:ring,bytes=64KiB", "alltoall+barrier"));
  EXPECT_THAT(ListOf("topology", "dragonfly:p=2,a=4,h=2,preset:shandy"),
              ElementsAre("dragonfly:p=2,a=4,h=2", "preset:shandy"));
}

TEST(SweepList, BracesHoldListsOfEverySetting) {
  EXPECT_THAT(ListOf("size", "{64; 64,1024*0.5}"), ElementsAre("64", "64,1024*0.5"));
  EXPECT_THAT(ListOf("size", "{64:256:64;1024}"), ElementsAre("64", "128", "192", "256", "1024"));
  EXPECT_THAT(ListOf("qos", "{;a.yaml}"), ElementsAre("", "a.yaml")) << "with and without";
  EXPECT_THAT(ListOf("routing", "{min;valiant}"), ElementsAre("min", "valiant"));
}

TEST(SweepList, WhatIsNoListIsRefusedWithTheRemedy) {
  const auto refusal = [](const char* option, const char* text) -> std::string {
    try {
      ListOf(option, text);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("size", "{64"), AllOf(HasSubstr("--size {64"), HasSubstr("'{a;b}'"), HasSubstr("quotes")));
  EXPECT_THAT(refusal("load", "0.1,,0.5"), AllOf(HasSubstr("--load"), HasSubstr("is empty")));
  EXPECT_THAT(refusal("traffic", "uniform,"), AllOf(HasSubstr("--traffic"), HasSubstr("is empty")));
  EXPECT_THAT(refusal("load", "0.1:0.5:0.1,0.50"), HasSubstr("0.50 is named twice"));
  EXPECT_THAT(refusal("load", "{}"), AllOf(HasSubstr("--load {}"), HasSubstr("is empty; leave it out")));
  for (const char* half : {"0.1:0.9", "0.1:0.9:", "1:2:3:4", "0ns:400us:100ns", "0:400ns:100ns", "0.5,0.6:0.9"})
    EXPECT_THAT(refusal("load", half), HasSubstr("FROM:TO:STEP")) << half;
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

std::vector<std::string> NamesOf(const runs::SweepPlan& plan) {
  std::vector<std::string> names;
  for (const runs::SweepPoint& point : plan.points) names.push_back(point.name);
  return names;
}

/// A key that tunes what a point does not have is left out there, and the table has a column of it.
TEST(SweepPlan, PointsLeaveOutWhatHasNoEffect) {
  for (const char* control : {"on,off", "off,on"}) {
    const runs::SweepPlan plan(
        With({{"congestion_control", control}, {"profile.flow_hold", "100"}, {"nic.resend", "20us"}}));
    ASSERT_EQ(plan.swept.size(), 2u) << "--resend has an effect at all points";
    EXPECT_THAT(NamesOf(plan),
                testing::UnorderedElementsAre("congestion-control=on,profile.flow_hold=100", "congestion-control=off"));
    for (const runs::SweepPoint& point : plan.points) {
      const bool on = point.settings.Get("congestion_control") == "on";
      EXPECT_EQ(point.settings.Get("profile.flow_hold"), on ? "100" : "");
      EXPECT_THAT(point.values, ElementsAre(on ? "on" : "off", on ? "100" : ""));
      EXPECT_EQ(point.LeavesOut(1), !on);
      EXPECT_FALSE(point.LeavesOut(0));
    }
    EXPECT_THAT(plan.Warnings(),
                ElementsAre("warning: --set profile.flow_hold is left out at 1 of the 2 points: it has no effect "
                            "without --congestion-control on"));
    const std::string csv = runs::SweepCsv(plan, std::vector<runs::RunOutcome>(2));
    EXPECT_THAT(csv, testing::StartsWith("congestion-control,profile.flow_hold,verdict,"));
    EXPECT_THAT(csv, AllOf(HasSubstr("\non,100,not-run,"), HasSubstr("\noff,,not-run,")));
  }
}

TEST(SweepPlan, AValueThatIsLeftOutMakesNoFurtherPoint) {
  const runs::SweepPlan plan(
      With({{"congestion_control", "off,on"}, {"profile.flow_hold", "50,100"}, {"traffic.load", "0.1,0.2"}}));
  EXPECT_THAT(NamesOf(plan),
              testing::UnorderedElementsAre("congestion-control=off,load=0.1", "congestion-control=off,load=0.2",
                                            "congestion-control=on,load=0.1,profile.flow_hold=50",
                                            "congestion-control=on,load=0.1,profile.flow_hold=100",
                                            "congestion-control=on,load=0.2,profile.flow_hold=50",
                                            "congestion-control=on,load=0.2,profile.flow_hold=100"));
  const nlohmann::ordered_json json = runs::SweepJson(plan, std::vector<runs::RunOutcome>(plan.points.size()), 0, 0);
  int left_out = 0;
  for (const nlohmann::ordered_json& point : json["points"]) {
    EXPECT_EQ(point["values"]["profile.flow_hold"].is_null(), point["values"]["congestion-control"] == "off");
    left_out += point["values"]["profile.flow_hold"].is_null();
  }
  EXPECT_EQ(left_out, 2);
}

TEST(SweepPlan, WhatHasNoEffectAtAnyPointIsKept) {
  const runs::SweepPlan plan(With({{"traffic.load", "0.1,0.2"}, {"profile.flow_hold", "100"}}));
  EXPECT_EQ(plan.swept.size(), 1u);
  EXPECT_THAT(plan.Warnings(), IsEmpty());
  EXPECT_EQ(plan.points[0].settings.Get("profile.flow_hold"), "100") << "the command refuses it";
}

TEST(SweepPlan, AnOptionOfSomeRoutingsIsLeftOutAtOthers) {
  const runs::SweepPlan plan(With({{"routing", "min,adaptive_0"}, {"bias", "5,7"}}));
  EXPECT_THAT(NamesOf(plan),
              testing::UnorderedElementsAre("routing=min", "routing=adaptive_0,bias=5", "routing=adaptive_0,bias=7"));
  EXPECT_STREQ(plan.swept[runs::CurveAxis(plan)].setting->option, "routing") << "all points have it";
  EXPECT_THAT(runs::HeatAxes(plan), IsEmpty());
}

/// Curves are named by what their points have.
TEST(SweepPicture, ACurveHasNoNameOfWhatItLeavesOut) {
  const runs::SweepPlan plan(
      With({{"congestion_control", "on,off"}, {"profile.flow_hold", "100"}, {"traffic.load", "0.1,0.2"}}));
  std::vector<nlohmann::ordered_json> points(plan.points.size(), {{"latency_mean_ns", 100.0}});
  const std::string svg = runs::SweepSvg(plan, points);
  EXPECT_THAT(svg, HasSubstr(">congestion-control off<"));
  EXPECT_THAT(svg, HasSubstr("congestion-control on, profile.flow_hold 100<"));
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
  const std::string svg = runs::SweepSvg(plan, json["points"].get<std::vector<nlohmann::ordered_json>>());
  std::size_t hollow = 0;
  const std::string kHollow = "r=\"3.5\" fill=\"white\"";
  for (auto at = svg.find(kHollow); at != std::string::npos; at = svg.find(kHollow, at + 1)) ++hollow;
  EXPECT_EQ(hollow, 4u) << "of two points and of the notes" << svg;
}

TEST(SweepPlan, ListsAndRangesMakeAllCombinations) {
  const runs::SweepPlan plan(With(
      {{"routing", "min,valiant"}, {"traffic.pattern", "uniform,adversarial:1"}, {"traffic.load", "0.1:0.3:0.1"}}));
  ASSERT_EQ(plan.points.size(), 12u);
  EXPECT_EQ(plan.points[0].name, "routing=min,traffic=uniform,load=0.1");
  EXPECT_EQ(plan.points[11].name, "routing=valiant,traffic=adversarial:1,load=0.3");
  EXPECT_EQ(plan.points[11].settings.Get("traffic.pattern"), "adversarial:1");
  EXPECT_EQ(plan.swept[runs::CurveAxis(plan)].setting->option, std::string("load"));
  EXPECT_FALSE(plan.swept[0].numeric());
  EXPECT_THAT(plan.swept[2].numbers, ElementsAre(0.1, 0.2, 0.3));
}

TEST(SweepPlan, NamesOfPointsAreNamesOfFoldersAndDiffer) {
  const runs::SweepPlan plan(With({{"traffic.size", "{64,1024*0.5;64,1024/0.5}"}, {"qos.file", "{;dir/a.yaml}"}}));
  std::set<std::string> names;
  for (const runs::SweepPoint& point : plan.points) {
    names.insert(point.name);
    EXPECT_EQ(point.name.find_first_of("*/; "), std::string::npos) << point.name;
  }
  EXPECT_EQ(names.size(), 4u);
  EXPECT_THAT(plan.points[0].name, HasSubstr("size=64,1024-0.5~"));
  EXPECT_EQ(plan.points[0].settings.Get("qos.file"), "");
  EXPECT_EQ(plan.points[2].settings.Get("qos.file").front(), '/') << "files of a list are absolute";
}

TEST(SweepPlan, OfCosimItsReseedsAreNoPoints) {
  runs::Settings settings;
  settings.Set("traffic.load", "0.1:0.3:0.1", "test");
  settings.Set("reseeds", "3", "test");
  EXPECT_TRUE(runs::IsSweep(settings));
  const runs::SweepPlan plan(settings);
  ASSERT_EQ(plan.points.size(), 3u);
  EXPECT_EQ(plan.points[2].name, "load=0.3");
  EXPECT_EQ(plan.points[2].settings.Get("reseeds"), "3");
  EXPECT_EQ(plan.points[2].settings.Get("max_cycles"), "20000") << "resolved by its own table";
  runs::Settings seeds;
  seeds.Set("reseeds", "3", "test");
  EXPECT_FALSE(runs::IsSweep(seeds));
}

/// Outcomes with latencies and loads: of load 0.3 on saturated.
std::vector<runs::RunOutcome> Outcomes(const runs::SweepPlan& plan) {
  std::vector<runs::RunOutcome> outcomes(plan.points.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const bool saturated = plan.points[i].settings.Get("traffic.load") >= "0.3";
    outcomes[i].exit_code = 0;
    outcomes[i].results = {{"verdict", "pass"},
                           {"converged", !saturated},
                           {"saturated", saturated},
                           {"accepted_load", 0.1 + 0.01 * static_cast<double>(i)},
                           {"latency_ns", {{"mean", 700.0 + static_cast<double>(i)}, {"p99", 900}}},
                           {"latency_cycles", {{"mean", 350.0 + 0.5 * static_cast<double>(i)}}},
                           {"steady_state",
                            {{"verdict", saturated ? "saturated" : "converged"},
                             {"latency_cycles", {{"half_width", 5.0}}},
                             {"accepted_load", {{"half_width", 0.001}}}}}};
  }
  return outcomes;
}

std::vector<nlohmann::ordered_json> PointsOf(const runs::SweepPlan& plan) {
  return runs::SweepJson(plan, Outcomes(plan), 0, 1)["points"].get<std::vector<nlohmann::ordered_json>>();
}

std::size_t CountOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Sweep, TablesNameWhatIsNotSweptAndHalfWidthsOfWhatConverged) {
  const runs::SweepPlan plan(With({{"traffic.pattern", "hotspot:3,5:0.5,uniform"}, {"traffic.load", "0.1,0.3"}}));
  const std::string csv = runs::SweepCsv(plan, Outcomes(plan));
  EXPECT_THAT(
      csv, HasSubstr(",completion_ns,steady_latency_half_width_ns,steady_accepted_load_half_width,topology,routing\n"));
  EXPECT_THAT(csv, HasSubstr("\n\"hotspot:3,5:0.5\",0.1,pass,yes,no,no,"));
  EXPECT_THAT(csv, HasSubstr(",10.0,0.001,\"dragonfly:p=2,a=4,h=2\",min\n")) << "5 cycles of 2 ns";
  EXPECT_THAT(csv, HasSubstr("\nuniform,0.3,pass,no,yes,no,")) << csv;
  EXPECT_EQ(CountOf(csv, ",,,\"dragonfly:p=2,a=4,h=2\",min\n"), 2u) << "none of what is saturated" << csv;
  const auto json = runs::SweepJson(plan, Outcomes(plan), 0, 1);
  EXPECT_EQ(json["named"]["routing"], "min");
  EXPECT_EQ(json["points"][0]["values"]["traffic"], "hotspot:3,5:0.5");
}

TEST(SweepPicture, HasAColumnForEachTrafficAndACurveForEachRouting) {
  const runs::SweepPlan plan(With(
      {{"routing", "min,valiant"}, {"traffic.pattern", "uniform,adversarial:1"}, {"traffic.load", "0.1:0.3:0.1"}}));
  const std::string svg = runs::SweepSvg(plan, PointsOf(plan));
  for (const char* said : {">traffic uniform<", ">traffic adversarial:1<", ">routing min<", ">routing valiant<",
                           "topology dragonfly:p=2,a=4,h=2", "size 512", ">mean latency, ns<", ">p99 latency, ns<",
                           ">accepted load, share of the word slots<", ">load, share of the word slots<",
                           "saturated: the latency depends on the length of the run", "bars: 95 % confidence"})
    EXPECT_THAT(svg, HasSubstr(said));
  EXPECT_EQ(CountOf(svg, ">mean latency, ns<"), 2u);
  EXPECT_THAT(svg, HasSubstr("stroke-dasharray")) << "to what is saturated";
  EXPECT_THAT(svg, Not(HasSubstr("undecided")));
  EXPECT_TRUE(runs::HeatAxes(plan).empty());
}

TEST(SweepPicture, OfTwoSettingsWithNumbersIsAHeatMap) {
  const runs::SweepPlan plan(With({{"traffic.size", "64:256:64"}, {"bias", "0,88"}, {"routing", "adaptive_3"}}));
  EXPECT_THAT(runs::HeatAxes(plan), ElementsAre(0u, 1u));
  const std::string svg = runs::SweepSvg(plan, PointsOf(plan));
  EXPECT_THAT(svg, HasSubstr("across: bias; up: size"));
  EXPECT_THAT(svg, Not(HasSubstr("stroke-dasharray")));
  const runs::SweepPlan loads(With({{"traffic.size", "64:256:64"}, {"traffic.load", "0.1,0.3"}}));
  const std::string both = runs::SweepSvg(loads, PointsOf(loads));
  EXPECT_THAT(both, AllOf(HasSubstr("across: load, share of the word slots; up: size"), HasSubstr("stroke-dasharray")));
  const runs::SweepPlan seeds(With({{"seed", "1,2"}, {"traffic.load", "0.1,0.3"}}));
  EXPECT_TRUE(runs::HeatAxes(seeds).empty()) << "seeds are repetitions";
}

TEST(SweepPicture, ValuesThatAreNoNumbersHavePlaces) {
  const runs::SweepPlan plan(With({{"routing", "min,valiant"}, {"topology", "preset:malbec,preset:shandy"}}));
  const std::string svg = runs::SweepSvg(plan, PointsOf(plan));
  EXPECT_THAT(svg, AllOf(HasSubstr(">preset:malbec<"), HasSubstr(">preset:shandy<"), HasSubstr(">routing valiant<")));
}

TEST(SaturationGate, SkipsWhatLiesFartherThanAskedForAboveTheLowestSaturatedLoad) {
  using Gate = runs::RunPool::Gate;
  const runs::SweepPlan plan(With({{"routing", "min,valiant"}, {"traffic.load", "0.5:0.1:-0.1"}}));
  const auto point = [&](const std::string& name) {
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
      if (plan.points[i].name == name) return i;
    }
    return plan.points.size();
  };
  std::vector<runs::RunOutcome> outcomes(plan.points.size());
  std::string why;
  const auto end = [&](const std::string& name, const char* verdict) {
    outcomes[point(name)].exit_code = 0;
    outcomes[point(name)].results = {{"steady_state", {{"verdict", verdict}}}};
  };
  const runs::SaturationGate gate(plan, 1);
  const auto asked = [&](const std::string& name) { return gate(point(name), outcomes, &why); };
  EXPECT_EQ(asked("routing=min,load=0.1"), Gate::kOpen);
  EXPECT_EQ(asked("routing=min,load=0.2"), Gate::kOpen) << "whatever 0.1 says, one load above is run";
  EXPECT_EQ(asked("routing=min,load=0.3"), Gate::kWait);
  end("routing=min,load=0.1", "converged");
  EXPECT_EQ(asked("routing=min,load=0.3"), Gate::kOpen);
  end("routing=min,load=0.2", "saturated");
  EXPECT_EQ(asked("routing=min,load=0.3"), Gate::kOpen);
  EXPECT_EQ(asked("routing=min,load=0.4"), Gate::kSkip);
  EXPECT_EQ(asked("routing=min,load=0.5"), Gate::kSkip) << "whatever 0.3 will say";
  EXPECT_THAT(why, HasSubstr("load 0.2 of its curve is saturated"));
  EXPECT_EQ(asked("routing=valiant,load=0.4"), Gate::kWait) << "another curve";
}

TEST(Sweep, SkippedPointsHaveNoNumbersAndAreNoFailure) {
  const runs::SweepPlan plan(With({{"traffic.load", "0.1,0.3"}}));
  std::vector<runs::RunOutcome> outcomes = Outcomes(plan);
  outcomes[1] = {};
  outcomes[1].skipped = true;
  outcomes[1].exit_code = 0;
  outcomes[1].message = "as load 0.1 of its curve is saturated";
  EXPECT_THAT(runs::SweepCsv(plan, outcomes), HasSubstr("\n0.3,skipped,,,,,,,,,,,,,,,,,,,,,,"));
  const auto json = runs::SweepJson(plan, outcomes, 0, 1);
  EXPECT_EQ(json["points"][1]["verdict"], "skipped");
  EXPECT_TRUE(json["points"][1]["exit_code"].is_null());
  EXPECT_FALSE(json["points"][1].contains("accepted_load"));
  EXPECT_EQ(json["verdict"], "pass");
}

/// Every border and every width of what is undecided, at every place.
TEST(Sweep, IsUndecidedWhenAPointIsAndNoneIsWorse) {
  const runs::SweepPlan plan(With({{"traffic.load", "0.5:1.0:0.5"}}));
  std::vector<runs::RunOutcome> outcomes(2);
  outcomes[0].exit_code = kPassed;
  outcomes[0].results = {{"verdict", "pass"}};
  outcomes[1].exit_code = kCheckFailed;
  outcomes[1].results = {{"verdict", "undecided"}};
  EXPECT_EQ(runs::SweepJson(plan, outcomes, kCheckFailed, 1)["verdict"], "undecided");
  outcomes[0].exit_code = kCheckFailed;
  outcomes[0].results = {{"verdict", "fail"}};
  EXPECT_EQ(runs::SweepJson(plan, outcomes, kCheckFailed, 1)["verdict"], "fail");
  outcomes[0].results = nullptr;
  EXPECT_EQ(runs::SweepJson(plan, outcomes, kCheckFailed, 1)["verdict"], "fail") << "a run without results";
}

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
      EXPECT_EQ(borders.Known(), high - low == 1) << low << " " << high;
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
  EXPECT_THAT(csv, HasSubstr("\n1,refused,,,,"));
  const auto json = runs::SweepJson(plan, outcomes, kUsage, 1);
  EXPECT_EQ(json["verdict"], "fail");
  EXPECT_EQ(json["points"][0]["values"]["load"], 0.5);
  EXPECT_EQ(json["points"][1]["exit_code"], kUsage);
  EXPECT_FALSE(json["points"][1].contains("accepted_load"));
  const auto points = json["points"].get<std::vector<nlohmann::ordered_json>>();
  EXPECT_THAT(runs::SweepSvg(plan, points), HasSubstr(">mean latency, ns<"));
  EXPECT_THAT(runs::SweepSvg(plan, {points[1]}), HasSubstr("No run has come to an end."));
}

}  // namespace
}  // namespace tilefly::cosim
