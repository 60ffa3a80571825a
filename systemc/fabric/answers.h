// SPDX-License-Identifier: Apache-2.0
// Which packet an ack on a control slot is of: control slots do not name packets.
#pragma once

#include "golden/acks/ack_route.h"
#include "systemc/fabric/packet.h"

namespace tilefly::fabric {

/// Whether an ack may come for a packet of this link, which came with `hops` into the switch that sent it on, or sends the ack
/// (docs/blocks/acks.md, Made).
inline bool Answerable(const Packet& packet, int hops) {
  return packet.enh && !packet.bad && packet.header.destination() != golden::HeaderBits::kReplicated &&
         !packet.header.is_red() && hops <= golden::kMostAckHops;
}

/// Whether `ack`, on this link with `hops` left, is one of the packet: flow, cells and way back are the same.
inline bool Answers(const Ack& ack, const Packet& packet, int hops) {
  constexpr int kPortBits = 6;
  const Header header = packet.header.Unpack();
  const std::uint32_t known = (std::uint32_t{1} << kPortBits * hops) - 1;  // ports that the path has
  return ack.flow == header.flow && ack.cells == packet.cells() && ack.hops == hops &&
         ack.port == (header.src & (golden::kMaxPorts - 1)) && ((ack.path ^ header.path) & known) == 0;
}

}  // namespace tilefly::fabric
