// SPDX-License-Identifier: Apache-2.0
// Figures and constants from planted times.
#include "runs/repro/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "runs/repro/host_constants.h"
#include "runs/repro/sharp.h"
#include "runs/system/net_settings.h"
#include "support/errors.h"

namespace tilefly::runs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

double YAt(const std::vector<Figure>& figures, const std::string& figure, const std::string& curve, double x) {
  const FigureCurve* const found = FindCurve(figures, figure, curve);
  if (found == nullptr) return -1;
  for (const CurvePoint& point : found->points) {
    if (point.x == x) return point.y;
  }
  return -2;
}

/// A run of a curve that another study or size does not disturb.
StudyRun At(const std::string& curve, double x) { return {curve, x, {}, ""}; }

TEST(Study, RunsHaveNamesOfTheirOwnAndAreSystems) {
  for (const Study& study : Studies()) {
    const std::size_t quick = study.runs({true}).size();
    const std::vector<StudyRun> runs = study.runs({false});
    EXPECT_EQ(quick < runs.size(), study.name != "incast") << study.name;
    std::set<std::pair<std::string, double>> names;
    std::set<std::string> seen;
    for (const StudyRun& run : runs) {
      EXPECT_TRUE(names.insert({run.curve, run.x}).second) << run.curve << " " << run.x;
      if (study.fits_hosts)
        EXPECT_EQ(run.hosts_reduce, run.curve.find("rabenseifner") != std::string::npos || run.curve == "ring");
      // One of each curve as the program would run it.
      if (!seen.insert(run.curve).second) continue;
      NetSettings settings;
      settings.Set("topology", run.system.topology, "test");
      settings.Set("nic.rate", run.system.nic_rate, "test");
      settings.Set("traffic.pattern", run.traffic, "test");
      for (const auto& [path, value] : run.settings) settings.Set(path, value, "test");
      settings.Resolve();
      const NetRunOptions options = settings.ToRunOptions();
      if (study.fits_hosts) EXPECT_EQ(options.network.hosts.workload->jobs.size(), 1u) << run.traffic;
    }
  }
  EXPECT_THROW(FindStudy("sharp-bandwith"), UsageError);
  EXPECT_EQ(FindStudy("sharp-latency").name, "sharp-latency");
}

TEST(Study, AnOperationHasTheMedianTimeOfItsIterations) {
  const auto results = nlohmann::ordered_json::parse(R"({"jobs": [{"iteration_ns": {"median": 1240.0}}]})");
  StudyRun run = At("ping-pong", 8);
  run.operations = 2;
  StudyValues values;
  FindStudy("sharp-latency").measure(run, results, {}, &values);
  EXPECT_EQ(values.Of("ping-pong", 8), 620);
  EXPECT_EQ(FindStudy("sharp-latency").summary(StudyRun{}, results, "", {}), "1240.0 ns");
  EXPECT_EQ(FindStudy("sharp-latency").summary(StudyRun{}, nlohmann::ordered_json::object(), "", {}), "");
}

TEST(Study, BandwidthIsBytesOverTime) {
  StudyValues times;
  times.Set(At("ping-pong", 65536), 6000);
  times.Set(At("sharp", 65536), 8000);
  times.Set(At("rabenseifner", 65536), 40000);
  times.Set(At("ring", 4096), 7);
  times.Set(At("fast sharp", 65536), 4000);
  times.Set(At("fast sharp-low", 65536), 9000);
  times.Set(At("hosts sharp", 2), 100);
  times.Set(At("hosts sharp", 32), 125);
  const std::vector<Figure> figures = SharpBandwidthFigures(times);
  EXPECT_DOUBLE_EQ(YAt(figures, "bandwidth", "sharp", 65536), 65.536) << "Gb/s";
  EXPECT_DOUBLE_EQ(YAt(figures, "times", "rabenseifner", 65536), 5);
  EXPECT_DOUBLE_EQ(YAt(figures, "of-ping-pong", "sharp", 65536), 0.75);
  EXPECT_DOUBLE_EQ(YAt(figures, "fast-nics", "sharp", 65536), 131.072);
  EXPECT_DOUBLE_EQ(YAt(figures, "fast-nics-times", "sharp-low", 65536), 2.25);
  EXPECT_DOUBLE_EQ(YAt(figures, "hosts", "sharp", 32), 0.8);
  EXPECT_EQ(YAt(figures, "times", "ring", 4096), -2) << "without the tree's time there is no ratio";
  EXPECT_EQ(FindCurve(figures, "times", "sharp"), nullptr);
}

