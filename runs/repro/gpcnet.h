// SPDX-License-Identifier: Apache-2.0
// The study of the benchmark GPCNeT (docs/blocks/flow_channel.md, `tilefly repro gpcnet`): tests of some nodes, the
// victims, alone and beside other nodes that cause congestion, the congestors, with congestion control off and on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runs/repro/study.h"
#include "topology/topology.h"

namespace tilefly::runs {

/// The nodes of a seed, as endpoints of the system.
struct GpcnetPlaces {
  std::vector<int> victims;
  std::vector<int> congestors;
};

/// The system of the study: `--topology`, or the default one. Throws UsageError when it is too small for the options.
topology::Topology GpcnetSystem(const StudyOptions& options);
/// Draws nodes that are at four switches or more, and in two address groups or more. Throws UsageError when such nodes
/// are too rare.
GpcnetPlaces DrawPlaces(const topology::Topology& system, const StudyOptions& options, std::uint64_t seed);

/// A test of the victims.
struct GpcnetTest {
  const char* name;
  const char* pattern;  ///< of `tilefly net`, with an algorithm or key
  std::int64_t bytes;   ///< of a test of bandwidth: what a rank sends in an iteration; else 0
};
const std::vector<GpcnetTest>& GpcnetTests();
/// Congestors of a run, `all` first. `quick`: only those of --quick.
std::vector<std::string> GpcnetCongestors(bool quick);
/// The name of no congestors.
inline constexpr const char* kNoCongestor = "none";
/// The job of one kind of congestors at these endpoints.
std::string CongestorJob(const std::string& kind, const std::vector<int>& at);
/// The curve of a run: "ring8,all,on". Its x is the seed.
std::string GpcnetCurve(const std::string& test, const std::string& congestor, bool control);

std::vector<StudyRun> GpcnetRuns(const StudyOptions& options);
/// Sets the samples of the victims: how many, and their mean and 99th percentile in ns.
void MeasureGpcnet(const StudyRun& run, const nlohmann::ordered_json& results, StudyValues* values);
std::string GpcnetSummary(const nlohmann::ordered_json& results);
nlohmann::ordered_json DescribeGpcnet(const StudyOptions& options);

/// What MeasureGpcnet sets of a run.
struct GpcnetSamples {
  double count, mean_ns, p99_ns;
};
std::optional<GpcnetSamples> GpcnetSamplesOf(const StudyValues& values, const std::string& curve, int seed);
/// How many times as long as alone the samples of a test are beside congestors, with the same seed and control.
struct GpcnetImpact {
  double mean, p99;
};
std::optional<GpcnetImpact> GpcnetImpactOf(const StudyValues& values, const std::string& test,
                                           const std::string& congestor, bool control, int seed);
/// `impact`: the largest impact factors of all seeds. `times`: how many times as large they are with control off as
/// with control on, beside the congestors that are the worst with control off; the least of all seeds. A number to
/// which a run is missing is left out.
std::vector<Figure> GpcnetFigures(const StudyOptions& options, const StudyValues& values);
/// `impact.csv`.
std::vector<StudyFile> GpcnetFiles(const StudyOptions& options, const StudyValues& values);

}  // namespace tilefly::runs
