// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cosim/setup/frame.h"
#include "golden/state/packet.h"

namespace tilefly::cosim {

/// A packet on a link of a device, which goes word by word.
struct FrameOnLink {
  bool Due(Cycle now) const { return frame != nullptr && now == first + WordOffset(next, lanes); }

  FramePtr frame;  ///< null: none
  Cycle first = 0;
  int next = 0;  ///< word
  int lanes = 4;
  int words = 0;
  std::shared_ptr<Frame> red;   ///< frame of a reduction packet, whose data come with its words; null for others
  golden::Payload payload = 0;  ///< of what leaves, and of a reduction packet
};

}  // namespace tilefly::cosim
