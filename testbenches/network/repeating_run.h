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

/// All kinds of faults of words and control slots at once.
inline faults::Plan Mixed() {
  faults::Plan plan;
  plan.channel.word_ber = 3e-6;
  plan.channel.slot_ber = 3e-5;
  plan.channel.burst = 2;
  plan.channel.word = {0.0005, 0.0005, 0.005};
  plan.channel.slot = {0.002, 0.002, 0};
  return plan;
}

/// Bit errors of the words on the links of NICs, by endpoint: those before `count`.
inline faults::Plan OfNics(double word_ber, faults::Direction direction, int count) {
  faults::Plan plan;
  for (int e = 0; e < count; ++e) {
    faults::PlannedLink link;
    link.link = {faults::LinkName::End::kEndpoint, e, 0};
    link.direction = direction;
    link.rates.word_ber = word_ber;
    plan.links.push_back(link);
  }
  return plan;
}

}  // namespace tilefly::network
