// SPDX-License-Identifier: Apache-2.0
#include "runs/common/fault_effects.h"

#include <fmt/format.h>

namespace tilefly::runs {

std::string WhyIdle(faults::EventKind kind) {
  using faults::EventKind;
  if (kind == EventKind::kStuck)
    return "its receiver had nothing to say in that time, as while the link is down; give another `at`, or a longer `for`";
  if (kind == EventKind::kRepeatWord || kind == EventKind::kRepeatSlot)
    return "what it repeated was as what came then; give an `at` when the direction carries something, or a higher `count`";
  return "from then on the direction carried nothing that it could hit; give an earlier `at`, or another direction";
}

std::string WithoutEffect(const faults::PlannedEvent& event, const std::string& why) {
  return fmt::format("warning: {}: {} has no effect: {}", event.origin, faults::NameOf(event.kind), why);
}

std::vector<std::string> FirstOf(std::vector<std::string> warnings) {
  constexpr std::size_t kMost = 20;
  if (const std::size_t all = warnings.size(); all > kMost) {
    warnings.resize(kMost);
    warnings.push_back(fmt::format("warning: {} more events of the plan have no effect", all - kMost));
  }
  return warnings;
}

}  // namespace tilefly::runs
