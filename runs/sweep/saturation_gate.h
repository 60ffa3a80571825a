// SPDX-License-Identifier: Apache-2.0
// Which points of a sweep are not run because a lower load of their curve is saturated (docs/sweeps.md, Saturation).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runs/sweep/run_pool.h"
#include "runs/sweep/sweep_plan.h"

namespace tilefly::runs {

/// Whether the plan has curves over several loads.
bool HasSeveralLoads(const SweepPlan& plan);

/// Of each curve, the points of one combination of the other settings, `past` loads above the lowest saturated one are
/// run; the others are skipped. Which these are depends on results only, not on the order in which runs end.
class SaturationGate {
 public:
  SaturationGate(const SweepPlan& plan, int past);

  RunPool::Gate operator()(std::size_t index, const std::vector<RunOutcome>& outcomes, std::string* why) const;

 private:
  struct Place {
    std::size_t curve = 0;
    std::size_t deciding = 0;  ///< how many points of the curve, the lowest ones, decide on this one
  };

  std::vector<std::vector<std::size_t>> curves_;  ///< points by load
  std::vector<Place> places_;                     ///< of the points
  std::vector<std::string> loads_;
};

}  // namespace tilefly::runs
