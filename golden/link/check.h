// SPDX-License-Identifier: Apache-2.0
// Ethernet frame check (docs/blocks/link.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilefly::golden {

/// CRC-32 of `size` bytes that follow the bytes whose CRC-32 is `crc`.
std::uint32_t Crc32(std::uint32_t crc, const std::uint8_t* bytes, std::size_t size);

enum class CheckResult { kGood, kStomped, kWrong };

/// Compares the frame check, the last four bytes of a frame, with the rest. The frame has at least four bytes.
CheckResult CheckFrame(const std::uint8_t* bytes, std::size_t size);

}  // namespace tilefly::golden
