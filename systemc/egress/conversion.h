// SPDX-License-Identifier: Apache-2.0
// What becomes of a frame on the way to a standard port (docs/blocks/link.md, Out).
#pragma once

#include <array>
#include <memory>

#include "golden/link/frame_format.h"
#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

using EthHeader = std::array<std::uint8_t, golden::kEthBytes>;

/// The frame as a link of `format` carries it, `eth` before it where the format says so; the same one when nothing changes.
std::shared_ptr<const fabric::Frame> Convert(std::shared_ptr<const fabric::Frame> frame, const golden::FrameFormat& format,
                                             const EthHeader& eth);

}  // namespace tilefly::systemc
