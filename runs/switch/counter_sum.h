// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "runs/switch/switch_run.h"

namespace tilefly::runs {

/// Sum of a counter of the switch over all ports; null: nobody counts, or the run did not come to its end.
inline nlohmann::ordered_json CounterSum(SwitchRun& run, Counter counter) {
  if (!run.drained() || run.lockstep().counting() == nullptr) return nullptr;
  std::uint64_t sum = 0;
  for (int port = 0; port < run.options().profile->ports; ++port)
    sum += run.lockstep().counting()->Counter(port, static_cast<int>(counter));
  return sum;
}

}  // namespace tilefly::runs
