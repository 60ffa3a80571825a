// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generated/registers.h"
#include "golden/common/fabric_address.h"
#include "golden/common/header_bits.h"
#include "golden/registers/route_tables.h"

namespace tilefly::golden {

/// What routing decides about a packet.
struct RouteChoice {
  Drop drop;  ///< kNone, or kNoRoute
  std::uint8_t output;
  bool decided;     ///< routing chose between minimal and non-minimal paths
  bool nonminimal;  ///< the path is non-minimal, by `via`
  SwitchAddress via;
  bool follows = false;          ///< an ordered packet of an edge port: its flow may have another path (docs/blocks/acks.md)
  std::uint8_t hash_output = 0;  ///< then: the output that IN_ORDER would take
};

/// Whether the packet chooses here between minimal and non-minimal paths (docs/blocks/routing.md, Which
/// packets, step 4).
inline bool Decides(SwitchAddress own, const HeaderBits& header) {
  if (header.hop() == 0) return true;
  return header.mode() == static_cast<int>(RouteMode::kAdaptive1) && !header.ordered() && header.hop() == 1 &&
         SwitchAddress::OfPort(header.source()).group == own.group &&
         SwitchAddress::OfPort(header.destination()).group != own.group;
}

/// Whether the packet has come to its via (step 1).
inline bool ViaReached(SwitchAddress own, const HeaderBits& header) {
  const SwitchAddress via = SwitchAddress::FromBits(header.via());
  return own.group == via.group &&
         (via.group != SwitchAddress::OfPort(header.source()).group || own.number == via.number);
}

}  // namespace tilefly::golden
