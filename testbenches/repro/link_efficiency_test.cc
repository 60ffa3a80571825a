// SPDX-License-Identifier: Apache-2.0
// The study of links with errors: the closed form against the tables of docs/blocks/retry.md, and its figures from
// planted counts.
#include "runs/repro/link_efficiency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "faults/plan.h"
#include "runs/repro/retry_cost.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::runs {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;

TEST(RetryCost, IsThatOfThePage) {
  struct Line {
    Cycle delay;
    int words;
    double of[4];
  };
  constexpr double kRates[] = {1e-8, 1e-7, 1e-6, 1e-5};
  for (const Line& line :
       {Line{210, 3, {0.9989, 0.9891, 0.9008, 0.4702}}, Line{210, 33, {0.9988, 0.9884, 0.8943, 0.4443}},
        Line{210, 133, {0.9986, 0.9859, 0.8728, 0.3674}}, Line{591, 3, {0.9970, 0.9704, 0.7662, 0.2451}},
        Line{591, 33, {0.9969, 0.9697, 0.7610, 0.2336}}, Line{591, 133, {0.9966, 0.9672, 0.7440, 0.1982}}}) {
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(ExpectedEfficiency({line.words, line.delay}, kRates[i]), line.of[i], 0.00005) << line.words;
  }
}

TEST(RetryCost, OfAnErrorIsThatOfItsPacketsAndTheReplay) {
  const FullLink mtu{133, 210};
  EXPECT_EQ(ResentPackets(mtu, 0), 4);
  EXPECT_EQ(ResentPackets(mtu, 106), 4);
  EXPECT_EQ(ResentPackets(mtu, 107), 5);
  EXPECT_EQ(TimerCost(), 4098);
  // With few errors the place of the bad word is drawn evenly.
  EXPECT_NEAR(NackCost(mtu, 1e-12), (107 * 533 + 26 * 666) / 133.0, 1e-6);
  EXPECT_LT(NackCost(mtu, 1e-4), NackCost(mtu, 1e-12)) << "with many the first words are bad more often";
  EXPECT_DOUBLE_EQ(EfficiencyOfErrors({1, 210}, 1e-6, 427, {1, 0}), 0.5);
  EXPECT_DOUBLE_EQ(EfficiencyOfErrors({1, 210}, 1e-6, 4098, {0, 1}), 0.5);
  EXPECT_DOUBLE_EQ(EfficiencyOfErrors({1, 210}, 1e-6, 5, {0, 0}), 1);
}

/// results.json of a run in which both directions of the link carried `useful` words in 2 x 10,000 cycles.
ordered_json Results(int useful, int nacks, int timeouts) {
  return {{"accepted_load", useful / (8 * 10000.0)},
          {"endpoints", 8},
          {"traffic_cycles", 20000},
          {"warmup", 10000},
          {"link_retry", {{"nacks", nacks}, {"timeouts", timeouts}}}};
}

StudyRun RunOf(const std::string& curve, double ber) {
  for (const StudyRun& run : LinkEfficiencyRuns(true)) {
    if (run.curve == curve && run.x == ber) return run;
  }
  throw std::logic_error("no such run");
}

double PointAt(const std::vector<Figure>& figures, const std::string& figure, const std::string& curve, double x) {
  const FigureCurve* const found = FindCurve(figures, figure, curve);
  if (found == nullptr) return -1;
  for (const CurvePoint& point : found->points) {
    if (point.x == x) return point.y;
  }
  return -2;
}

TEST(LinkEfficiency, IsTheShareOfUsefulCyclesAndIsHeldAgainstItsErrors) {
  const StudyRun run = RunOf("64 B at 2.6 m", 1e-6);
  StudyValues values;
  MeasureLink(run, Results(15000, 10, 0), &values);
  EXPECT_EQ(LinkSummary(Results(15000, 10, 0)), "efficiency 0.7500");
  const std::vector<Figure> figures = LinkEfficiencyFigures(values);
  EXPECT_DOUBLE_EQ(PointAt(figures, "efficiency-2.6m", "64 B", 1e-6), 0.75);
  EXPECT_NEAR(PointAt(figures, "efficiency-2.6m", "64 B, formula", 1e-6), 0.9008, 0.00005);
  // The ten errors cost 4290 cycles or a few less; 710 of the 5000 that are missing have no error to answer for them.
  EXPECT_NEAR(PointAt(figures, "of-formula", "64 B at 2.6 m", 1e-6), 0.75 / (15000 / 19290.0), 0.001);
  EXPECT_EQ(PointAt(figures, "efficiency-100m", "64 B", 1e-6), -2) << "it was not measured";
}

TEST(LinkEfficiency, NeedsMeasuredCycles) {
  StudyValues values;
  ordered_json results = Results(0, 0, 0);
  results["accepted_load"] = nullptr;
  EXPECT_THROW(MeasureLink(RunOf("1 KiB at 100 m", 1e-5), results, &values), std::runtime_error);
  EXPECT_EQ(LinkSummary(results), "");
  EXPECT_EQ(LinkSummary(ordered_json::object()), "");
}

TEST(LinkEfficiency, ErrorsHappenInTheMeasuredCyclesAlone) {
  for (const bool quick : {false, true}) {
    for (const StudyRun& run : LinkEfficiencyRuns(quick)) {
      std::map<std::string, std::string> settings(run.settings.begin(), run.settings.end());
      ASSERT_TRUE(run.fault_plan.has_value());
      const std::filesystem::path file = bench::ProcessFolder() / "plan.yaml";
      std::ofstream(file) << run.fault_plan->text;
      const faults::Plan plan = faults::ReadPlan(file);
      ASSERT_EQ(plan.events.size(), 2u);
      EXPECT_EQ(std::to_string(plan.events[0].at), settings["warmup"]);
      EXPECT_EQ(plan.events[0].value, run.x);
      EXPECT_EQ(std::to_string(plan.events[1].at), settings["max_cycles"]);
      EXPECT_EQ(plan.events[1].value, 0);
      EXPECT_EQ(plan.events[0].direction, faults::Direction::kBoth);
    }
  }
}

}  // namespace
}  // namespace tilefly::runs
