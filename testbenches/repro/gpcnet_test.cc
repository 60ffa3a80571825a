// SPDX-License-Identifier: Apache-2.0
// GPCNeT: nodes that are drawn, the runs, and impact factors from planted samples.
#include "runs/repro/gpcnet.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "runs/repro/claims.h"
#include "runs/system/net_settings.h"
#include "support/errors.h"
#include "workload/jobs.h"

namespace tilefly::runs {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

StudyOptions Options(const std::string& topology = "", int nodes = 64, int victims = 13, int seeds = 1) {
  StudyOptions options;
  options.topology = topology;
  options.nodes = nodes;
  options.victims = victims;
  options.seeds = seeds;
  return options;
}

std::set<int> All(const GpcnetPlaces& places) {
  std::set<int> all(places.victims.begin(), places.victims.end());
  all.insert(places.congestors.begin(), places.congestors.end());
  return all;
}

TEST(GpcnetPlaces, AreDrawnFromTheSeed) {
  const StudyOptions options = Options();
  const topology::Topology system = GpcnetSystem(options);
  EXPECT_EQ(system.endpoints.size(), 64u);
  EXPECT_EQ(system.switches.size(), 4u);
  std::set<std::vector<int>> victims;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const GpcnetPlaces places = DrawPlaces(system, options, seed);
    EXPECT_EQ(places.victims.size(), 13u);
    EXPECT_EQ(places.congestors.size(), 51u);
    EXPECT_EQ(All(places).size(), 64u) << "each endpoint once";
    EXPECT_EQ(DrawPlaces(system, options, seed).victims, places.victims);
    EXPECT_EQ(DrawPlaces(system, options, seed).congestors, places.congestors);
    victims.insert(places.victims);
  }
  EXPECT_EQ(victims.size(), 20u);
}

/// Each endpoint is a victim about as often as any other.
TEST(GpcnetPlaces, AreEven) {
  const StudyOptions options = Options("dragonfly:p=4,a=4,h=2", 36, 12);
  const topology::Topology system = GpcnetSystem(options);
  std::vector<int> victim(system.endpoints.size()), node(system.endpoints.size());
  constexpr int kSeeds = 1200;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const GpcnetPlaces places = DrawPlaces(system, options, static_cast<std::uint64_t>(seed));
    for (const int one : places.victims) ++victim[one];
    for (const int one : All(places)) ++node[one];
  }
  const auto endpoints = static_cast<double>(system.endpoints.size());
  for (std::size_t e = 0; e < system.endpoints.size(); ++e) {
    EXPECT_NEAR(victim[e], kSeeds * 12 / endpoints, 50) << e;
    EXPECT_NEAR(node[e], kSeeds * 36 / endpoints, 80) << e;
  }
}

/// Ten of 64 endpoints of four switches: one draw in six leaves a switch out, and is drawn again.
TEST(GpcnetPlaces, AreAtFourSwitchesAndInTwoGroups) {
  const StudyOptions options = Options("", 10, 2);
  const topology::Topology system = GpcnetSystem(options);
  ASSERT_EQ(system.switches.size(), 4u);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::set<int> switches;
    for (const int endpoint : All(DrawPlaces(system, options, seed)))
      switches.insert(system.endpoints[endpoint].port.at);
    EXPECT_EQ(switches.size(), 4u) << seed;
  }
}

