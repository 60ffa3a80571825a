// SPDX-License-Identifier: Apache-2.0
// The mixing of bits that the draws of routing are made of (docs/blocks/routing.md, Draws).
#pragma once

#include <cstdint>

namespace tilefly::golden {

/// G of docs/blocks/routing.md: a bijection of 32 bits.
constexpr std::uint32_t Scramble(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ x >> 16;
}

// Values of another implementation.
static_assert(Scramble(0) == 0 && Scramble(1) == 0x688990c0 && Scramble(0x12345678) == 0xf5e71c96 &&
              Scramble(UINT32_MAX) == 0x6768824a);

}  // namespace tilefly::golden
