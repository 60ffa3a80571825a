// SPDX-License-Identifier: Apache-2.0
// The options of a NIC towards the fabric and towards its host, and which of them are possible (docs/systemc.md,
// Platform side).
#pragma once

#include <cstdint>
#include <string>

#include "generated/registers.h"
#include "golden/credit/credit_sender.h"

namespace tilefly::systemc {

/// Options towards the fabric.
struct FabricPortOptions {
  std::uint32_t address = 0;   ///< fabric address: group, switch, port of the switch behind its link
  int lanes = 4;               ///< of its link: 2 or 4
  int tc = 0;                  ///< traffic class of its packets, 0 to 7
  int vl = 0;                  ///< and their lane on its link, 0 to 15
  RouteMode mode = RouteMode::kAdaptive0;
  bool ordered = false;
  int mtu_cells = 0;           ///< of the switch's profile
  golden::CreditTable credit;  ///< of the switch's input buffer
};

struct NicOptions {
  FabricPortOptions fabric;
  int window = 64;             ///< transactions of the host outstanding, 1 to 65536
  /// A transaction has ended when `b_transport` at `host` returns (docs/systemc.md, Loosely timed).
  bool loosely_timed = false;
};

/// Whether a NIC's link may have `lanes` lanes.
inline bool IsLanesOfNic(int lanes) { return lanes == 2 || lanes == 4; }

/// Throws UsageError for options that are not possible for the NIC named `nic`.
void CheckOptions(const std::string& nic, const NicOptions& options);

/// Address of byte `offset` in the memory of a NIC. Throws UsageError when the address has too few bits for it.
std::uint64_t AddressOfByte(std::uint32_t nic, std::uint64_t offset);

}  // namespace tilefly::systemc