std::string RefusalOf(const StudyOptions& options) {
  try {
    GpcnetRuns(options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Gpcnet, RefusesWhatItCannotRun) {
  EXPECT_THAT(RefusalOf(Options("dragonfly:p=32,a=1,h=1")), AllOf(HasSubstr("--topology"), HasSubstr("4 switches")));
  EXPECT_THAT(RefusalOf(Options("dragonfly:p=16,a=4,h=0")), HasSubstr("2 address groups"));
  EXPECT_THAT(RefusalOf(Options("dragonfly:p=2,a=4,h=2,g=2", 64)),
              AllOf(HasSubstr("16 endpoints for 64"), HasSubstr("fewer --nodes")));
  EXPECT_THAT(RefusalOf(Options("", 64, 1)), HasSubstr("--victims 1"));
  EXPECT_THAT(RefusalOf(Options("", 20, 13)), AllOf(HasSubstr("--nodes 20"), HasSubstr("--nodes 21 or more")));
  EXPECT_EQ(RefusalOf(Options("", 21, 13)), "");
  EXPECT_THAT(RefusalOf(Options("dragonfy:p=2")), HasSubstr("dragonfly"));
}

TEST(Gpcnet, HasThirtySixRunsOfOnePlacement) {
  const std::vector<StudyRun> runs = GpcnetRuns(Options());
  EXPECT_EQ(runs.size(), 36u);
  StudyOptions quick = Options();
  quick.quick = true;
  EXPECT_EQ(GpcnetRuns(quick).size(), 18u);
  EXPECT_EQ(GpcnetRuns(Options("", 64, 13, 3)).size(), 108u);
  const GpcnetPlaces places = DrawPlaces(GpcnetSystem(Options()), Options(), 1);
  for (const StudyRun& run : runs) {
    const workload::Workload workload = workload::MakeWorkload(run.traffic, "", 64, workload::Allocation::kLinear, 1);
    const bool quiet = run.curve.find(",none,") != std::string::npos;
    const bool all = run.curve.find(",all,") != std::string::npos;
    ASSERT_EQ(workload.jobs.size(), quiet ? 1u : all ? 5u : 2u) << run.curve;
    EXPECT_EQ(std::vector<int>(workload.jobs[0].endpoints.begin(), workload.jobs[0].endpoints.end()), places.victims);
    EXPECT_FALSE(workload.jobs[0].schedule.repeats);
    EXPECT_GE(workload.jobs[0].schedule.phases * 13, 2000);
    EXPECT_LT(workload.jobs[0].schedule.phases * 13, 2000 + 13);
    std::vector<int> congestors;
    for (std::size_t j = 1; j < workload.jobs.size(); ++j) {
      const workload::Job& job = workload.jobs[j];
      EXPECT_TRUE(job.schedule.repeats) << run.curve;
      EXPECT_EQ(job.schedule.bytes, 4096);
      congestors.insert(congestors.end(), job.endpoints.begin(), job.endpoints.end());
      if (all) EXPECT_EQ(job.endpoints.size(), j == 4 ? 12u : 13u) << job.text;
    }
    if (!quiet) EXPECT_EQ(congestors, places.congestors);
    EXPECT_THAT(run.settings, testing::Contains(std::pair<std::string, std::string>(
                                  "congestion_control", run.curve.find(",on") != std::string::npos ? "on" : "off")));
  }
}

/// Samples of all runs: as long as alone with control, `off` times as long without; other congestors than `all` worse.
StudyValues Planted(const StudyOptions& options, double on, double off) {
  StudyValues values;
  for (const StudyRun& run : GpcnetRuns(options)) {
    const bool control = run.curve.find(",on") != std::string::npos;
    const bool quiet = run.curve.find(",none,") != std::string::npos;
    const bool incast = run.curve.find(",incast,") != std::string::npos;
    const double times = quiet ? 1 : (control ? on : off) * (incast ? 2 : 1);
    values.Set(run.curve + " samples", run.x, 2002);
    values.Set(run.curve + " mean", run.x, 1000 * times);
    values.Set(run.curve + " p99", run.x, 3000 * times * times);
  }
  return values;
}

double At(const std::vector<Figure>& figures, const std::string& figure, const std::string& curve, double x) {
  const FigureCurve* const found = FindCurve(figures, figure, curve);
  if (found == nullptr) return -1;
  for (const CurvePoint& point : found->points) {
    if (point.x == x) return point.y;
  }
  return -2;
}

TEST(Gpcnet, ImpactIsTimeBesideOverTimeAlone) {
  const std::vector<Figure> figures = GpcnetFigures(Options(), Planted(Options(), 1.25, 10));
  EXPECT_EQ(figures[0].bars.size(), 15u);
  EXPECT_EQ(figures[0].bars[12], "allreduce8, incast");
  EXPECT_EQ(figures[0].line, 1.3);
  EXPECT_DOUBLE_EQ(At(figures, "impact", "on mean", 0), 1.25);
  EXPECT_DOUBLE_EQ(At(figures, "impact", "on p99", 0), 1.5625);
  EXPECT_DOUBLE_EQ(At(figures, "impact", "off mean", 7), 20) << "ring128k beside incast";
  EXPECT_DOUBLE_EQ(At(figures, "impact", "off p99", 10), 100);
  EXPECT_DOUBLE_EQ(At(figures, "times", "mean", 1), 8);
  EXPECT_DOUBLE_EQ(At(figures, "times", "p99", 2), 64);
}

TEST(Gpcnet, ClaimsAreHitAndMissed) {
  const auto verdicts = [](double on, double off) {
    std::multiset<std::string> all;
    const std::vector<Figure> figures = GpcnetFigures(Options(), Planted(Options(), on, off));
    for (const Claim& claim : ClaimsOf("gpcnet")) all.insert(VerdictOf(claim, ValueOf(claim, figures)));
    return all;
  };
  EXPECT_EQ(verdicts(1.1, 6).count("hit"), 12u);
  EXPECT_EQ(verdicts(1.2, 12).count("miss"), 3u) << "three 99th percentiles of 1.44";
  EXPECT_EQ(verdicts(1.1, 2).count("miss"), 6u) << "1.8 and 3.3 times";
}

TEST(Gpcnet, TheWorstOfAllSeedsCounts) {
  const StudyOptions options = Options("", 64, 13, 2);
  StudyValues values = Planted(options, 1.1, 10);
  values.Set("ring8,all,on mean", 2, 1200);
  values.Set("ring8,incast,on mean", 2, 4400);
  const std::vector<Figure> figures = GpcnetFigures(options, values);
  EXPECT_DOUBLE_EQ(At(figures, "impact", "on mean", 0), 1.2);
  EXPECT_DOUBLE_EQ(At(figures, "times", "mean", 0), 20 / 4.4);
  EXPECT_DOUBLE_EQ(At(figures, "times", "mean", 1), 20 / 2.2);
}

/// All runs but those whose curve has `text` in it.
StudyValues Without(const std::string& text, const StudyOptions& options) {
  StudyValues values;
  const StudyValues all = Planted(options, 1.1, 10);
  for (const StudyRun& run : GpcnetRuns(options)) {
    if (run.curve.find(text) != std::string::npos) continue;
    for (const char* of : {" samples", " mean", " p99"})
      values.Set(run.curve + of, run.x, *all.Of(run.curve + of, run.x));
  }
  return values;
}

std::vector<std::string> NotMeasured(const StudyValues& values) {
  std::vector<std::string> names;
  const std::vector<Figure> figures = GpcnetFigures(Options(), values);
  for (const Claim& claim : ClaimsOf("gpcnet")) {
    if (VerdictOf(claim, ValueOf(claim, figures)) == "not measured") names.push_back(claim.name);
  }
  return names;
}

/// A run that did not end might have been the worst.
TEST(Gpcnet, ARunThatDidNotEndHasNoNumber) {
  EXPECT_TRUE(NotMeasured(Planted(Options(), 1.1, 10)).empty());
  EXPECT_EQ(NotMeasured(Without("ring8,all,on", Options())),
            std::vector<std::string>(2, "ring8 beside all, with control"));
  EXPECT_EQ(NotMeasured(Without("ring128k,get-bcast,off", Options())),
            std::vector<std::string>(2, "ring128k, without control over with control"));
  EXPECT_EQ(NotMeasured(Without("allreduce8,none,on", Options())).size(), 4u) << "no time alone, no impact";
  EXPECT_EQ(NotMeasured(StudyValues()).size(), 12u);
  const std::string csv = GpcnetFiles(Options(), Without("ring8,all,on", Options()))[0].text;
  EXPECT_THAT(csv, HasSubstr("\n1,on,ring8,all,,,,,,\n"));
}

TEST(Gpcnet, TheTableHasARowForEachRun) {
  const std::vector<StudyFile> files = GpcnetFiles(Options(), Planted(Options(), 1.25, 10));
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].name, "impact.csv");
  const std::string& text = files[0].text;
  EXPECT_THAT(text, StartsWith("seed,control,test,congestor,samples,mean_ns,p99_ns,gbps,mean_impact,p99_impact\n"
                               "1,on,ring8,none,2002,1000,3000,,,\n1,on,ring8,all,2002,1250,4687.5,,1.25,1.5625\n"));
  EXPECT_THAT(text, HasSubstr("\n1,off,ring128k,incast,2002,20000,1200000,104.8576,20,400\n"))
      << "2 x 128 KiB in 20 us";
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 37);
}

