// SPDX-License-Identifier: Apache-2.0
#include "cosim/waves/ring_story.h"

namespace tilefly::cosim {

void RingStoryFinder::Record(Lockstep& devices, const Device::Inputs& inputs) {
  finder_.Sample(devices.cycle(), devices.Observe());
  if (recorder_ != nullptr) recorder_->Record(devices, inputs);
}

}  // namespace tilefly::cosim
