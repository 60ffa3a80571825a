// SPDX-License-Identifier: Apache-2.0
// Packets for this switch's aggregation node (docs/blocks/reduction.md, What changes in other pages): admitted as any
// other, looked up by nobody, released when a dropped one would be.
#include <algorithm>

#include "golden/common/stage_times.h"
#include "systemc/ingress/input_port.h"
#include "systemc/reduction/taken.h"

namespace tilefly::systemc {

/// The packet is the aggregation node's.
bool InputPort::IsTaken(const fabric::Packet& packet) const {
  return packet.enh && packet.header.is_red() && packet.header.an() && context_.profile.red_present != 0 &&
         golden::SwitchAddress::OfPort(packet.header.destination()) == context_.registers.routes().own();
}

/// Word 0 of a packet that may be taken comes: the reduction port keeps what it finds there then.
void InputPort::AnnounceTaken(fabric::Packet& packet, Cycle a0) {
  if (!packet.enh || !packet.header.is_red() || !packet.header.an() || context_.profile.red_present == 0) return;
  tlm::tlm_phase phase = MAY_BE_TAKEN;
  sc_core::sc_time event = fabric::UntilCycle(a0 + golden::kWireToEvent);
  taken->nb_transport_fw(packet, phase, event);
}

/// An admitted packet is taken, whatever its end.
void InputPort::Receive(const Arriving& arriving) {
  fabric::Packet* const packet = arriving.packet;
  const Cycle trigger = arriving.cut_through ? arriving.a0 : arriving.last;
  Cycle released = trigger + golden::kTriggerToFifo;
  if (arriving.cut_through) released = std::max(released, arriving.last + golden::kLastWordToRelease);
  Free(released, packet->cells(), -1);
  taken_.push_back({released, !arriving.cut_through});
  tlm::tlm_phase phase = TAKEN;
  sc_core::sc_time event = fabric::UntilCycle(arriving.last + golden::kWireToEvent);
  taken->nb_transport_fw(*packet, phase, event);
}

/// Loosely timed. The packet has no status that a port that stores and forwards would drop it for.
void InputPort::TakeBlocking(fabric::Packet* packet, Cycle a0) {
  if (packet->bad) {
    context_.counters.Count(port_, Counter::kRedDamaged);
    packet->drop = Drop::kRed;
  } else {
    const Cycle last = a0 + packet->Duration(context_.port(port_).serdes_lanes());
    sc_core::sc_time end = fabric::UntilCycle(last + golden::kWireToEvent);
    taken->b_transport(*packet, end);
  }
  if (packet->drop != Drop::kNone) context_.counters.Count(port_, packet->drop);
}

/// The reduction port has used the oldest taken packet, or not.
tlm::tlm_sync_enum InputPort::Judged(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time&) {
  const auto [released, stored] = taken_.front();
  taken_.pop_front();
  if (phase == fabric::DROPPED) {
    const Drop reason = packet.bad && stored ? StatusOf(packet) : Drop::kRed;
    context_.counters.Count(port_, reason);
    if (packet.bad) context_.counters.Count(port_, Counter::kRedDamaged);
    Refuse(&packet, reason, released);
  } else {
    Return(&packet, fabric::END_PACKET, released + golden::kFreedToWire);
    packet.release();
  }
  return tlm::TLM_ACCEPTED;
}

}  // namespace tilefly::systemc
