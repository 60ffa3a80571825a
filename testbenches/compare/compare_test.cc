// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "runs/compare/comparison.h"
#include "runs/compare/comparison_output.h"
#include "support/errors.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::runs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

class CompareTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  static void Write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  static Json Manifest() { return {{"version", "1"}, {"program_digest", "d"}, {"compiler", "c"}, {"seed", 1}}; }

  /// Results of a run of `net` whose mean latency is `mean` +- 2 cycles of 1.28 ns.
  static Json Net(double mean) {
    const Json interval{{"mean", mean}, {"half_width", 2}, {"batches", 30}, {"batch_correlation", 0.0}};
    return {{"verdict", "pass"},
            {"topology", "t"},
            {"seed", 1},
            {"latency_depends_on_length", false},
            {"latency_ns", {{"mean", mean * 1.28}, {"p99", 500}}},
            {"latency_cycles", {{"mean", mean}, {"p99", 390}}},
            {"steady_state", {{"verdict", "converged"}, {"reason", "words"}, {"latency_cycles", interval}}},
            {"books", {{"offered", 100}, {"drops", Json::object()}}},
            {"machine", {{"wall_s", mean}}}};
  }

  fs::path Make(const std::string& name, const Json& results, const std::string& config = "routing: min\n",
                const Json& manifest = Manifest(), const std::string& file = "results.json") {
    Write(folder_ / name / file, results.dump());
    Write(folder_ / name / "manifest.json", manifest.dump());
    Write(folder_ / name / "config.resolved.yaml", config);
    return folder_ / name;
  }

  static const ComparedFigure& FigureOf(const Comparison& comparison, const std::string& name) {
    for (const ComparedFigure& one : comparison.figures) {
      if (one.Name() == name) return one;
    }
    throw std::runtime_error("no figure " + name);
  }

  std::string Refusal(const fs::path& a, const fs::path& b) {
    try {
      Compare(ReadRunFolder(a), ReadRunFolder(b));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  const fs::path folder_ = bench::ProcessFolder() / "compare";
};

TEST_F(CompareTest, ARunEqualsItself) {
  const fs::path run = Make("a", Net(1000));
  const Comparison comparison = Compare(ReadRunFolder(run), ReadRunFolder(run));
  EXPECT_STREQ(comparison.Verdict(), "equal");
  EXPECT_EQ(comparison.ExitCode(), 0);
  EXPECT_EQ(comparison.Count(Relation::kEqual), static_cast<int>(comparison.figures.size()));
  EXPECT_EQ(comparison.equal_settings, 1u);
}

TEST_F(CompareTest, AMeanIsWithinOrBeyondItsConfidence) {
  // Half width of the difference: 2.77 cycles, of 58 degrees of freedom.
  const RunFolder a = ReadRunFolder(Make("a", Net(1000)));
  const Comparison near = Compare(a, ReadRunFolder(Make("near", Net(1002.7))));
  EXPECT_EQ(FigureOf(near, "steady_state.latency_cycles.mean").relation, Relation::kWithin);
  EXPECT_EQ(FigureOf(near, "latency_ns.mean").relation, Relation::kWithin);
  EXPECT_STREQ(near.Verdict(), "within");
  EXPECT_EQ(near.ExitCode(), 0);
  const Comparison far = Compare(a, ReadRunFolder(Make("far", Net(1003))));
  const ComparedFigure& latency = FigureOf(far, "latency_ns.mean");
  EXPECT_EQ(latency.relation, Relation::kBeyond);
  EXPECT_NEAR(*latency.half_width, 2.768 * 1.28, 0.002);
  EXPECT_NEAR(*latency.Relative(), 0.003, 1e-9);
  EXPECT_EQ(far.Judged(), 2);
  EXPECT_EQ(far.ExitCode(), 1);
}

TEST_F(CompareTest, WhatHasNoIntervalIsEqualOrDifferent) {
  Json other = Net(1000);
  other["books"]["offered"] = 101;
  other["books"]["drops"]["LONG"] = 1;
  const Comparison comparison = Compare(ReadRunFolder(Make("a", Net(1000))), ReadRunFolder(Make("b", other)));
  EXPECT_EQ(FigureOf(comparison, "books.offered").relation, Relation::kDifferent);
  EXPECT_EQ(FigureOf(comparison, "books.drops.LONG").relation, Relation::kOnlyB);
  EXPECT_EQ(FigureOf(comparison, "latency_ns.p99").relation, Relation::kEqual);
  EXPECT_EQ(comparison.ExitCode(), 1);
  EXPECT_EQ(Compare(comparison.a, comparison.b, true).ExitCode(), 0) << "--judged leaves them out";
}

TEST_F(CompareTest, AnIntervalThatDoesNotHoldDecidesNothing) {
  Json correlated = Net(2000);
  correlated["steady_state"]["latency_cycles"]["batch_correlation"] = 0.3;
  Json none = Net(2000);
  none["steady_state"]["latency_cycles"] = nullptr;
  const RunFolder a = ReadRunFolder(Make("a", Net(1000)));
  for (const Json& other : {correlated, none}) {
    const Comparison comparison = Compare(a, ReadRunFolder(Make("b", other)), true);
    EXPECT_EQ(FigureOf(comparison, "latency_ns.mean").relation, Relation::kUndecided);
    EXPECT_THAT(FigureOf(comparison, "latency_ns.mean").doubt, HasSubstr("B: "));
    EXPECT_EQ(comparison.Judged(), 0);
    EXPECT_EQ(comparison.ExitCode(), 1);
  }
}

TEST_F(CompareTest, SettingsAreComparedByPathAndNotAgainInResults) {
  Json other = Net(1000);
  other["seed"] = 2;
  other["topology"] = "u";
  const Comparison comparison =
      Compare(ReadRunFolder(Make("a", Net(1000), "seed: \"1\"\ntraffic:\n  load: \"0.5\"\n  size: \"64\"\n")),
              ReadRunFolder(Make("b", other, "seed: \"2\"\ntraffic:\n  load: \"0.5\"\nnic:\n  window: \"3\"\n")));
  ASSERT_EQ(comparison.settings.size(), 3u);
  EXPECT_EQ(comparison.settings[0].path, "seed");
  EXPECT_EQ(comparison.settings[1].path, "traffic.size");
  EXPECT_EQ(comparison.settings[1].b, "");
  EXPECT_EQ(comparison.settings[2].path, "nic.window");
  EXPECT_EQ(comparison.equal_settings, 1u);
  EXPECT_STREQ(comparison.Verdict(), "equal");
}

TEST_F(CompareTest, InputsAreComparedByTheirContents) {
  Json a = Manifest(), b = Manifest();
  a["inputs"] = {{{"file", "/x/t.goal"}, {"digest", "1"}}, {{"file", "/x/q.yaml"}, {"digest", "2"}}};
  b["inputs"] = {{{"file", "/y/q.yaml"}, {"digest", "3"}}, {{"file", "/y/other.goal"}, {"digest", "1"}}};
  b["program_digest"] = "e";
  const Comparison comparison = Compare(ReadRunFolder(Make("a", Net(1000), "routing: min\n", a)),
                                        ReadRunFolder(Make("b", Net(1000), "routing: min\n", b)));
  ASSERT_EQ(comparison.inputs.size(), 1u);
  EXPECT_EQ(comparison.inputs[0].path, "/x/q.yaml, /y/q.yaml");
  EXPECT_EQ(comparison.inputs[0].a, "2");
  EXPECT_EQ(comparison.inputs[0].b, "3");
  ASSERT_EQ(comparison.program.size(), 1u);
  EXPECT_EQ(comparison.program[0].path, "program_digest");
}

TEST_F(CompareTest, TheMachineIsNoDifference) {
  Json other = Net(1000);
  other["machine"] = {{"wall_s", 7.5}};
  const Comparison comparison = Compare(ReadRunFolder(Make("a", Net(1000))), ReadRunFolder(Make("b", other)));
  EXPECT_EQ(comparison.ExitCode(), 0);
  ASSERT_EQ(comparison.machine.size(), 1u);
  EXPECT_EQ(comparison.machine[0].b, "7.5");
}

TEST_F(CompareTest, MembersOfListsAreFoundByTheirNames) {
  Json a = Net(1000), b = Net(1000);
  a["classes"] = {{{"class", 0}, {"offered", 5}}, {{"class", 2}, {"offered", 6}}};
  b["classes"] = {{{"class", 2}, {"offered", 7}}, {{"class", 4}, {"offered", 5}}};
  a["jobs"] = {{{"text", "pingpong"}, {"completion_ns", 3}}};
  b["jobs"] = {{{"text", "alltoall"}, {"completion_ns", 4}}};
  const Comparison comparison = Compare(ReadRunFolder(Make("a", a)), ReadRunFolder(Make("b", b)));
  EXPECT_EQ(FigureOf(comparison, "classes[2].offered").relation, Relation::kDifferent);
  EXPECT_EQ(FigureOf(comparison, "classes[0]").relation, Relation::kOnlyA);
  EXPECT_EQ(FigureOf(comparison, "classes[4]").relation, Relation::kOnlyB);
  EXPECT_EQ(FigureOf(comparison, "jobs[0].completion_ns").relation, Relation::kDifferent) << "no name is common";
}

Json Sweep(double first, double second) {
  const auto point = [](const char* name, double mean) {
    return Json{{"name", name},
                {"values", {{"load", 1}}},
                {"verdict", "pass"},
                {"converged", true},
                {"directory", std::string("points/") + name},
                {"latency_mean_ns", mean},
                {"latency_mean_half_width_ns", 3}};
  };
  return {{"verdict", "pass"}, {"axis", "load"}, {"points", {point("load=9", first), point("load=10", second)}}};
}

TEST_F(CompareTest, SweepsAreComparedPointByPoint) {
  Json manifest = Manifest();
  manifest["command"] = "net sweep";
  const fs::path a = Make("a", Sweep(100, 200), "routing: min\n", manifest, "sweep.json");
  Json fewer = Sweep(104, 205);
  const fs::path b = Make("b", fewer, "routing: min\n", manifest, "sweep.json");
  const Comparison comparison = Compare(ReadRunFolder(a), ReadRunFolder(b));
  const ComparedFigure& first = FigureOf(comparison, "points[load=9].latency_mean_ns");
  EXPECT_EQ(first.relation, Relation::kWithin) << "without the points' results: of the half widths, 4.24";
  EXPECT_EQ(first.point, "load=9");
  EXPECT_EQ(FigureOf(comparison, "points[load=10].latency_mean_ns").relation, Relation::kBeyond);
  // With the results of the points, whose half widths are 2.56 ns.
  for (const auto& run : {a, b}) Write(run / "points/load=9/results.json", Net(80).dump());
  EXPECT_EQ(FigureOf(Compare(ReadRunFolder(a), ReadRunFolder(b)), "points[load=9].latency_mean_ns").relation,
            Relation::kBeyond);
  fewer["points"].erase(0);
  const Comparison missing =
      Compare(ReadRunFolder(a), ReadRunFolder(Make("c", fewer, "routing: min\n", manifest, "sweep.json")));
  EXPECT_EQ(FigureOf(missing, "points[load=9]").relation, Relation::kOnlyA);
}

TEST_F(CompareTest, WhatIsNoRunIsRefusedWithFileAndRemedy) {
  const fs::path run = Make("a", Net(1000));
  EXPECT_THAT(Refusal(run, folder_ / "none"), HasSubstr("none: there is no such folder"));
  EXPECT_THAT(Refusal(run, run / "results.json"), HasSubstr("is a file; name the folder"));
  EXPECT_THAT(Refusal(run, folder_),
              AllOf(HasSubstr("manifest.json: is missing"), HasSubstr("such as " + run.string())));
  fs::remove(Make("broken", Net(1000)) / "results.json");
  EXPECT_THAT(Refusal(run, folder_ / "broken"),
              HasSubstr("broken/results.json: is missing; the run did not come to its"));
  Write(folder_ / "broken/results.json", "{\"verdict\": ");
  EXPECT_THAT(Refusal(run, folder_ / "broken"), HasSubstr("broken/results.json: is no JSON object"));
  Json cosim = Net(1000);
  cosim.erase("topology");
  cosim["devices"] = "golden";
  EXPECT_THAT(Refusal(run, Make("cosim", cosim)),
              HasSubstr("of tilefly net, " + (folder_ / "cosim").string() + " of tilefly cosim"));
  Json manifest = Manifest();
  manifest["command"] = "net sweep";
  EXPECT_THAT(Refusal(run, Make("sweep", Sweep(1, 2), "a: b\n", manifest, "sweep.json")), HasSubstr("sweep/points"));
}

TEST_F(CompareTest, TextAndPageSayWhatMattersFirstAndHoldNoMarkup) {
  Json other = Net(1100);
  other["message"] = "</script><b>bold</b>";
  const Comparison comparison = Compare(ReadRunFolder(Make("a", Net(1000))), ReadRunFolder(Make("b", other)));
  const std::string text = ComparisonText(comparison, false);
  EXPECT_THAT(text, HasSubstr("DIFFERENT: 2 beyond confidence, 1 only in B"));
  EXPECT_LT(text.find("latency_ns.mean"), text.find("steady_state.latency_cycles.mean"));
  EXPECT_THAT(ComparisonHtml(comparison), Not(HasSubstr("<b>bold")));
  const Json json = ComparisonJson(comparison);
  EXPECT_EQ(json["counts"]["beyond"], 2);
  EXPECT_EQ(json["figures"].size(), comparison.figures.size());
}

}  // namespace
}  // namespace tilefly::runs
