// SPDX-License-Identifier: Apache-2.0
// Where a frame says its class: written into frames that are drawn, read from frames of a user's own.
#pragma once

#include "conform/bench/frame.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

/// Bytes behind the MAC header that the field takes.
std::size_t ClassHeaderBytes(const Classes& classes);
/// Bits of tuser that say the class.
std::uint32_t ClassBits(const Classes& classes);
/// Writes the field for `frame->traffic_class`.
void SayClass(const Capability& capability, Frame* frame);
/// The class whose value the frame has, -1: none, or no field. 0 without classes.
int ClassSaid(const Capability& capability, const Frame& frame);

}  // namespace tilefly::conform
