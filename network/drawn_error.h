// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "golden/common/cycle.h"

namespace tilefly::network {

/// What happened to a word, or to a control slot that carried something.
enum class Damage : std::uint8_t { kBadWord, kDroppedWord, kRepeatedWord, kNoise, kBadSlot, kDroppedSlot, kRepeatedSlot };

/// An error on a link.
struct DrawnError {
  static constexpr std::size_t kMost = 10'000;  ///< errors of a direction that are kept

  Cycle cycle;  ///< of traffic, at the receiving end
  Damage what;
  bool planned;  ///< an event of the plan was to do it
};

}  // namespace tilefly::network
