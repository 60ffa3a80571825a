// SPDX-License-Identifier: Apache-2.0
// The SystemVerilog around a switch whose ports are Tilefly's links, and what its device in C++ has to know of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "conform/capability/capability.h"
#include "conform/verilated/wrapper.h"

namespace tilefly::conform {

/// Bits of the observation record as rtl/switch packs it: ports, turn tiles, reduction ports, the CFU, from bit 0 on.
int RecordBits(const Profile& profile, const cosim::WireVersion& wire);

std::vector<NeededPort> NeededLinkPorts(const Capability& capability);
/// The module `kWrapper` around the top of `capability`: elements of links and record in whole bytes.
std::string LinkWrapperText(const Capability& capability);
/// Marks of link_device.cpp with their values.
std::vector<std::pair<std::string, std::string>> LinkDeviceMarks(const Capability& capability);

}  // namespace tilefly::conform