TEST(Gpcnet, SamplesAreThoseOfTheVictims) {
  const auto results = nlohmann::ordered_json::parse(
      R"({"jobs": [{"rank_iterations": 208, "rank_iteration_ns": {"mean": 1240.5, "p99": 2000.0}},
                   {"rank_iterations": 5, "rank_iteration_ns": {"mean": 1.0, "p99": 1.0}}]})");
  StudyValues values;
  MeasureGpcnet({"ring8,all,on", 3, {}, ""}, results, &values);
  const auto samples = GpcnetSamplesOf(values, "ring8,all,on", 3);
  ASSERT_TRUE(samples.has_value());
  EXPECT_EQ(samples->count, 208);
  EXPECT_EQ(samples->mean_ns, 1240.5);
  EXPECT_EQ(samples->p99_ns, 2000);
  EXPECT_EQ(GpcnetSamplesOf(values, "ring8,all,on", 2), std::nullopt);
  EXPECT_EQ(GpcnetSummary(results), "iteration at a rank: mean 1240 ns, p99 2000 ns");
  EXPECT_EQ(GpcnetSummary(nlohmann::ordered_json::object()), "");
}

TEST(Gpcnet, ResultsNameTheSystemAndTheRanks) {
  const auto json = DescribeGpcnet(Options("", 64, 13, 2));
  EXPECT_EQ(json["system"]["ranks_per_node"], 1);
  EXPECT_EQ(json["system"]["places"][1]["victims"].size(), 13u);
  EXPECT_EQ(json["options"]["seeds"], 2);
  EXPECT_EQ(json["options"]["topology"], json["system"]["topology"]);
}

TEST(Gpcnet, BarsHaveALineAndNames) {
  const std::vector<Figure> figures = GpcnetFigures(Options(), Without("ring8,all,on", Options()));
  EXPECT_THAT(FigureSvg(figures[0], {}),
              AllOf(HasSubstr(">ring8, all<"), HasSubstr(">allreduce8, get-bcast<"), HasSubstr(">1.3<"),
                    HasSubstr(">off p99<"), HasSubstr(">not measured<")));
  EXPECT_THAT(FigureSvg(GpcnetFigures(Options(), StudyValues())[0], {}), HasSubstr("nothing was measured"));
  EXPECT_EQ(XText(figures[0], 2), "ring8, incast");
}

}  // namespace
}  // namespace tilefly::runs
