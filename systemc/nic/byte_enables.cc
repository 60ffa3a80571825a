// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/byte_enables.h"

#include <algorithm>

namespace tilefly::systemc {

bool ByteEnablesAreRight(const tlm::tlm_generic_payload& payload) {
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  if (enables == nullptr) return true;
  const unsigned length = payload.get_byte_enable_length();
  return length != 0 && std::all_of(enables, enables + length, [](unsigned char enable) {
           return enable == TLM_BYTE_ENABLED || enable == TLM_BYTE_DISABLED;
         });
}

std::vector<std::uint8_t> PackEnables(const tlm::tlm_generic_payload& payload, std::size_t first, std::size_t bytes) {
  std::vector<std::uint8_t> bits(EnableBytes(bytes));
  for (std::size_t i = 0; i < bytes; ++i) {
    if (IsEnabled(payload, first + i)) bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1u << i % 8);
  }
  return bits;
}

std::vector<std::uint8_t> UnpackEnables(const std::uint8_t* bits, std::size_t bytes) {
  std::vector<std::uint8_t> enables(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    enables[i] = (bits[i / 8] >> i % 8 & 1) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  }
  return enables;
}

}  // namespace tilefly::systemc
