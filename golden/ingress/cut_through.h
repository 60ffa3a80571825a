// SPDX-License-Identifier: Apache-2.0
// When the transfer of a packet that is still arriving may start (docs/blocks/ingress.md, Grants and transfer), and when
// its last word comes.
#pragma once

#include <algorithm>

#include "golden/common/stage_times.h"
#include "golden/common/types.h"

namespace tilefly::golden {

/// First leave cycle allowed, less the first word's wire cycle, of a frame of `length` bytes that comes with a header
/// on `serdes_lanes` lanes. The bound over all cells is reached by one of the last two: words come more slowly than
/// full cells leave.
constexpr Cycle StartOffset(int length, int serdes_lanes) {
  const int stored = length + 16;
  const int cells = CellsOf(length);
  int latest = INT32_MIN;
  for (int j = std::max(0, cells - 2); j < cells; ++j) {
    const int last_word = CeilDiv(std::min(48 * (j + 1), stored), 32) - 1;
    latest = std::max(latest, WordOffset(last_word, serdes_lanes) - j);
  }
  return kWordToLeave + latest;
}

/// Wire cycles from the first word to the last of such a frame.
constexpr std::uint16_t CutThroughDuration(int length, int serdes_lanes) {
  return static_cast<std::uint16_t>(WordOffset(CeilDiv(length + 16, 32) - 1, serdes_lanes));
}

}  // namespace tilefly::golden
