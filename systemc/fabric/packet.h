// SPDX-License-Identifier: Apache-2.0
// The transaction of the fabric protocol (docs/systemc.md): a packet, from the NIC that makes it to the NIC that takes
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tlm>

#include "generated/wire.h"
#include "golden/common/header_bits.h"
#include "golden/flows/flow_pause.h"
#include "golden/link/frame_format.h"

namespace tilefly::fabric {

/// Bytes of a frame, FCS included.
using Frame = std::vector<std::uint8_t>;

class PacketPool;

/// A packet on its way. It uses the memory manager, the reference count and the extensions of the generic payload; the
/// command, address and data have no meaning here. A PacketPool makes packets.
class Packet final : public tlm::tlm_generic_payload {
 public:
  /// Cells of 48 B that the stored packet takes.
  int cells() const { return golden::CellsOf(length); }
  /// Words of 32 B that the packet takes on a link.
  int words() const { return golden::CeilDiv(length + (enh ? golden::HeaderBits::kBytes : 0), golden::kWordBytes); }
  /// Cycles from BEGIN_PACKET to the last word on a link of `lanes` lanes.
  int Duration(int lanes) const { return whole ? 0 : golden::WordOffset(words() - 1, lanes); }

  /// Returns a packet of the same pool with the same frame, its own header and no extensions. It has one reference, the
  /// caller's.
  Packet& Copy() const;

  std::uint64_t number = 0;            ///< of its pool, from 1; its copies have the same
  golden::HeaderBits header{};         ///< as on the wire, when `enh`
  std::shared_ptr<const Frame> frame;  ///< never changed; null: the run carries lengths only
  int length = 0;                      ///< bytes of the frame, FCS included
  bool enh = true;                     ///< with the internal header; false: a bare Ethernet frame, which has a `frame`
  bool bad = false;                    ///< ends with a stomped check
  Drop fault = Drop::kNone;            ///< why it is bad, where words have told; else the check is taken for a stomped one
  bool broken_off = false;             ///< a link with retry broke it off: the packet itself comes later
  bool whole = false;                  ///< BEGIN_PACKET of this hop is told with the last word, and has its time
  bool open = false;                   ///< of this hop: a bare frame whose length, bytes and faults LAST_WORD tells
  Drop drop = Drop::kNone;             ///< why, for phase DROPPED
  tilefly::Ack ack{};                  ///< for phase ACK: as the control slot has it
  golden::FlowPause pause{};           ///< for phase FLOW_PAUSE: as the control slot has it

 private:
  friend class PacketPool;
  explicit Packet(PacketPool* pool);

  PacketPool* pool_;
};

/// Types of the sockets of the fabric protocol.
struct Types {
  using tlm_payload_type = Packet;
  using tlm_phase_type = tlm::tlm_phase;
};

/// Forward: the packet comes. The time is the wire cycle of its first word at the receiver.
TLM_DECLARE_EXTENDED_PHASE(BEGIN_PACKET);
/// Forward, for a packet that began `open`, and no longer is: its last word comes. The time is the wire cycle of this
/// word at the receiver.
TLM_DECLARE_EXTENDED_PHASE(LAST_WORD);
/// Backward: the packet's cells are free. The time is the wire cycle of the credit return at the sender.
TLM_DECLARE_EXTENDED_PHASE(END_PACKET);
/// Backward: the packet was delivered. The time is the wire cycle of the ack at the sender of the hop.
TLM_DECLARE_EXTENDED_PHASE(ACK);
/// Backward, in the place of END_PACKET: the packet was dropped here.
TLM_DECLARE_EXTENDED_PHASE(DROPPED);
/// Backward, of a transaction of its own, which has no other phase: one flow of the sender is to pause
/// (docs/blocks/flow_channel.md, NIC). The time is the wire cycle of the pause at the sender.
TLM_DECLARE_EXTENDED_PHASE(FLOW_PAUSE);

}  // namespace tilefly::fabric
