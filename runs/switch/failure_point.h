// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cosim/lockstep/divergence.h"
#include "cosim/reduction/launches.h"
#include "cosim/common/story.h"
#include "generated/profile.h"

namespace tilefly::runs {

/// Names input and output of a divergence in a turn tile: those whose cell the two sides took otherwise.
void FindTurning(const Profile& profile, const cosim::Observation& a, const cosim::Observation& b,
                 cosim::Divergence* found);

/// Which packets a wave is to show of a divergence, and which signal. `launch`: of the reduction ring, that it
/// concerns.
cosim::FailurePoint PointOf(const cosim::Divergence& found, const Profile& profile,
                            const std::optional<cosim::RingLaunch>& launch);

}  // namespace tilefly::runs
