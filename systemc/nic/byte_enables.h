// SPDX-License-Identifier: Apache-2.0
// Byte enables of the generic payload, and as messages carry them: a bit for each byte (docs/systemc.md, Byte enables).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tlm>

namespace tilefly::systemc {

/// Whether byte enables, if there are any, are some bytes of TLM_BYTE_ENABLED or TLM_BYTE_DISABLED.
bool ByteEnablesAreRight(const tlm::tlm_generic_payload& payload);

/// Whether byte `index` of the data is enabled. Its array of byte enables is repeated as often as it takes.
inline bool IsEnabled(const tlm::tlm_generic_payload& payload, std::size_t index) {
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  return enables == nullptr || enables[index % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

/// Bytes that the bits of so many bytes take.
constexpr std::size_t EnableBytes(std::size_t bytes) { return (bytes + 7) / 8; }
/// The bits of bytes `first` to `first + bytes - 1`: byte first + i has bit i % 8 of byte i / 8.
std::vector<std::uint8_t> PackEnables(const tlm::tlm_generic_payload& payload, std::size_t first, std::size_t bytes);
/// Byte enables of `bytes` bytes of their bits.
std::vector<std::uint8_t> UnpackEnables(const std::uint8_t* bits, std::size_t bytes);

}  // namespace tilefly::systemc
