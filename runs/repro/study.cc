// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/study.h"

#include <algorithm>

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
  static const std::vector<Study> studies = {
      {"sharp-bandwidth", "bandwidth of all-reduce in the switches, of the hosts' algorithms and of a ping-pong",
       few_sizes, true, SharpBandwidthRuns, MeasureOperation, OperationSummary, SharpBandwidthFigures},
      {"sharp-latency", "latency of all-reduce in the switches, with and without a lock, and what a lock costs",
       few_sizes, true, SharpLatencyRuns, MeasureOperation, OperationSummary, SharpLatencyFigures},
      {"link-efficiency", "share of a link that carries useful words, over its bit error rate, beside the formula",
       "few bit error rates, and short runs", false, LinkEfficiencyRuns, MeasureLink, LinkSummary,
       LinkEfficiencyFigures},
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