TEST(Study, ALockIsWhatItAdds) {
  StudyValues times;
  times.Set(At("sharp", 4096), 4000);
  times.Set(At("sharp-low", 4096), 2000);
  times.Set(At("small", 8), 1500);
  times.Set(At("small lock=each", 8), 2600);
  times.Set(At("barrier", 8), 1000);
  times.Set(At("barrier", 16), 1000);
  const std::vector<Figure> figures = SharpLatencyFigures(times);
  EXPECT_DOUBLE_EQ(YAt(figures, "latency", "sharp-low", 4096), 2000);
  EXPECT_DOUBLE_EQ(YAt(figures, "of-low-latency", "sharp", 4096), 2);
  EXPECT_DOUBLE_EQ(YAt(figures, "lock", "lock", 8), 1100);
  EXPECT_DOUBLE_EQ(YAt(figures, "lock-of-barrier", "lock", 8), 1.1);
  EXPECT_EQ(YAt(figures, "lock-of-barrier", "lock", 16), -2) << "its lock was not measured";
}

TEST(Study, SizesDouble) { EXPECT_THAT(Doubling(8, 100), ElementsAre(8, 16, 32, 64)); }

/// Hosts and switches of a made-up machine: a message takes `wire` and the hosts, a reduction a share of its time.
struct Machine {
  double operator()(const StudyRun& run, const workload::HostCosts& costs) {
    ++runs;
    const auto hosts = static_cast<double>(costs.send_ns + costs.receive_ns);
    if (run.curve == "ping-pong") return wire + hosts;
    if (run.curve == "sharp") return 5'000'000 + hosts;
    EXPECT_EQ(run.curve, "rabenseifner");
    EXPECT_TRUE(run.hosts_reduce);
    const auto reduced = static_cast<double>(costs.reduce_ns_per_kib) * 65536;
    return rabenseifner + reduced * (overlap ? 0.8 + 0.1 * reduced / (reduced + 1e7) : 1);
  }
  double wire = 620, rabenseifner = 11'000'000;
  bool overlap = false;
  int runs = 0;
};

HostTargets Targets() {
  HostTargets targets;
  targets.largest_bytes = 64 * kMiB;
  return targets;
}

TEST(HostConstants, MeetTheirPoints) {
  for (const bool overlap : {false, true}) {
    Machine machine;
    machine.overlap = overlap;
    const workload::HostCosts costs = FixHostCosts(Targets(), std::ref(machine));
    EXPECT_EQ(costs.send_ns, 290);
    EXPECT_EQ(costs.receive_ns, 290);
    EXPECT_NEAR(machine(AllReduce(SharpTree(), "rabenseifner", 64 * kMiB), costs), 4.8 * 5'000'580,
                0.01 * 4.8 * 5'000'580);
    EXPECT_LE(machine.runs, 9);
  }
}

TEST(HostConstants, AreNeverNegative) {
  const auto refusal = [](Machine machine) -> std::string {
    try {
      FixHostCosts(Targets(), machine);
    } catch (const NoConstants& error) {
      return error.what();
    }
    return "";
  };
  Machine slow;
  slow.wire = 1300;
  EXPECT_THAT(refusal(slow), HasSubstr("1300.0 ns, more than the 1200.0 ns of --ping-pong-ns"));
  Machine hosts;
  hosts.rabenseifner = 30'000'000;
  EXPECT_THAT(refusal(hosts), HasSubstr("host-reduce would be negative"));
  // What reducing takes does not show.
  EXPECT_THROW(FixHostCosts(Targets(), [](const StudyRun&, const workload::HostCosts&) { return 1000.0; }),
               NoConstants);
}

}  // namespace
}  // namespace tilefly::runs
