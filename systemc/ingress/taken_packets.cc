// SPDX-License-Identifier: Apache-2.0
#include "systemc/ingress/taken_packets.h"

#include <algorithm>
#include <utility>

#include "golden/common/stage_times.h"
#include "systemc/fabric/time.h"
#include "systemc/reduction/taken.h"

namespace tilefly::systemc {

TakenPackets::TakenPackets(int port, Context& context, const InputMac& mac, OnJudged on_judged)
    : port_(port), context_(context), mac_(mac), on_judged_(std::move(on_judged)) {
  ring.register_nb_transport_bw(this, &TakenPackets::Judged);
}

bool TakenPackets::Has(const fabric::Packet& packet) const {
  return MayBe(packet) &&
         golden::SwitchAddress::OfPort(packet.header.destination()) == context_.registers.routes().own();
}

void TakenPackets::Announce(fabric::Packet* packet, Cycle a0) {
  if (!MayBe(*packet)) return;
  tlm::tlm_phase phase = MAY_BE_TAKEN;
  sc_core::sc_time event = fabric::UntilCycle(a0 + golden::kWireToEvent);
  ring->nb_transport_fw(*packet, phase, event);
}

Cycle TakenPackets::Pass(fabric::Packet* packet, Cycle a0, Cycle last, bool cut_through) {
  Cycle released = (cut_through ? a0 : last) + golden::kTriggerToFifo;
  if (cut_through) released = std::max(released, last + golden::kLastWordToRelease);
  taken_.push_back({released, !cut_through});
  tlm::tlm_phase phase = TAKEN;
  sc_core::sc_time event = fabric::UntilCycle(last + golden::kWireToEvent);
  ring->nb_transport_fw(*packet, phase, event);
  return released;
}

void TakenPackets::PassBlocking(fabric::Packet* packet, Cycle a0) {
  if (packet->bad) {
    context_.counters.Count(port_, Counter::kRedDamaged);
    packet->drop = Drop::kRed;
  } else {
    const Cycle last = a0 + packet->Duration(context_.port(port_).serdes_lanes());
    sc_core::sc_time end = fabric::UntilCycle(last + golden::kWireToEvent);
    ring->b_transport(*packet, end);
  }
  if (packet->drop != Drop::kNone) context_.counters.Count(port_, packet->drop);
}

/// The reduction port has used the oldest taken packet, or not.
tlm::tlm_sync_enum TakenPackets::Judged(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time&) {
  const auto [released, stored] = taken_.front();
  taken_.pop_front();
  Drop reason = Drop::kNone;
  if (phase == fabric::DROPPED) {
    reason = packet.bad && stored ? mac_.StatusOf(packet) : Drop::kRed;
    context_.counters.Count(port_, reason);
    if (packet.bad) context_.counters.Count(port_, Counter::kRedDamaged);
  }
  on_judged_(&packet, reason, released);
  return tlm::TLM_ACCEPTED;
}

}  // namespace tilefly::systemc
