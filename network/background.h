// SPDX-License-Identifier: Apache-2.0
// When what is sent beside jobs ends: synthetic traffic (docs/workloads.md, Background), and jobs that repeat.
#pragma once

#include "golden/common/cycle.h"

namespace tilefly::network {

/// The longest round of a run with a background. All processes learn that the jobs are done only when a round is over,
/// so a longer round would end the background later.
inline constexpr Cycle kMostRoundOfBackground = 1024;

/// Beside a background, packets of jobs that are inside must not stand still for this many times --stall-cycles.
inline constexpr Cycle kPatienceInside = 50;

/// Cycles from the last completion of a job to the end of the background. They are such that the length of rounds does
/// not show in results. `known`: at the end of the round of the completion, all packets are known whose last words come
/// up to `known` cycles later.
constexpr Cycle BackgroundTail(Cycle known) {
  return (2 * kMostRoundOfBackground + known - 1) / kMostRoundOfBackground * kMostRoundOfBackground;
}

}  // namespace tilefly::network
