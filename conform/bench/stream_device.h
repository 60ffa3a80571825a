// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conform/bench/beat.h"

namespace tilefly::conform {

/// A device with AXI-Stream ports.
class StreamDevice {
 public:
  virtual ~StreamDevice() = default;
  /// Applies `inputs`, settles, shows the outputs of the same cycle, and goes to the next. Throws cosim::DeviceError.
  virtual void Step(const StreamInputs& inputs, StreamOutputs* outputs) = 0;
  /// Resets the device; its inputs are idle for as long as it takes.
  virtual void Reset() = 0;
};

}  // namespace tilefly::conform
