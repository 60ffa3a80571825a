// SPDX-License-Identifier: Apache-2.0
// When synthetic traffic beside jobs ends (docs/workloads.md, Background).
#pragma once

#include "golden/common/cycle.h"

namespace tilefly::network {

/// Rounds beside a background are no longer: that jobs are done is known to all when the round is over, and no earlier.
inline constexpr Cycle kMostRoundOfBackground = 1024;

/// Packets of jobs that are inside, beside a background, may not move for so many times --stall-cycles.
inline constexpr Cycle kPatienceInside = 50;

/// From the last completion of a job to the end of the background, which no length of rounds may show in: at the end of
/// the round of the completion packets are known whose last words come up to `known` cycles later.
constexpr Cycle BackgroundTail(Cycle known) {
  return (2 * kMostRoundOfBackground + known - 1) / kMostRoundOfBackground * kMostRoundOfBackground;
}

}  // namespace tilefly::network
