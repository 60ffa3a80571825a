// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/setup/frame.h"
#include "golden/common/cycle.h"

namespace tilefly::cosim {

/// Virtual lanes of a link, a bit each.
using LaneMask = std::uint32_t;

/// Where an endpoint's frames come from.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  /// The next frame of `port` whose lane is not in `held`, when its time has come; null otherwise. Frames of a lane
  /// come in their order; a bare frame counts as one of lane 0.
  virtual FramePtr NextFrame(int port, Cycle now, LaneMask held) = 0;
};

}  // namespace tilefly::cosim
