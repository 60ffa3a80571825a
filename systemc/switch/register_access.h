// SPDX-License-Identifier: Apache-2.0
// Registers in the address space of a switch's `configure` socket (docs/systemc.md, Modules).
#pragma once

#include <optional>

#include <tlm>

#include "golden/common/register_write.h"

namespace tilefly::systemc {

/// An access to the eight bytes of a register: a write of any register, or a read of a counter or of a group's STATUS.
struct RegisterAccess {
  static constexpr int kByteBits = 3;
  static constexpr int kIndexBits = WidthOf<Cfg>("index");
  static constexpr int kSpaceBits = WidthOf<Cfg>("space");
  static constexpr int kPortBits = WidthOf<Cfg>("port");

  static constexpr std::uint64_t AddressOf(int port, CfgSpace space, int index) {
    return ((static_cast<std::uint64_t>(port) << kSpaceBits | static_cast<std::uint64_t>(space)) << kIndexBits |
            static_cast<std::uint64_t>(index)) << kByteBits;
  }
  /// Index of the group's STATUS in space RED.
  static constexpr int StatusOf(int group) { return golden::IndexOf(group, RedReg::kStatus); }
  /// The access that the payload asks for, in a switch of `ports` ports. Empty: it is not possible, and the payload's
  /// response says why.
  static std::optional<RegisterAccess> Of(tlm::tlm_generic_payload* payload, int ports);
  /// Answers a read with `value`.
  void Answer(tlm::tlm_generic_payload* payload, std::uint64_t value) const;

  Cfg cfg;
};

}  // namespace tilefly::systemc
