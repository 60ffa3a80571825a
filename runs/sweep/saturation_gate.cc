// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/saturation_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "runs/sweep/sweep_results.h"
#include "runs/system/steady_results.h"

namespace tilefly::runs {

bool HasSeveralLoads(const SweepPlan& plan) {
  return std::any_of(plan.swept.begin(), plan.swept.end(), [](const SweptSetting& one) {
    return std::string_view(one.setting->option) == "load" && one.numeric();
  });
}

SaturationGate::SaturationGate(const SweepPlan& plan, int past) : places_(plan.points.size()) {
  const std::size_t axis = CurveAxis(plan);
  const SweptSetting& loads = plan.swept[axis];
  std::map<std::string, double> load_of;
  for (std::size_t i = 0; i < loads.values.size(); ++i) load_of[loads.values[i]] = loads.numbers[i];
  std::map<std::vector<std::string>, std::vector<std::size_t>> curves;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    loads_.push_back(plan.points[i].values[axis]);
    std::vector<std::string> others = plan.points[i].values;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(axis));
    curves[others].push_back(i);
  }
  for (auto& [others, points] : curves) {
    std::sort(points.begin(), points.end(),
              [&](std::size_t a, std::size_t b) { return load_of[loads_[a]] < load_of[loads_[b]]; });
    for (std::size_t rank = 0; rank < points.size(); ++rank)
      places_[points[rank]] = {curves_.size(), rank - std::min(rank, static_cast<std::size_t>(past))};
    curves_.push_back(std::move(points));
  }
}

RunPool::Gate SaturationGate::operator()(std::size_t index, const std::vector<RunOutcome>& outcomes,
                                         std::string* why) const {
  bool open = true;
  const Place& place = places_[index];
  for (std::size_t rank = 0; rank < place.deciding; ++rank) {
    const std::size_t lower = curves_[place.curve][rank];
    if (SteadyVerdictOf(outcomes[lower].results) == "saturated") {
      *why = fmt::format("as load {} of its curve is saturated", loads_[lower]);
      return RunPool::Gate::kSkip;
    }
    open = open && outcomes[lower].exit_code >= 0;
  }
  return open ? RunPool::Gate::kOpen : RunPool::Gate::kWait;
}

}  // namespace tilefly::runs
