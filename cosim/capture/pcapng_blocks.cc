// SPDX-License-Identifier: Apache-2.0
#include "cosim/capture/pcapng_blocks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace tilefly::cosim {
namespace {

constexpr std::uint32_t kLargestBlock = 64u << 20;

std::uint32_t Word32(const std::uint8_t* bytes, bool swapped) {
  std::uint32_t value;
  std::memcpy(&value, bytes, sizeof value);
  return swapped ? __builtin_bswap32(value) : value;
}

}  // namespace

std::vector<int> PcapngInterfaces(const std::string& file) {
  std::vector<int> interfaces;
  std::ifstream in(file, std::ios::binary);
  bool swapped = false;
  std::array<std::uint8_t, 12> head;
  while (in.read(reinterpret_cast<char*>(head.data()), head.size())) {
    const std::uint32_t type = Word32(head.data(), swapped);
    if (type == pcapng::kSectionHeader) swapped = Word32(head.data() + 8, false) != pcapng::kByteOrderMagic;
    const std::uint32_t length = Word32(head.data() + 4, swapped);
    if ((interfaces.empty() && type != pcapng::kSectionHeader && in.tellg() == std::streampos(12)) || length < 12 ||
        length > kLargestBlock)
      break;
    if (type == pcapng::kEnhancedPacket) {
      interfaces.push_back(static_cast<int>(Word32(head.data() + 8, swapped)));
    } else if (type == pcapng::kSimplePacket) {
      interfaces.push_back(0);
    } else if (type == pcapng::kPacket) {
      const std::uint16_t low = static_cast<std::uint16_t>(head[8] | head[9] << 8);
      interfaces.push_back(swapped ? __builtin_bswap16(low) : low);
    }
    in.seekg(length - static_cast<std::uint32_t>(head.size()), std::ios::cur);
  }
  return interfaces;
}

}  // namespace tilefly::cosim
