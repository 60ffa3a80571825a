// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/study.h"

#include <algorithm>

#include "runs/repro/gpcnet.h"
#include "runs/repro/incast.h"
#include "runs/repro/link_efficiency.h"
#include "runs/repro/sharp.h"
#include "support/text.h"

namespace tilefly::runs {

std::optional<double> StudyValues::Of(const std::string& curve, double x) const {
  const auto found = values_.find({curve, x});
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

std::vector<double> StudyValues::XOf(const std::string& curve) const {
  std::vector<double> all;
  for (const auto& [key, value] : values_) {
    if (key.first == curve) all.push_back(key.second);
  }
  return all;
}

const std::vector<Study>& Studies() {
  static const char* const few_sizes =
      "few sizes, the largest 1 MiB: the peak judged is that of 1 MiB, and host-reduce is fixed there";
  // These have --quick as their only option.
  using Runs = std::vector<StudyRun> (*)(const StudyOptions&);
  using Figures = std::vector<Figure> (*)(const StudyOptions&, const StudyValues&);
  const Runs bandwidth_runs = [](const StudyOptions& options) { return SharpBandwidthRuns(options.quick); };
  const Runs latency_runs = [](const StudyOptions& options) { return SharpLatencyRuns(options.quick); };
  const Runs link_runs = [](const StudyOptions& options) { return LinkEfficiencyRuns(options.quick); };
  const Figures bandwidth = [](const StudyOptions&, const StudyValues& values) {
    return SharpBandwidthFigures(values);
  };
  const Figures latency = [](const StudyOptions&, const StudyValues& values) { return SharpLatencyFigures(values); };
  const Figures link = [](const StudyOptions&, const StudyValues& values) { return LinkEfficiencyFigures(values); };
  using Measure = void (*)(const StudyRun&, const nlohmann::ordered_json&, const std::filesystem::path&, StudyValues*);
  const Measure operation = [](const StudyRun& run, const nlohmann::ordered_json& results, const std::filesystem::path&,
                               StudyValues* values) { MeasureOperation(run, results, values); };
  const Measure measure_link = [](const StudyRun& run, const nlohmann::ordered_json& results,
                                  const std::filesystem::path&,
                                  StudyValues* values) { MeasureLink(run, results, values); };
  const Measure measure_gpcnet = [](const StudyRun& run, const nlohmann::ordered_json& results,
                                    const std::filesystem::path&,
                                    StudyValues* values) { MeasureGpcnet(run, results, values); };
  using Summary = std::string (*)(const StudyRun&, const nlohmann::ordered_json&, const std::filesystem::path&,
                                  const StudyOptions&);
  const Summary operation_summary = [](const StudyRun&, const nlohmann::ordered_json& results,
                                       const std::filesystem::path&,
                                       const StudyOptions&) { return OperationSummary(results); };
  const Summary link_summary = [](const StudyRun&, const nlohmann::ordered_json& results, const std::filesystem::path&,
                                  const StudyOptions&) { return LinkSummary(results); };
  const Summary gpcnet_summary = [](const StudyRun&, const nlohmann::ordered_json& results,
                                    const std::filesystem::path&,
                                    const StudyOptions&) { return GpcnetSummary(results); };
  static const std::vector<Study> studies = {
      {"sharp-bandwidth", "bandwidth of all-reduce in the switches, of the hosts' algorithms and of a ping-pong",
       few_sizes, true, bandwidth_runs, operation, operation_summary, bandwidth},
      {"sharp-latency", "latency of all-reduce in the switches, with and without a lock, and what a lock costs",
       few_sizes, true, latency_runs, operation, operation_summary, latency},
      {"link-efficiency", "share of a link that carries useful words, over its bit error rate, beside the formula",
       "few bit error rates, and short runs", false, link_runs, measure_link, link_summary, link},
      {"gpcnet",
       "the benchmark GPCNeT: tests of some nodes beside others that cause congestion, with control off and on",
       "a tenth of the samples, and of the congestors only all and incast", false, GpcnetRuns, measure_gpcnet,
       gpcnet_summary, GpcnetFigures, DescribeGpcnet, GpcnetFiles},
      {"incast",
       "one incast, with congestion control off and on: its queue, the flows that are throttled, and a victim",
       "a small system, and unless they are given 30 contributors and 300 us", false, IncastRuns, MeasureIncast,
       IncastSummary, IncastFigures, DescribeIncast, IncastFiles},
  };
  return studies;
}

const Study& FindStudy(const std::string& name) {
  std::vector<std::string> known;
  for (const Study& study : Studies()) {
    if (study.name == name) return study;
    known.push_back(study.name);
  }
  ThrowUnknown("figure to reproduce", name, known);
}

}  // namespace tilefly::runs
