// SPDX-License-Identifier: Apache-2.0
// Options of runs whose links send damaged words again.
#pragma once

#include <memory>

#include "faults/plan.h"
#include "testbenches/network/routed_run.h"

namespace tilefly::network {

/// With the plan, and links that repeat.
inline NetworkOptions With(NetworkOptions options, const faults::Plan& plan) {
  options.retry = true;
  options.fault_plan = std::make_shared<const faults::Plan>(plan);
  return options;
}

/// With bit errors on all links between switches.
inline NetworkOptions Repeating(NetworkOptions options, double word_ber) {
  faults::Plan plan;
  plan.channel.word_ber = word_ber;
  return With(std::move(options), plan);
}

}  // namespace tilefly::network
