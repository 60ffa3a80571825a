// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/scenario.h"

#include <algorithm>

#include "support/random.h"

namespace tilefly::conform {

ClassesInUse ClassesOf(const Capability& capability, const Scenario& scenario) {
  const int last = capability.classes.count - 1;
  switch (scenario.classes) {
    case ClassPlan::kDrawn:
      return {0, last};
    case ClassPlan::kByInput:
      return {0, std::min(last, capability.ports - 2)};  // an incast has all inputs but one
    case ClassPlan::kLowest:
      return {0, std::min(last, 1)};
    case ClassPlan::kHighest:
      return {std::max(0, last - 1), last};
  }
  return {};
}

int StoppedOutput(const Capability& capability, const Scenario& scenario, std::uint64_t seed) {
  if (scenario.stopped != kDrawnOutput) return scenario.stopped;
  return static_cast<int>(Below(Draw(seed, 0, 0, Purpose::kScenario), static_cast<std::uint64_t>(capability.ports)));
}

}  // namespace tilefly::conform
