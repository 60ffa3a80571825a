// SPDX-License-Identifier: Apache-2.0
#include "golden/egress/output_buffer.h"

#include <algorithm>

#include "golden/arbiter/round_robin.h"
#include "golden/common/stage_times.h"
#include "golden/egress/link_statistics.h"

namespace tilefly::golden {
namespace {

constexpr int kXoffQuanta = 65535;
constexpr int kPauseSlots = 3;

}  // namespace

void OutputBuffer::FirstCell(Cycle now, Index id) {
  Packet& packet = context_.packets[id];
  Port& port = ports_[packet.output];
  const int row = context_.geometry.row[packet.input];
  packet.when = now;
  if (((port.waiting >> row) & 1) != 0) {
    context_.packets[port.last[row]].next = id;
  } else {
    port.first[row] = id;
    port.waiting = static_cast<std::uint8_t>(port.waiting | 1u << row);
    Wake(std::max(port.next_take, now + 1), now, packet.output);
  }
  packet.next = kNone;
  port.last[row] = id;
}

void OutputBuffer::Occupy(Cycle now, int port, int slots, bool lost) {
  const int serdes_lanes = context_.OutLanes(port);
  ports_[port].next_take = now + (serdes_lanes == 4 ? slots : CeilDiv(4 * slots, serdes_lanes));
  if (context_.watchers.links != nullptr) context_.watchers.links->Occupy(port, now, ports_[port].next_take, lost);
  // With nothing to send, a first cell will wake it.
  if (ports_[port].waiting != 0 || context_.registers.port(port).sends_pause()) Wake(ports_[port].next_take, now, port);
}

bool OutputBuffer::TakePause(Cycle now, int port, int used, Departures* out) {
  Port& state = ports_[port];
  const PortRegisters& registers = context_.registers.port(port);
  int quanta;
  if (!state.xoff_sent && used >= registers.xoff) {
    quanta = kXoffQuanta;
  } else if (state.xoff_sent && used < registers.xon) {
    quanta = 0;
  } else if (state.xoff_sent && now >= state.refresh) {
    quanta = kXoffQuanta;
  } else {
    if (state.xoff_sent) Wake(state.refresh, now, port);
    return false;
  }
  state.xoff_sent = quanta != 0;
  state.refresh = now + kPauseRefresh;
  const std::uint32_t address = context_.registers.AddressOf(port);
  out->pauses.push_back({now, address, static_cast<std::uint16_t>(quanta), static_cast<std::uint8_t>(port),
                         static_cast<std::uint8_t>(registers.serdes_lanes())});
  context_.counters.Count(port, Counter::kTxPause);
  Occupy(now, port, kPauseSlots, false);
  return true;
}

/// The row whose packet's first cell arrived first; ties by round-robin.
int OutputBuffer::EarliestRow(const Port& port) const {
  if ((port.waiting & (port.waiting - 1)) == 0) return LowestBit(port.waiting);
  Cycle earliest = kNever;
  unsigned rows = 0;
  ForEachBit(port.waiting, [&](int row) {
    const Cycle arrival = context_.packets[port.first[row]].when;
    if (arrival < earliest) {
      earliest = arrival;
      rows = 0;
    }
    if (arrival == earliest) rows |= 1u << row;
  });
  return RoundRobin(rows, port.pointer);
}

void OutputBuffer::TakePacket(Cycle now, int port_number, Departures* out) {
  Port& port = ports_[port_number];
  const PortRegisters& registers = context_.registers.port(port_number);
  const int row = EarliestRow(port);
  const Index id = port.first[row];
  Packet& packet = context_.packets[id];
  port.pointer = PointerAfter(row, context_.profile.out_rows);
  port.first[row] = packet.next;
  if (packet.next == kNone) port.waiting = static_cast<std::uint8_t>(port.waiting & ~(1u << row));

  Departure departure;
  departure.take = now;
  departure.header = packet.header;
  departure.format = FrameFormat::Of(registers.mode.std_format, static_cast<Kind>(packet.header.kind()), packet.length);
  departure.length = packet.length;
  departure.eth = -1;
  departure.port = static_cast<std::uint8_t>(port_number);
  departure.serdes_lanes = static_cast<std::uint8_t>(context_.OutLanes(port_number));
  departure.cut_through = packet.cut_through;
  departure.lost = (context_.links_up & Bit(port_number)) == 0;
  Packet& parent = context_.packets[packet.parent];
  departure.payload = parent.payload;
  departure.last_copy = --parent.copies_left == 0;
  if (packet.parent != id) ReleaseCopy(&context_.packets, packet.parent);

  if (departure.format.conversion == Conversion::kEthernet && registers.eth_valid && !packet.header.is_red()) {
    departure.eth = static_cast<std::int16_t>(out->eth_headers.size());
    out->eth_headers.push_back(registers.eth);
  }
  packet.answered = departure.has_words() && registers.mode.acks && !packet.header.is_red() &&
                    packet.header.destination() != HeaderBits::kReplicated;
  if (departure.has_words()) {
    context_.counters.Count(port_number, Counter::kTxPackets);
  } else if (departure.lost) {
    context_.counters.Count(port_number, Counter::kTxLost);
  } else {
    context_.counters.Count(port_number, Drop::kNoEthHeader);
  }
  if (context_.watchers.observation != nullptr) {
    context_.watchers.observation->ports[port_number].take_valid = true;
    context_.watchers.observation->ports[port_number].take_row = static_cast<std::uint8_t>(row);
    context_.watchers.observation->ports[port_number].take_lost = departure.lost;
  }
  packet.when = now + kTakeToRead + WordOffset(departure.format.words - 1, departure.serdes_lanes);
  leaving_.File(packet.when, now, id, &packet.output_link);
  Occupy(now, port_number, departure.format.slots, departure.lost);
  out->packets.push_back(departure);
}

}  // namespace tilefly::golden
