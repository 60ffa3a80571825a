// SPDX-License-Identifier: Apache-2.0
// The transaction of the fabric protocol (docs/systemc.md): a packet, from the NIC that makes it to the one that takes it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tlm>

#include "generated/wire.h"
#include "golden/common/header_bits.h"
#include "golden/link/frame_format.h"

namespace tilefly::fabric {

/// Bytes of a frame, FCS included.
using Frame = std::vector<std::uint8_t>;

class PacketPool;

/// A packet on its way. Of the generic payload it has the memory manager, the reference count and the extensions; command,
/// address and data of it mean nothing here. Made by a PacketPool.
class Packet final : public tlm::tlm_generic_payload {
 public:
  /// Cells of 48 B of the stored packet.
  int cells() const { return golden::CellsOf(length); }
  /// Words of 32 B on a link.
  int words() const { return golden::CeilDiv(length + (enh ? golden::HeaderBits::kBytes : 0), golden::kWordBytes); }
  /// Cycles from BEGIN_PACKET to the last word on a link of `lanes` lanes.
  int Duration(int lanes) const { return whole ? 0 : golden::WordOffset(words() - 1, lanes); }

  /// A packet of the same pool with the same frame, a header of its own and no extensions; one reference, the caller's.
  Packet& Copy() const;

  std::uint64_t number = 0;            ///< of its pool, from 1; its copies have the same
  golden::HeaderBits header{};         ///< as on the wire, when `enh`
  std::shared_ptr<const Frame> frame;  ///< never changed; null: the run carries lengths only
  int length = 0;                      ///< bytes of the frame, FCS included
  bool enh = true;                     ///< with the internal header; false: a bare Ethernet frame, which has a `frame`
  bool bad = false;                    ///< ends with a stomped check
  Drop fault = Drop::kNone;            ///< why it is bad, where words have told; else the check is taken for a stomped one
  bool whole = false;                  ///< BEGIN_PACKET of this hop is told with the last word, and has its time
  bool open = false;                   ///< of this hop: a bare frame whose length, bytes and faults LAST_WORD tells
  Drop drop = Drop::kNone;             ///< why, for phase DROPPED
  tilefly::Ack ack{};                  ///< for phase ACK: as the control slot has it

 private:
  friend class PacketPool;
  explicit Packet(PacketPool* pool);

  PacketPool* pool_;
};

/// The fabric's protocol: types of its sockets.
struct Types {
  using tlm_payload_type = Packet;
  using tlm_phase_type = tlm::tlm_phase;
};

/// Forward: the packet comes; the time is the wire cycle of its first word at the receiver.
TLM_DECLARE_EXTENDED_PHASE(BEGIN_PACKET);
/// Forward, of a packet that began `open`, which it is no more; the time is the wire cycle of its last word at the receiver.
TLM_DECLARE_EXTENDED_PHASE(LAST_WORD);
/// Backward: its cells are free; the time is the wire cycle at the sender of the credit return.
TLM_DECLARE_EXTENDED_PHASE(END_PACKET);
/// Backward: it was delivered; the time is the wire cycle of the ack at the sender of the hop.
TLM_DECLARE_EXTENDED_PHASE(ACK);
/// Backward, for END_PACKET: it went no further.
TLM_DECLARE_EXTENDED_PHASE(DROPPED);

}  // namespace tilefly::fabric
