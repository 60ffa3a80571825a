// SPDX-License-Identifier: Apache-2.0
// The conversion of a frame that leaves by a standard port (docs/blocks/link.md, Out).
#pragma once

#include <array>
#include <memory>

#include "golden/link/frame_format.h"
#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

using EthHeader = std::array<std::uint8_t, golden::kEthBytes>;

/// Returns the frame as a link of `format` carries it, with `eth` before it where the format says so. Returns the same
/// frame when nothing changes.
std::shared_ptr<const fabric::Frame> Convert(std::shared_ptr<const fabric::Frame> frame, const golden::FrameFormat& format,
                                             const EthHeader& eth);

}  // namespace tilefly::systemc
