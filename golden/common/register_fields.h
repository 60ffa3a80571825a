// SPDX-License-Identifier: Apache-2.0
// How registers lie in the words of the register bus, where profiles/registers.yaml says it in words.
#pragma once

#include <cstdint>

#include "golden/common/types.h"

namespace tilefly::golden {

/// Value of `Cfg::port` that addresses all ports.
inline constexpr int kAllPorts = (1 << 7) - 1;
/// Indices of space CLASS that a class has, and the index of the cells that the classes share.
inline constexpr int kClassRegs = 8;
inline constexpr int kClassSharedIndex = kClassRegs * kMaxClasses;

/// Bits [lsb, lsb + width) of `data`; width < 64.
constexpr std::uint64_t Field(std::uint64_t data, int lsb, int width) {
  return (data >> lsb) & ((std::uint64_t{1} << width) - 1);
}

}  // namespace tilefly::golden
