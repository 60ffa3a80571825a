// SPDX-License-Identifier: Apache-2.0
// One incast: places that are drawn, the runs, and what planted files of runs say.
#include "runs/repro/incast.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "runs/repro/claims.h"
#include "runs/repro/csv_table.h"
#include "support/errors.h"
#include "testbenches/bench/process_folder.h"
#include "topology/builder.h"
#include "workload/jobs.h"

namespace tilefly::runs {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

StudyOptions Quick() {
  StudyOptions options;
  options.quick = true;
  return options;
}

TEST(Incast, PlacesAreApart) {
  for (const bool quick : {true, false}) {
    StudyOptions options;
    options.quick = quick;
    options = IncastOptions(options);
    const topology::Topology system = topology::Build(options.topology);
    const IncastPlaces places = DrawIncast(system, options);
    const auto at = [&](int endpoint) { return system.endpoints[endpoint].port.at; };
    ASSERT_EQ(places.contributors.size(), quick ? 30u : 50u);
    std::set<int> nodes, all = {places.destination, places.victim, places.victims_peer}, switches;
    for (const int one : places.contributors) {
      EXPECT_NE(at(one), at(places.destination));
      nodes.insert(system.endpoints[one].node);
      switches.insert(at(one));
      all.insert(one);
    }
    EXPECT_EQ(nodes.size(), places.contributors.size());
    EXPECT_EQ(all.size(), places.contributors.size() + 3);
    EXPECT_EQ(at(places.victims_peer), at(places.destination));
    EXPECT_EQ(switches.count(at(places.victim)), 1u);
    EXPECT_EQ(DrawIncast(system, options).contributors, places.contributors);
  }
}

/// 14 of 20 nodes that have two endpoints each.
TEST(Incast, NoTwoContributorsAreAtOneNode) {
  StudyOptions options = Quick();
  options.topology = "dragonfly:p=2,a=4,h=1,nics=2";
  options.contributors = 14;
  const topology::Topology system = topology::Build(options.topology);
  std::set<int> nodes;
  for (const int one : DrawIncast(system, options).contributors) nodes.insert(system.endpoints[one].node);
  EXPECT_EQ(nodes.size(), 14u);
}

TEST(Incast, RefusesTooManyContributors) {
  StudyOptions options = Quick();
  options.topology = "dragonfly:p=2,a=2,h=1,g=2";
  options.contributors = 6;
  try {
    IncastRuns(options);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("--contributors 6"), HasSubstr("give fewer"), HasSubstr("--topology")));
  }
  options.contributors = 5;
  EXPECT_EQ(IncastRuns(options).size(), 3u);
}

