// SPDX-License-Identifier: Apache-2.0
// Where on the register bus registers are: ports, and indices of classes' and groups' registers. What their words mean
// is in generated/registers.h.
#pragma once

#include <cstdint>

#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/types.h"

namespace tilefly::golden {

/// Value of `Cfg::port` that addresses all ports.
inline constexpr int kAllPorts = (1 << WidthOf<Cfg>("port")) - 1;
/// Index in space CLASS of a class's register.
constexpr int IndexOf(int tc, ClassReg which) {
  return static_cast<int>(ClassIndex::Of(static_cast<std::uint64_t>(which), static_cast<std::uint64_t>(tc)).ToBits());
}
/// Index in space RED of a reduction group's register.
constexpr int IndexOf(int group, RedReg which) {
  return static_cast<int>(
      GroupIndex::Of(static_cast<std::uint64_t>(which), static_cast<std::uint64_t>(group)).ToBits());
}
/// Index of what stands beside the entries of a table.
constexpr int IndexOf(TableReg which) { return static_cast<int>(which); }

}  // namespace tilefly::golden
