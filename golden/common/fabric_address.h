// SPDX-License-Identifier: Apache-2.0
// Fabric addresses of ports and switches (docs/reference/registers.md: space SWITCH; docs/blocks/ingress.md, Look-up).
#pragma once

#include <cstdint>

#include "generated/registers.h"
#include "golden/common/register_fields.h"

namespace tilefly::golden {

/// Fabric address: group 9, switch 5, port 6.
constexpr std::uint32_t FabricAddress(int group, int switch_number, int port) {
  return static_cast<std::uint32_t>(group << 11 | switch_number << 6 | port);
}

/// The algorithmic MAC of a fabric address: 02:00:00:0, then 20 bits.
constexpr std::uint64_t MacOfAddress(std::uint32_t address) { return std::uint64_t{0x0200000} << 20 | address; }

/// Group and switch of a fabric address: the header's `via` and the register SWITCH.ADDRESS as they are.
struct SwitchAddress {
  static constexpr SwitchAddress FromBits(std::uint32_t bits) {
    const OwnAddress address = OwnAddress::FromBits(bits);
    return {address.group, address.number};
  }
  /// Of a port's fabric address.
  static constexpr SwitchAddress OfPort(std::uint32_t address) { return FromBits(address >> kPortBits); }
  constexpr std::uint32_t ToBits() const {
    return static_cast<std::uint32_t>(
        OwnAddress::Of(static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(group)).ToBits());
  }
  friend constexpr bool operator==(SwitchAddress a, SwitchAddress b) {
    return a.group == b.group && a.number == b.number;
  }
  friend constexpr bool operator!=(SwitchAddress a, SwitchAddress b) { return !(a == b); }

  int group;
  int number;
};

}  // namespace tilefly::golden
