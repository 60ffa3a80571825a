// SPDX-License-Identifier: Apache-2.0
// Ethernet frame check (docs/blocks/link.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilefly::golden {

/// CRC-32 of `size` bytes, going on from `crc`, the CRC-32 of those before.
std::uint32_t Crc32(std::uint32_t crc, const std::uint8_t* bytes, std::size_t size);

enum class CheckResult { kGood, kStomped, kWrong };

/// Compares the last four bytes of a frame of at least four bytes with the rest.
CheckResult CheckFrame(const std::uint8_t* bytes, std::size_t size);

}  // namespace tilefly::golden
