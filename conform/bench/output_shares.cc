// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/output_shares.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tilefly::conform {

OutputShares::OutputShares(const Capability& capability, const Scenario& scenario)
    : capability_(capability),
      scenario_(scenario),
      inputs_(static_cast<std::size_t>(capability.ports * capability.ports)),
      classes_(static_cast<std::size_t>(capability.classes.count)) {}

void OutputShares::Add(int output, const Frame& frame) {
  const auto beats = static_cast<std::int64_t>(BeatsOf(frame, capability_.signals.data_bytes));
  inputs_[static_cast<std::size_t>(output * capability_.ports + frame.source)] += beats;
  classes_[static_cast<std::size_t>(frame.traffic_class)] += capability_.classes.by_frames ? 1 : beats;
}

std::optional<double> OutputShares::Fairness() const {
  std::optional<double> fairness;
  const int ports = capability_.ports;
  for (int output = 0; output < ports; ++output) {
    const int every = scenario_.each_output == 0 ? 0 : ports / scenario_.each_output;
    if (every == 0 ? output != scenario_.focus : output % every != 0) continue;
    std::int64_t all = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int input = 0; input < ports; ++input) {
      if (input == output) continue;
      const std::int64_t beats = inputs_[static_cast<std::size_t>(output * ports + input)];
      all += beats;
      least = std::min(least, beats);
    }
    if (all == 0) return std::nullopt;
    const double share = static_cast<double>(least) / static_cast<double>(all) * (ports - 1);
    fairness = std::min(fairness.value_or(share), share);
  }
  return fairness;
}

std::optional<double> OutputShares::Classes() const {
  const auto all = static_cast<double>(std::accumulate(classes_.begin(), classes_.end(), std::int64_t{0}));
  if (all == 0) return std::nullopt;
  const ClassesInUse use = ClassesOf(capability_, scenario_);
  if (capability_.classes.strict) return static_cast<double>(classes_[static_cast<std::size_t>(use.last)]) / all;
  double weights = 0;
  for (int c = use.first; c <= use.last; ++c) weights += capability_.classes.weights[static_cast<std::size_t>(c)];
  double least = std::numeric_limits<double>::max();
  for (int c = use.first; c <= use.last; ++c) {
    const auto at = static_cast<std::size_t>(c);
    least = std::min(least, static_cast<double>(classes_[at]) / all / (capability_.classes.weights[at] / weights));
  }
  return least;
}

}  // namespace tilefly::conform
