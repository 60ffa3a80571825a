// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilefly::cosim {

// Types of blocks, and the first fields of a section, of draft-ietf-opsawg-pcapng.
namespace pcapng {
inline constexpr std::uint32_t kSectionHeader = 0x0a0d0d0a, kInterface = 1, kPacket = 2, kSimplePacket = 3,
                               kEnhancedPacket = 6;
inline constexpr std::uint32_t kByteOrderMagic = 0x1a2b3c4d;
}  // namespace pcapng

/// Interface of every packet of a pcapng file, in order. libpcap reads the packets but does not tell their interface.
/// Empty for a file of another format. Stops quietly at damage, which the reader of the packets reports.
std::vector<int> PcapngInterfaces(const std::string& file);

}  // namespace tilefly::cosim
