// SPDX-License-Identifier: Apache-2.0
// Random bits of routing (docs/blocks/routing.md, Draws): functions of what a packet is and of how many came before it.
#pragma once

#include "golden/common/fabric_address.h"
#include "golden/common/scramble.h"
#include "golden/common/types.h"

namespace tilefly::golden {

/// Set bit number `n` of the mask, counted from the lowest, which is number 0. The mask must have more than `n` set
/// bits.
constexpr int NthBit(PortMask mask, int n) {
  for (; n > 0; --n) mask &= mask - 1;
  return __builtin_ctzll(mask);
}

/// The port that the lowest byte of `bits` chooses in the mask, which is not empty.
constexpr int ChoosePort(std::uint32_t bits, PortMask mask) {
  return NthBit(mask, static_cast<int>((bits & 255) * static_cast<std::uint32_t>(__builtin_popcountll(mask)) >> 8));
}

/// The number below `size` that the lowest 16 of `bits` choose.
constexpr int ChooseNumber(std::uint32_t bits, int size) {
  return static_cast<int>((bits & 0xffff) * static_cast<std::uint32_t>(size) >> 16);
}

/// The draws for a packet.
struct Draws {
  /// The draws at port `address` (a fabric address) after `drawn` others, in a switch whose SEED is scrambled to
  /// `scrambled_seed` by G.
  constexpr Draws(std::uint32_t scrambled_seed, std::uint32_t address, std::uint32_t drawn)
      : ports(Scramble(Scramble(scrambled_seed ^ address) + 2 * drawn)),
        targets(Scramble(Scramble(scrambled_seed ^ address) + 2 * drawn + 1)) {}

  /// Bits that choose the port of minimal candidate `i`; likewise the port and the target of non-minimal candidate `i`.
  constexpr std::uint32_t minimal_port(int i) const { return ports >> 8 * i; }
  constexpr std::uint32_t nonminimal_port(int i) const { return ports >> (16 + 8 * i); }
  constexpr std::uint32_t target(int i) const { return targets >> 16 * i; }

  std::uint32_t ports;    ///< ra of the page
  std::uint32_t targets;  ///< rb
};

/// hf of docs/blocks/routing.md: a flow's hash, the same in all switches.
constexpr std::uint32_t FlowHash(std::uint32_t flow, std::uint32_t source, std::uint32_t destination) {
  return Scramble(Scramble(flow << 20 | source) ^ destination);
}

/// h of docs/blocks/routing.md: a flow's hash in one switch.
constexpr std::uint32_t HashIn(int group, int switch_number, std::uint32_t flow_hash) {
  return Scramble(flow_hash ^ FabricAddress(group, switch_number, 0));
}

// Values of another implementation.
static_assert(Draws(Scramble(7), FabricAddress(3, 9, 5), 0).ports == 0xf7735c0a);
static_assert(Draws(Scramble(7), FabricAddress(3, 9, 5), 0).targets == 0x8897665b);
static_assert(Draws(Scramble(7), FabricAddress(3, 9, 5), 1).ports == 0x6fae88a9);
static_assert(Draws(Scramble(0xdeadbeef), FabricAddress(511, 31, 63), UINT32_MAX).ports == 0x2c37b5d8);
static_assert(Draws(Scramble(0xdeadbeef), FabricAddress(511, 31, 63), UINT32_MAX).targets == 0x4abc93ff);
static_assert(FlowHash(0, 0x1945, 0x7ffff) == 0x5f54f516 && FlowHash(1023, 0x1945, 0x7ffff) == 0x9aa13ef1);
static_assert(HashIn(3, 9, 0x9aa13ef1) == 0x6123a716 && HashIn(3, 9, 0x5f54f516) == 0x89f2e7aa);
static_assert(ChoosePort(0, 0b10110) == 1 && ChoosePort(85, 0b10110) == 1 && ChoosePort(86, 0b10110) == 2 &&
              ChoosePort(255, 0b10110) == 4);
static_assert(ChoosePort(0xff00, PortMask{1} << 63) == 63 && ChoosePort(128, ~PortMask{0}) == 32);
static_assert(ChooseNumber(0xffff, 512) == 511 && ChooseNumber(0x7fff, 2) == 0 && ChooseNumber(0x18000, 2) == 1 &&
              ChooseNumber(0xffff, 0) == 0);

}  // namespace tilefly::golden
