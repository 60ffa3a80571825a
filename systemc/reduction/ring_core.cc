// SPDX-License-Identifier: Apache-2.0
#include "systemc/reduction/ring_core.h"

#include "systemc/reduction/result_row.h"

namespace tilefly::systemc {

using golden::kRedSlots;

RingCore::RingCore(Context& of_switch) : context(of_switch), state(of_switch.profile), control(state), launches(state) {
  for (int port = 0; port < context.profile.ports; ++port)
    ports.emplace_back(context, port, state.trees, state.bindings);
}

void RingCore::Tell(Cycle cycle, const GroupControl::Commands& told) {
  for (ReductionPort& port : ports) {
    for (int s = 0; s < kRedSlots; ++s) {
      if (told.unbound[s]) port.Unbound(s);
      if (told.bound[s]) port.Bound(s);
    }
    if (told.clear >= 0) port.Clear(cycle + 1, told.clear);
  }
}

Collection RingCore::Collect(const Launch& launch) {
  HalfRings rings(context.profile.ports, !launch.down(), launch.small);
  golden::ForEachBit(launch.parts, [&](int p) {
    if (const golden::RedPart* part = ports[p].PartOf(launch)) rings.Pass(p, *part);
  });
  return rings.CombineHalves();
}

Crossing* RingCore::MakeCredit(int port, int slot) {
  Red header;
  header.what = static_cast<std::uint8_t>(RedWhat::kCredit);
  header.group = state.bindings[slot].group;
  header.tag = state.bindings[slot].tag;
  header.credit = ports[port].TakeCredit(slot);
  return MakeResult(port, ResultRow::kCredits, header.group, MakeRedFrame(context.profile, header, {}));
}

Crossing* RingCore::MakeResult(int port, int input, int group, const FramePointer& frame) {
  const golden::RedPeer& peer = state.trees.peer(port, group);
  fabric::Packet& packet = context.made.Make();
  packet.frame = frame;
  packet.length = static_cast<int>(frame->size());
  packet.header = golden::HeaderBits(peer.HeaderFrom(context.registers.AddressOf(port), packet.length));
  Crossing* const crossing = context.crossings.Make();
  crossing->packet = &packet;
  crossing->header = packet.header;
  crossing->input = context.profile.ports + input;
  crossing->output = port;
  crossing->vl = peer.vl;
  crossing->cells = packet.cells();
  crossing->length = packet.length;
  return crossing;
}

}  // namespace tilefly::systemc
