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
  packet.paced = arrival.serdes_lanes != 0;
  packet.pace = static_cast<std::uint8_t>((arrival.serdes_lanes - 1) & 3);
  packet.cut_through = arrival.enh && context_.registers.port(port).mode.cut_through;
  if (arrival.enh) {
    packet.vl_in = static_cast<std::uint8_t>(arrival.header.vl());
    packet.length = static_cast<std::uint16_t>(arrival.header.length());
    packet.cells = static_cast<std::uint8_t>(CellsOf(packet.length));
  }
  arrivals_.File(a0 + kWireToEvent, now, id, &packet.input_link);
  ports_[port].current = id;
  ports_[port].first = a0;
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
  if ((context_.retry_ports & Bit(packet.input)) != 0 && packet.enh) {
    healing_[packet.input].Taken(packet.vl_in, packet.cells);
    Changed(packet.input);
  }
  const int reserve = packet.enh ? packet.cells : context_.profile.mtu_cells;
  if (ports_[packet.input].used + reserve > context_.profile.cells) return false;
  AddUsed(packet.input, reserve);
  return true;
}

void InputBuffer::Refuse(Index id) {
  Packet& packet = context_.packets[id];
  Port& port = ports_[packet.input];
  context_.CountDrop(packet.input, Drop::kBufferFull, DropPlace::kAdmission);
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
  const bool retries = (context_.retry_ports & Bit(packet.input)) != 0;
  if (retries && !packet.enh) return;  // a bare frame was not charged
  ports_[packet.input].returner.Free(packet.vl_in, packet.cells);
  returning_ |= Bit(packet.input);
  if (retries) Changed(packet.input);
}

void InputBuffer::Changed(int port) {
  if ((context_.links_up & Bit(port)) == 0) LinkDown(port);
}

void InputBuffer::Stamp(int port, const CreditStamp& stamp) {
  const ReceiverHealing::Judgement judged = healing_[port].Stamp(&ports_[port].returner, stamp);
  if (judged.old) context_.counters.Count(port, Counter::kOldStamps);
  context_.counters.Add(port, Counter::kCreditsHealed, judged.healed);
  returning_ |= Bit(port);
  Changed(port);
  if (!ports_[port].returner.pending() && !healing_[port].asked()) returning_ &= ~Bit(port);
}

void InputBuffer::SetRetry(int port, bool retries) {
  if (healing_.empty() && !retries) return;
  if (healing_.empty()) healing_.assign(ports_.size(), ReceiverHealing(context_.profile.vls));
  healing_[port] = ReceiverHealing(context_.profile.vls);
  if (retries) ports_[port].returner.Forget();
}

void InputBuffer::LinkDown(int port) {
  healing_[port].LinkDown(&ports_[port].returner);
  returning_ &= ~Bit(port);
}

void InputBuffer::LinkRises(int port) {
  healing_[port].LinkRises(&ports_[port].returner);
  returning_ |= Bit(port);
}

}  // namespace tilefly::golden