TEST(Incast, TheVictimSendsAtHalfTheRateAllTheTime) {
  const std::vector<StudyRun> runs = IncastRuns(Quick());
  ASSERT_EQ(runs.size(), 3u);
  for (const StudyRun& run : runs) {
    const workload::Workload workload = workload::MakeWorkload(run.traffic, "", 144, workload::Allocation::kLinear, 1);
    const workload::Schedule& victim = workload.jobs[0].schedule;
    ASSERT_EQ(workload.jobs.size(), run.curve == kIncastQuiet ? 1u : 2u);
    // 131 words of 1.28 ns a message, and as long again.
    const double ns = static_cast<double>(victim.phases) * 2 * 131 * 1.28;
    EXPECT_NEAR(ns, 300'000, 1000) << run.traffic;
    EXPECT_FALSE(victim.repeats);
    if (run.curve == kIncastQuiet) continue;
    EXPECT_EQ(workload.jobs[1].schedule.repeats_ns, 200'000);
    EXPECT_EQ(workload.jobs[1].endpoints.size(), 31u);
    EXPECT_EQ(workload.jobs[1].schedule.ranks[0].operations.front().kind, workload::Kind::kReceive) << "the root";
  }
  const std::string link = runs[0].links[0];
  EXPECT_THAT(link, AllOf(HasSubstr("->e"), testing::StartsWith("s")));
  EXPECT_NE(link, runs[0].links[1]);
}

/// Files of a run with intervals of 10 us: the queue grows, then a throttle sets in.
class PlantedFiles {
 public:
  PlantedFiles() { fs::create_directories(folder_); }
  ~PlantedFiles() { fs::remove_all(folder_); }

  struct Row {
    double load, utilisation, victim_words, buffered, held, throttled;
  };
  void Measure(const StudyRun& run, const std::vector<Row>& rows, double no_credit, StudyValues* values) const {
    std::ofstream samples(folder_ / "samples.csv");
    const bool on = run.curve == kIncastOn;
    const char* const more = on ? "," : "";
    samples << "begin_cycle,begin_ns,cycles,scope,name,sent_words,utilisation,load_cells,buffer_cells"
            << (on ? ",throttled_flows,held_cells\n" : "\n");
    double begin = 0;
    for (const Row& row : rows) {
      const std::string head = fmt::format("0,{},7812.5,", begin);
      samples << head << "system,all,1,,," << row.buffered
              << (on ? fmt::format(",{},{}\n", row.throttled, row.held) : "\n");
      samples << head << "link," << run.links[0] << ",99," << row.utilisation << "," << row.load << "," << more << more
              << "\n";
      samples << head << "link," << run.links[1] << "," << row.victim_words << ",0.5,3," << more << more << "\n";
      samples << head << "link,s999.0->e1,77,0.7,777," << more << more << "\n";
      begin += 10'000;
    }
    samples.close();
    std::ofstream stats(folder_ / "stats.csv");
    stats << "from,from_port,to,no_credit_cycles\ns0,1,s1," << no_credit << "\ne5,0,s1,1000\n";
    stats.close();
    MeasureIncast(run, {{"link_cycles", {{"measured", 1000}}}}, folder_, values);
  }
  /// Of the run that was measured last.
  std::string SummaryOf(const StudyRun& run, const char* verdict) const {
    return IncastSummary(run, {{"verdict", verdict}, {"link_cycles", {{"measured", 1000}}}}, folder_, Quick());
  }

 private:
  fs::path folder_ = bench::ProcessFolder() / "incast";
};

constexpr int kBound = 30 * 89;  ///< cells: one MTU of each contributor

/// 30 intervals of 10 us, of which the contributors send in twenty.
std::vector<PlantedFiles::Row> Rows(double victim_words, double busy, int settled) {
  std::vector<PlantedFiles::Row> rows;
  for (int i = 0; i < 30; ++i) {
    const double outside = i >= settled ? kBound : kBound + 1;
    rows.push_back({1000.0 + i, i < 20 ? busy : 0.1, i < 20 ? victim_words : 9999, outside + 500, 500, 12});
  }
  return rows;
}

StudyValues All(int settled) {
  StudyValues values;
  const PlantedFiles planted;
  const std::vector<StudyRun> runs = IncastRuns(Quick());
  planted.Measure(runs[0], Rows(4000, 0.01, 0), 0, &values);
  planted.Measure(runs[1], Rows(1000, 0.99, 30), 600, &values);  // has no columns of flow channels
  planted.Measure(runs[2], Rows(3900, 0.97, settled), 50, &values);
  return values;
}

TEST(Incast, TheTimelineIsThatOfTheRun) {
  const std::vector<IncastMoment> moments = TimelineOf(All(4), kIncastOn);
  ASSERT_EQ(moments.size(), 30u);
  EXPECT_EQ(moments[3].time_us, 30);
  EXPECT_EQ(moments[3].queue_cells, 1003);
  EXPECT_EQ(moments[3].busy, 0.97);
  EXPECT_NEAR(moments[3].victim_gbps, 3900 * 256 / 10'000.0, 1e-9);
  EXPECT_EQ(moments[3].held_cells, 500);
  EXPECT_EQ(moments[3].throttled, 12);
  EXPECT_EQ(moments[3].outside_cells, kBound + 1) << "less those held";
}

TEST(Incast, OutcomesAreThoseOfTheIncast) {
  const StudyValues values = All(4);
  const auto on = OutcomeOf(Quick(), values, kIncastOn), off = OutcomeOf(Quick(), values, kIncastOff);
  ASSERT_TRUE(on && off);
  EXPECT_DOUBLE_EQ(on->victim_share.value(), 0.975);
  EXPECT_DOUBLE_EQ(off->victim_share.value(), 0.25);
  EXPECT_DOUBLE_EQ(on->busy, 0.97);
  EXPECT_EQ(on->settled_us, 40);
  EXPECT_EQ(on->most_outside, 1);
  EXPECT_EQ(off->settled_us, std::nullopt) << "it never settles";
  EXPECT_EQ(OutcomeOf(Quick(), All(10), kIncastOn)->settled_us, 100);
  EXPECT_EQ(OutcomeOf(Quick(), All(11), kIncastOn)->settled_us, std::nullopt) << "for less than half of the incast";
  EXPECT_FALSE(OutcomeOf(Quick(), StudyValues(), kIncastOn).has_value());
}

/// The victim has another bandwidth when the contributors have stopped: that is no part of the figure.
TEST(Incast, TheSummaryIsAboutTheTimeOfTheClaims) {
  StudyValues values;
  const PlantedFiles planted;
  const std::vector<StudyRun> runs = IncastRuns(Quick());
  planted.Measure(runs[2], Rows(3900, 0.97, 4), 50, &values);
  EXPECT_EQ(planted.SummaryOf(runs[2], "pass"),
            "victim 99.8 Gb/s of words from 0.0 to 200.0 us, in which the contributors send all the time");
  EXPECT_EQ(planted.SummaryOf(runs[2], "timeout"), "") << "its files may end anywhere";
  planted.Measure(runs[0], Rows(4000, 0.01, 0), 0, &values);
  EXPECT_EQ(
      planted.SummaryOf(runs[0], "pass"),
      "victim 102.4 Gb/s of words from 0.0 to 200.0 us, in which the contributors of the other runs send all the time");
  planted.Measure(runs[0], {}, 0, &values);
  EXPECT_EQ(planted.SummaryOf(runs[0], "pass"), "") << "no interval";
}

std::vector<std::string> Verdicts(const StudyValues& values) {
  std::vector<std::string> all;
  const std::vector<Figure> figures = IncastFigures(Quick(), values);
  for (const Claim& claim : ClaimsOf("incast")) all.push_back(VerdictOf(claim, ValueOf(claim, figures)));
  return all;
}

TEST(Incast, ClaimsAreAboutTheRunWithControl) {
  using testing::ElementsAre;
  EXPECT_THAT(Verdicts(All(4)), ElementsAre("hit", "hit", "not judged", "hit", "not judged", "not judged",
                                            "not measured", "not measured"));
  EXPECT_THAT(Verdicts(All(20)), ElementsAre("hit", "hit", "not measured", "not measured", "not judged", "not judged",
                                             "not measured", "not measured"));
  EXPECT_THAT(Verdicts(StudyValues()), testing::Each("not measured"));
}

TEST(Incast, FilesHaveAllRuns) {
  const std::vector<StudyFile> files = IncastFiles(Quick(), All(4));
  ASSERT_EQ(files.size(), 5u);
  EXPECT_EQ(files[0].name, "timeline.csv");
  EXPECT_EQ(std::count(files[0].text.begin(), files[0].text.end(), '\n'), 1 + 3 * 30);
  EXPECT_THAT(files[0].text, HasSubstr("\non,30,1003,0.97,99.84,2671,500,12\n"));
  EXPECT_THAT(files[1].text, AllOf(HasSubstr(">off<"), HasSubstr(">quiet<"), HasSubstr("time, us")));
  EXPECT_EQ(files[2].name, "links.csv");
  EXPECT_THAT(files[2].text, AllOf(testing::StartsWith("from,to,from_group,to_group,kind,off,on\n"),
                                   testing::ContainsRegex("\ns0\\.1,[se][0-9.]+,0,0,[a-z]+,0\\.600000,0\\.050000\n"),
                                   testing::ContainsRegex("\ns1\\.0,e[0-9]+,0,0,terminal,,\n")));
  EXPECT_THAT(files[3].text, AllOf(HasSubstr("control off"), HasSubstr(">switch 0<")));
  EXPECT_THAT(IncastFiles(Quick(), StudyValues())[4].text, HasSubstr("the run on was not measured."));
}

TEST(CsvTable, ReadsByColumn) {
  const fs::path file = bench::ProcessFolder() / "table.csv";
  std::ofstream(file) << "a,b,c\n1,,x\n2,3\n";
  CsvTable table(file);
  ASSERT_TRUE(table.Next());
  EXPECT_EQ(table.Number("a"), 1);
  EXPECT_EQ(table.Number("b"), 0);
  EXPECT_EQ(table.Text("c"), "x");
  EXPECT_THROW(table.Text("d"), std::runtime_error);
  EXPECT_THROW(table.Next(), std::runtime_error) << "too short";
  fs::remove(file);
  EXPECT_THROW(CsvTable{file}, std::runtime_error);
}

}  // namespace
}  // namespace tilefly::runs
