// SPDX-License-Identifier: Apache-2.0
// Warnings of events of a fault plan that did nothing, in `cosim` and in `net`.
#pragma once

#include <string>
#include <vector>

#include "faults/plan.h"

namespace tilefly::runs {

/// Why an event that began in time found nothing to act on, and what to do.
std::string WhyIdle(faults::EventKind kind);
/// "warning: PLAN:LINE: event: drop_word has no effect: WHY".
std::string WithoutEffect(const faults::PlannedEvent& event, const std::string& why);
/// The first warnings, and how many more there are.
std::vector<std::string> FirstOf(std::vector<std::string> warnings);

}  // namespace tilefly::runs
