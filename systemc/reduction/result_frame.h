// SPDX-License-Identifier: Apache-2.0
// The packets that a switch makes from launches, and the frames of reduction packets (docs/blocks/reduction.md,
// Packets, Return lanes; reduction-trees.md, Short operations).
#pragma once

#include <memory>

#include "systemc/fabric/packet.h"
#include "systemc/reduction/half_rings.h"
#include "systemc/reduction/launch.h"

namespace tilefly::systemc {

using FramePointer = std::shared_ptr<const fabric::Frame>;

/// A frame with the reduction header, `data` and a frame check; its length is as the page says.
FramePointer MakeRedFrame(const Profile& profile, const Red& header, const std::vector<std::uint8_t>& data);

/// The packet of a launch; null when it has none. `code` and `tag`: as the states of the groups set them.
FramePointer ResultFrame(const Profile& profile, const Launch& launch, const Collection& collected, RedCode code,
                         std::uint8_t tag);

}  // namespace tilefly::systemc
