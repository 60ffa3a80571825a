// SPDX-License-Identifier: Apache-2.0
#include "golden/ingress/input_buffer.h"

namespace tilefly::golden {

Cycle InputBuffer::Arrive(Cycle now, int port, Cycle a0, const Arrival& arrival) {
  const Index id = context_.packets.Allocate();
  Packet& packet = context_.packets[id];
  packet = Packet{};
  packet.header = arrival.header;
  packet.when = a0;
  packet.payload = arrival.payload;
  packet.parent = id;
  packet.copies_left = 1;
  packet.input = static_cast<std::uint8_t>(port);
  packet.enh = arrival.enh;
  packet.cut_through = arrival.enh && context_.registers.port(port).mode.cut_through;
  if (arrival.enh) {
    packet.vl_in = static_cast<std::uint8_t>(arrival.header.vl());
    packet.length = static_cast<std::uint16_t>(arrival.header.length());
    packet.cells = static_cast<std::uint8_t>(CellsOf(packet.length));
  }
  arrivals_.File(a0 + kWireToEvent, now, id, &packet.input_link);
  ports_[port].current = id;
  ports_[port].cut_through = packet.cut_through;
  return DueCycles::Clip(a0 + kWireToEvent, now);
}

Cycle InputBuffer::Finish(Cycle now, int port, Cycle a_last, const End& end) {
  const Index id = ports_[port].current;
  ports_[port].current = kNone;
  if (id == kNone) return kNever;
  Packet& packet = context_.packets[id];
  packet.status = end.status;
  if (ports_[port].cut_through) return kNever;
  packet.duration = static_cast<std::uint16_t>(a_last - packet.when);
  if (!packet.enh) {
    packet.length = static_cast<std::uint16_t>(end.length);
    packet.cells = static_cast<std::uint8_t>(std::min(CellsOf(end.length), context_.profile.mtu_cells));
    packet.bare = end.fields;
  }
  ends_.File(a_last + kWireToEvent, now, id, &packet.output_link);
  return DueCycles::Clip(a_last + kWireToEvent, now);
}

bool InputBuffer::Enter(Index id) {
  const Packet& packet = context_.packets[id];
  const int reserve = packet.enh ? packet.cells : context_.profile.mtu_cells;
  if (ports_[packet.input].used + reserve > context_.profile.cells) return false;
  AddUsed(packet.input, reserve);
  return true;
}

void InputBuffer::Refuse(Index id) {
  Packet& packet = context_.packets[id];
  Port& port = ports_[packet.input];
  context_.CountDrop(packet.input, Drop::kBufferFull, true);
  if (packet.enh) FreeCredits(packet);
  const bool end_is_filed = port.current != id && !packet.cut_through;
  if (port.current == id) port.current = kNone;
  if (end_is_filed) {
    packet.refused = true;
  } else {
    context_.packets.Release(id);
  }
}

void InputBuffer::FreeCredits(const Packet& packet) {
  if (!context_.registers.port(packet.input).mode.credits) return;
  ports_[packet.input].returner.Free(packet.vl_in, packet.cells);
  returning_ |= Bit(packet.input);
}

}  // namespace tilefly::golden
