// SPDX-License-Identifier: Apache-2.0
// What the initiators move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Bytes that tell whose they are and where they belong.
inline std::vector<std::uint8_t> MakeBlock(std::size_t bytes, unsigned seed) {
  std::vector<std::uint8_t> block(bytes);
  std::uint32_t state = seed * 2654435761u + 1;
  for (std::uint8_t& byte : block) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<std::uint8_t>(state >> 24);
  }
  return block;
}

/// What an initiator moved.
struct Moved {
  std::size_t puts = 0;
  std::size_t gets = 0;
  std::size_t bytes = 0;   ///< both ways
  std::size_t wrong = 0;   ///< transactions that failed, or brought other bytes than were put
};
