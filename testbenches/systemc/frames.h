// SPDX-License-Identifier: Apache-2.0
// Frames of the packets that are offered: real bytes, from which their number can be read wherever they leave.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "systemc/reduction/result_frame.h"

namespace tilefly::systemc {

/// A frame of `length` bytes, 32 at least, for a packet with header: its number, bytes that are random by it, a good check.
FramePointer MakeFrame(std::uint32_t id, int length);
/// A bare frame of `length` bytes of a packet to `mac`, with a tag of this priority; otherwise likewise.
FramePointer MakeBare(std::uint32_t id, int length, std::uint64_t mac, int priority);
/// Number of the packet of a frame that these made.
std::uint32_t IdOf(const fabric::Frame& frame);
/// A PAUSE frame, an offer of its own. `classes` of class n is bit n; without: the frame that pauses all.
FramePointer MakePauseFrame(std::optional<unsigned> classes, std::uint16_t quanta);

/// What two deliveries of the same bytes have in common: a hash of all of a frame; of a damaged one without its check, which
/// is no good whatever it says.
std::uint64_t ContentOf(const fabric::Frame& frame, bool bad);

}  // namespace tilefly::systemc
