// SPDX-License-Identifier: Apache-2.0
// What links of a system carry, and what is known of a packet between its two NICs.
#pragma once

#include "golden/common/header_bits.h"
#include "golden/common/pool.h"
#include "golden/ingress/packet.h"

namespace tilefly::golden {

/// A packet; its words follow the first without a gap.
struct LinkPacket {
  /// From the first word's cycle at a switch to the event that must know of it.
  static constexpr Cycle kLatency = 4;

  Cycle wire;  ///< of the first word, at the end that receives it
  Payload payload;
  HeaderBits header;
};

/// A credit return.
struct LinkCredit {
  Cycle wire;           ///< at the end that receives it
  std::uint16_t cells;  ///< freed on the lane since reset, modulo 65536
  std::uint8_t vl;
};

/// What one switch has for another.
struct Outgoing {
  std::int32_t node;
  std::uint8_t port;
  bool is_credit;
  LinkPacket packet;
  LinkCredit credit;
};

/// A packet under way; its Payload is its number in the pool.
struct PacketRecord {
  Cycle created;
  Cycle sent;  ///< first word on the source's link
  std::int32_t source;
  std::int32_t destination;
};

using PacketRecords = Pool<PacketRecord>;

}  // namespace tilefly::golden
