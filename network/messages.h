// SPDX-License-Identifier: Apache-2.0
// What links of a system carry, and what is known of a packet between its two NICs.
#pragma once

#include "golden/acks/ack_unit.h"
#include "golden/common/header_bits.h"
#include "golden/common/stage_times.h"
#include "golden/credit/credit_sender.h"
#include "golden/ingress/packet.h"

namespace tilefly::network {

/// A packet; its words follow the first without a gap.
struct LinkPacket {
  Cycle wire;  ///< of the first word, at the end that receives it
  golden::Payload payload;
  golden::HeaderBits header;
};

/// A credit return.
struct LinkCredit {
  Cycle wire;           ///< at the end that receives it
  std::uint16_t cells;  ///< freed on the lane since reset, modulo 65536
  std::uint8_t vl;
};

/// An ack.
struct LinkAck {
  Cycle wire;  ///< at the end that receives it
  Ack ack;
};

/// The three things that a link carries.
enum class LinkKind : std::uint8_t { kPacket, kAck, kCredit };

/// What one switch has for another: of `kind`.
struct LinkMessage {
  /// The far switch's event.
  Cycle Due() const {
    switch (kind) {
      case LinkKind::kPacket:
        return packet.wire + golden::kWireToEvent;
      case LinkKind::kAck:
        return ack.wire + golden::kWireToEvent;
      case LinkKind::kCredit:
        break;
    }
    return credit.wire + golden::kWireToEvent;
  }

  std::int32_t node;
  std::uint8_t port;
  LinkKind kind;
  union {
    LinkPacket packet{};
    LinkAck ack;
    LinkCredit credit;
  };
};

/// A packet under way; its Payload is its number in the pool.
struct PacketRecord {
  /// Value of `operation`: a link went down while its words were on it. Nobody will get it.
  static constexpr std::int32_t kBroken = -2;

  Cycle created;
  Cycle sent;                   ///< first word on the source's link
  std::int32_t source;          ///< endpoint; of a reduction packet that a switch has made -1
  std::int32_t destination;     ///< endpoint; of a reduction packet -1
  std::int32_t operation = -1;  ///< of the source's rank, whose message it belongs to; -1: none
  std::int32_t slot = -1;       ///< of the message at the destination's rank
  std::uint32_t sequence = 0;   ///< among the source's packets for this destination, where packets are sent again
  std::int32_t red = -1;        ///< its number among reduction packets, -1: it is none
  std::uint16_t words = 0;      ///< of a packet of a NIC, as is its class
  std::uint8_t tc = 0;
};

/// What a link begins to carry: a packet, whose words follow without a gap, a credit return or an ack.
struct LinkEvent {
  Cycle wire;  ///< of the first word, of the return or the ack, at the end that sends it
  std::int32_t node;
  std::uint8_t port;
  bool from_nic;  ///< sent by the port's NIC; else by the switch
  LinkKind kind;
  golden::HeaderBits header{};  ///< of a packet, as are these:
  int words = 0;
  PacketRecord record{};
  LinkCredit credit{};
  Ack ack{};
};

}  // namespace tilefly::network
