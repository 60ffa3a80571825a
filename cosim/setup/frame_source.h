// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/setup/frame.h"
#include "golden/common/cycle.h"

namespace tilefly::cosim {

/// A set of virtual lanes of a link, one bit each.
using LaneMask = std::uint32_t;

/// Interface from which endpoints take their frames.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  /// The next frame of `port` whose time has come and whose lane is not in `held`; null: there is none. Frames of a
  /// lane come in their order. A bare frame counts as a frame of lane 0.
  virtual FramePtr NextFrame(int port, Cycle now, LaneMask held) = 0;
};

}  // namespace tilefly::cosim
