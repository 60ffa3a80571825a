// SPDX-License-Identifier: Apache-2.0
// The bytes of a system's packets. Golden switches carry none, so they are made where a device needs words, everywhere
// the same: they are a function of (seed, source, cycle in which the source sent it).
#pragma once

#include <cstdint>
#include <string>

#include "cosim/frame.h"
#include "golden/network/messages.h"

namespace tilefly::cosim {

/// Names a packet: a source sends one a cycle at most.
using PacketKey = std::uint64_t;
PacketKey KeyOf(const golden::PacketRecord& record);

/// The packet with `header` before it.
FramePtr MakeFrame(std::uint64_t seed, const golden::PacketRecord& record, const golden::HeaderBits& header);
/// The packet whose first word this is. Of a word that no frame begins with: anything.
PacketKey KeyIn(const Word& first);
/// "the packet that endpoint 3 sent to 17 in cycle 812".
std::string NameOf(const golden::PacketRecord& record);

}  // namespace tilefly::cosim
