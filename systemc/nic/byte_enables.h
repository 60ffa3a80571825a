// SPDX-License-Identifier: Apache-2.0
// Byte enables of the generic payload, and byte enables in messages, which have one bit for each byte (docs/systemc.md,
// Byte enables).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tlm>

namespace tilefly::systemc {

/// Whether the byte enables, if there are any, are at least one byte, each TLM_BYTE_ENABLED or TLM_BYTE_DISABLED.
bool ByteEnablesAreRight(const tlm::tlm_generic_payload& payload);

/// Whether byte `index` of the data is enabled. The payload's array of byte enables is repeated as often as necessary.
inline bool IsEnabled(const tlm::tlm_generic_payload& payload, std::size_t index) {
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  return enables == nullptr || enables[index % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

/// Bytes that the enable bits of `bytes` bytes take.
constexpr std::size_t EnableBytes(std::size_t bytes) { return (bytes + 7) / 8; }
/// The enable bits of the bytes `first` to `first + bytes - 1`: the bit of byte first + i is bit i % 8 of byte i / 8.
std::vector<std::uint8_t> PackEnables(const tlm::tlm_generic_payload& payload, std::size_t first, std::size_t bytes);
/// Byte enables of `bytes` bytes, from their enable bits.
std::vector<std::uint8_t> UnpackEnables(const std::uint8_t* bits, std::size_t bytes);

}  // namespace tilefly::systemc
