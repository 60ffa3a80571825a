// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cosim/lockstep/divergence.h"
#include "cosim/reduction/launches.h"
#include "cosim/waves/story.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// Names input and output of a divergence in a turn tile: those whose cell the two sides took otherwise.
void FindTurning(const Profile& profile, const Observation& a, const Observation& b, Divergence* found);

/// Which packets a wave is to show of a divergence, and which signal. `launch`: of the reduction ring, that it
/// concerns.
FailurePoint PointOf(const Divergence& found, const Profile& profile, const std::optional<RingLaunch>& launch);

}  // namespace tilefly::cosim
