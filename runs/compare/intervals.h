// SPDX-License-Identifier: Apache-2.0
// Confidence intervals of the figures of a run, and of the difference of two (docs/compare.md).
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilefly::runs {

/// Level of all intervals.
inline constexpr double kComparedLevel = 0.95;

/// The 95 % interval of a mean, and whether it may be relied on.
struct Interval {
  double half_width = 0;
  int batches = 0;    ///< of which it was made; 0: not known
  std::string doubt;  ///< why it does not hold; empty: it holds
};

/// Of the means in results.json of a run of `net` whose steady state was judged, by their paths: "latency_ns.mean",
/// "accepted_load", "steady_state.missing_load.mean". None of other runs.
std::map<std::string, Interval> IntervalsOf(const nlohmann::ordered_json& results);

/// Half width of the 95 % interval of the difference of two independent means: Welch's, or where the batches of one are
/// not known the root of the sum of squares.
double HalfWidthOfDifference(const Interval& a, const Interval& b);

}  // namespace tilefly::runs
