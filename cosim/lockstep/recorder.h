// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/device.h"
#include "cosim/lockstep/lockstep.h"

namespace tilefly::cosim {

/// Sees every cycle of a run. Waveforms and packet journeys are recorders.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// Records a cycle. The devices show cycle `devices.cycle()`, and `inputs` are what they will be stepped with.
  virtual void Record(Lockstep& devices, const Device::Inputs& inputs) = 0;
};

}  // namespace tilefly::cosim
