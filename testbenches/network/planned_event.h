// SPDX-License-Identifier: Apache-2.0
// Events of fault plans that tests make by hand.
#pragma once

#include <optional>
#include <string>

#include "faults/plan.h"
#include "golden/common/cycle.h"

namespace tilefly::network {

/// An event of a link in cycle `at` of traffic, for `cycles` cycles. Messages name it by its cycle: "plan:AT: event".
inline faults::PlannedEvent Event(Cycle at, faults::EventKind kind, faults::LinkName link, std::optional<Cycle> cycles = {}) {
  faults::PlannedEvent event;
  event.at = at;
  event.kind = kind;
  event.link = link;
  event.cycles = cycles;
  event.origin = "plan:" + std::to_string(at) + ": event";
  return event;
}

}  // namespace tilefly::network
