// SPDX-License-Identifier: Apache-2.0
// What the links of a system carry, and what is known of a packet between its two NICs.
#pragma once

#include "golden/acks/ack_unit.h"
#include "golden/common/header_bits.h"
#include "golden/common/stage_times.h"
#include "golden/credit/credit_sender.h"
#include "golden/flows/flow_pause.h"
#include "golden/retry/retry_wire.h"
#include "golden/state/packet.h"

namespace tilefly::network {

/// A packet on a link. Its words follow the first one without a gap.
struct LinkPacket {
  Cycle wire;  ///< of the first word, at the receiving end
  golden::Payload payload;
  golden::HeaderBits header;
};

/// The same of an attempt on a link that repeats.
struct LinkAttempt {
  Cycle wire;
  golden::Payload payload;
  std::uint16_t seq;   ///< of the packet on its link
  std::uint8_t lanes;  ///< how many SerDes lanes its sender uses
  std::uint8_t used;   ///< these lanes, a bit each
  golden::HeaderBits header;
};

/// A credit return on a link.
struct LinkCredit {
  Cycle wire;           ///< at the receiving end
  std::uint16_t cells;  ///< cells freed on the lane since reset, modulo 65536
  std::uint8_t vl;
};

/// An ack on a link.
struct LinkAck {
  Cycle wire;  ///< at the receiving end
  Ack ack;
};

/// A pause for one flow of a NIC, on the NIC's link.
struct LinkPause {
  Cycle wire;  ///< at the NIC
  golden::FlowPause pause;
};

/// SerDes lanes that a receiver does not want.
struct LaneMask {
  bool valid = false;
  std::uint8_t bad = 0;  ///< a bit each
};

/// What the receiving end says in a control slot: a report of its half of the retry block, a mask of SerDes lanes, or
/// both.
struct LinkReport {
  Cycle wire;  ///< at the end that gets it
  golden::RetryReport report;
  LaneMask mask;
};

/// Which SerDes lanes the sender of a link uses from now on, beside the attempts, which say it themselves. The lanes of
/// the link carry it, and nothing else does.
struct LinkUse {
  Cycle wire;         ///< at the receiving end
  std::uint8_t used;  ///< a bit each
};

/// A link that repeats goes down: what the end that gives it up tells the other end.
struct LinkDown {
  Cycle wire;  ///< at the end that is told
  Cycle from, till;
};

/// An end has given its link up. The manager of the fabric is told of it; no link carries it.
struct DownNews {
  std::int32_t node;  ///< the end
  std::int32_t port;
  Cycle from, till;
};

/// A link that repeats has gone down: which packets the far end has accepted. Nothing but the books of a run reads it.
struct LinkEnd {
  Cycle wire;
  std::uint16_t expected;  ///< number of the first packet that was not accepted
};

/// What a link carries. Attempts, reports and stamps are of links that repeat (docs/blocks/link_retry.md); a stamp is
/// kept as a credit return is, with the cells put on the wire. A pause goes from a switch to a NIC, and never to a switch.
enum class LinkKind : std::uint8_t { kPacket, kAck, kCredit, kAttempt, kReport, kStamp, kDown, kEnd, kUse, kPause };

/// A message from one switch to another. `kind` says what it has.
struct LinkMessage {
  /// The first cycle in which the far switch, or its retry block, needs to know it.
  Cycle Due() const {
    switch (kind) {
      case LinkKind::kPacket:
        return packet.wire + golden::kWireToEvent;
      case LinkKind::kAck:
        return ack.wire + golden::kWireToEvent;
      case LinkKind::kAttempt:
        return attempt.wire;
      case LinkKind::kReport:
        return report.wire;
      case LinkKind::kDown:
        return down.wire;
      case LinkKind::kEnd:
        return end.wire;
      case LinkKind::kUse:
        return use.wire;
      case LinkKind::kCredit:
      case LinkKind::kStamp:
      case LinkKind::kPause:
        break;
    }
    return credit.wire + golden::kWireToEvent;
  }

  /// The record of what it carries goes with it; null: it carries no packet.
  golden::Payload* payload() {
    return kind == LinkKind::kPacket ? &packet.payload : kind == LinkKind::kAttempt ? &attempt.payload : nullptr;
  }
  bool IsReduction() const {
    return (kind == LinkKind::kPacket && packet.header.is_red()) || (kind == LinkKind::kAttempt && attempt.header.is_red());
  }

  std::int32_t node;
  std::uint8_t port;
  LinkKind kind;
  union {
    LinkPacket packet{};
    LinkAck ack;
    LinkCredit credit;
    LinkAttempt attempt;
    LinkReport report;
    LinkDown down;
    LinkEnd end;
    LinkUse use;
  };
};

/// A packet under way. Its Payload is its number in the pool.
struct PacketRecord {
  /// Value of `operation` when a link went down while the packet's words were on it: it will not arrive.
  static constexpr std::int32_t kBroken = -2;
  /// Value of `operation` of an attempt that a link which repeats has broken off: the packet itself comes later.
  static constexpr std::int32_t kBrokenOff = -3;

  Cycle created;
  Cycle sent;                   ///< first word on the source's link
  std::int32_t source;          ///< endpoint; -1: a switch has made the packet, for a reduction
  std::int32_t destination;     ///< endpoint; -1: a reduction packet
  std::int32_t operation = -1;  ///< operation of the source's rank to whose message the packet belongs; -1: none
  std::int32_t slot = -1;       ///< number of the message at the destination's rank; -1: none
  std::uint32_t sequence = 0;   ///< number among the source's packets to this destination, when packets are resent
  std::uint32_t oldest = 0;     ///< what the packet carries: see SentNumbers; with a window of numbers
  std::int32_t red = -1;        ///< number among reduction packets; -1: it is none
  std::uint16_t words = 0;      ///< of a packet that a NIC has sent; its class, too
  std::uint8_t tc = 0;
};

/// Something that a link begins to carry: a packet, whose words follow without a gap, a credit return, an ack or a pause.
/// Of a switch's link that repeats, too: attempts, reports and stamps; its packets are told by the cycle of their take.
struct LinkEvent {
  Cycle wire;  ///< of the first word, or of the control slot, at the sending end
  std::int32_t node;
  std::uint8_t port;
  bool from_nic;  ///< true: the port's NIC sends; false: the switch
  LinkKind kind;
  golden::HeaderBits header{};  ///< `header`, `words` and `record` are of a packet, or of an attempt
  int words = 0;
  PacketRecord record{};
  LinkCredit credit{};  ///< or stamp
  Ack ack{};
  golden::FlowPause pause{};
  LinkReport said{};
};

}  // namespace tilefly::network
