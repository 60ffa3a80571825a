// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "faults/plan.h"
#include "golden/common/cycle.h"

namespace tilefly::network {

/// What happened to a word, or to a control slot that carried something.
enum class Damage : std::uint8_t {
  kBadWord,
  kDroppedWord,
  kRepeatedWord,
  kNoise,
  kBadSlot,
  kDroppedSlot,
  kRepeatedSlot,
  kMutedSlot  ///< a stuck receiver did not say what it carried; only the first slot of an event is noted
};

/// An error on a link.
struct DrawnError {
  static constexpr std::size_t kMost = 10'000;  ///< errors of a direction that are kept
  static constexpr std::int32_t kNoEvent = -1;

  bool planned() const { return event != kNoEvent; }

  Cycle cycle;  ///< of traffic, at the receiving end
  Damage what;
  std::int32_t event;  ///< the event of the plan that was to do it, by its number; kNoEvent: it was drawn
};

inline std::int32_t NumberOf(const faults::PlannedEvent* event) { return event == nullptr ? DrawnError::kNoEvent : event->number; }

/// Keeps the error when there is room. The first error of each event is always kept: it says that the event did something.
inline void Keep(const DrawnError& error, std::vector<DrawnError>* errors) {
  const auto of_event = [&](const DrawnError& one) { return one.event == error.event; };
  if (errors->size() < DrawnError::kMost || (error.planned() && std::none_of(errors->begin(), errors->end(), of_event)))
    errors->push_back(error);
}

}  // namespace tilefly::network
