// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/study.h"

#include <algorithm>

#include "runs/repro/sharp.h"
#include "support/text.h"

namespace tilefly::runs {

std::optional<double> StudyTimes::Of(const std::string& curve, double x) const {
  const auto found = ns_.find({curve, x});
  if (found == ns_.end()) return std::nullopt;
  return found->second;
}

std::vector<double> StudyTimes::XOf(const std::string& curve) const {
  std::vector<double> all;
  for (const auto& [key, ns] : ns_) {
    if (key.first == curve) all.push_back(key.second);
  }
  return all;
}

const std::vector<Study>& Studies() {
  static const std::vector<Study> studies = {
      {"sharp-bandwidth", "bandwidth of all-reduce in the switches, of the hosts' algorithms and of a ping-pong",
       SharpBandwidthRuns, SharpBandwidthFigures},
      {"sharp-latency", "latency of all-reduce in the switches, with and without a lock, and what a lock costs",
       SharpLatencyRuns, SharpLatencyFigures},
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
