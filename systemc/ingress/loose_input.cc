// SPDX-License-Identifier: Apache-2.0
#include "systemc/ingress/loose_input.h"

#include <algorithm>

#include "golden/common/stage_times.h"
#include "golden/ingress/cut_through.h"
#include "systemc/ingress/input_port.h"

namespace tilefly::systemc {

void LooseInput::Pass(fabric::Packet* packet, sc_core::sc_time* delay, TransactionLog* log) {
  const PortMode& mode = context_.port(port_).mode;
  const Cycle a0 = fabric::CycleOfCall(*delay);
  packet->drop = !mode.enable ? Drop::kBroken : mac_.Takes(*packet) ? Drop::kNone : Drop::kHeader;
  const int lanes = context_.port(port_).serdes_lanes();
  const bool cut_through = packet->enh && mode.cut_through;
  if (log != nullptr) log->Words(TransactionLog::kIn, *packet, a0, a0 + packet->Duration(lanes) + 1);
  if (packet->drop == Drop::kNone && !cut_through) packet->drop = mac_.StatusOf(*packet);
  if (taken_.Has(*packet) && mode.enable) {
    if (packet->drop == Drop::kNone) return taken_.PassBlocking(packet, a0);
    if (packet->drop == Drop::kStomped) context_.counters.Count(port_, Counter::kRedDamaged);
  }
  Descriptor descriptor;
  const Cycle trigger = cut_through ? a0 : a0 + packet->Duration(lanes);
  if (packet->drop == Drop::kNone) {
    descriptor = Descriptor::Of(context_, port_, *packet, trigger + golden::kWireToEvent);
    packet->drop = descriptor.drop;
  }
  if (packet->drop != Drop::kNone) {
    if (mode.enable) context_.counters.Count(port_, packet->drop);
    return;
  }
  context_.counters.Count(port_, Counter::kRxPackets);
  Cycle pick = trigger + golden::kTriggerToPick;
  if (cut_through) pick = std::max(pick, a0 + golden::StartOffset(packet->length, lanes) - golden::kPickToLeave);
  Send(descriptor, packet, pick, delay);
}

/// To all its outputs, picked one behind the other from `pick` on. The time becomes that of the last copy.
void LooseInput::Send(const Descriptor& descriptor, fabric::Packet* packet, Cycle pick, sc_core::sc_time* delay) {
  Stored stored{};
  stored.packet = packet;
  stored.cells = packet->cells();
  Cycle last = 0;
  golden::ForEachBit(descriptor.outputs, [&](int output) {
    Crossing* const crossing = descriptor.MakeCrossing(context_, port_, &stored, output);
    crossing->header.Leave(port_, crossing->vl);
    sc_core::sc_time reached = fabric::UntilCycle(pick + golden::kPickToArrival);
    data_[context_.geometry.col(output)]->b_transport(*crossing, reached);
    last = std::max(last, fabric::CycleOfCall(reached));
    pick += crossing->cells;
    crossing->packet->release();
    context_.crossings.Release(crossing);
  });
  *delay = fabric::UntilCycle(last);
}

}  // namespace tilefly::systemc
