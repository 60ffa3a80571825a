// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/setup/frame.h"
#include "golden/common/cycle.h"

namespace tilefly::cosim {

/// Where an endpoint's frames come from.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  /// The next frame of `port`, when its time has come; null otherwise.
  virtual FramePtr NextFrame(int port, Cycle now) = 0;
};

}  // namespace tilefly::cosim
