// SPDX-License-Identifier: Apache-2.0
#include "systemc/egress/output_acks.h"

#include <algorithm>

#include "golden/acks/ack_route.h"

namespace tilefly::systemc {
namespace {

constexpr int kHopsOfHeader = 16;

/// Input to which an ack goes that has made so many hops; too many lead to none.
int InputOf(int hops, int port, std::uint32_t path) {
  return hops <= golden::kMostAckHops ? golden::PortOfAck(hops, port, path) : golden::kMaxPorts;
}

}  // namespace

std::uint16_t OutputAcks::load() const {
  return static_cast<std::uint16_t>(std::min(context_.loads.load(port_), golden::LoadRing::kMaxShown));
}

Crossing* OutputAcks::Make(Cycle cycle, const Crossing& delivered) {
  const Header header = delivered.header.Unpack();
  const int hops = (header.hop + kHopsOfHeader - 1) % kHopsOfHeader;  // with which it came
  const int source = static_cast<int>(header.src & (golden::kMaxPorts - 1));
  const int input = InputOf(hops, source, header.path);
  if (input >= context_.profile.ports) {
    context_.counters.Count(port_, Counter::kBadAcks);
    return nullptr;
  }
  tilefly::Ack made;
  made.load = load();
  made.flow = header.flow;
  made.cells = static_cast<std::uint8_t>(delivered.cells);
  made.hops = static_cast<std::uint8_t>(hops);
  made.port = static_cast<std::uint8_t>(source);
  made.path = header.path;
  const golden::PortRegisters& registers = context_.port(port_);
  const bool kept = cycle == kept_for_;
  if (kept ? kept_flows_ : registers.has_flows()) {
    Mark(cycle, delivered.header, kept ? kept_mark_ : registers.flow_mark, &made);
  }
  context_.counters.Count(port_, Counter::kAcksMade);
  return MakeCrossing(delivered.packet, made, input);
}

void OutputAcks::Keep(Cycle cycle) {
  if (cycle == kept_for_) return;  // the second write of the event
  kept_for_ = cycle;
  kept_flows_ = context_.port(port_).has_flows();
  kept_mark_ = context_.port(port_).flow_mark;
}

/// Mark and share by the class of the lane, and what names the packet's flow channel. Counts.
void OutputAcks::Mark(Cycle cycle, const golden::HeaderBits& header, const FlowMark& limits, tilefly::Ack* ack) {
  const golden::Tables& tables = context_.registers.tables();
  const int tc = tables.vl_class[header.vl()];
  const golden::FlowAdvice advice = meter_.Make(cycle, 0, tc, tables.class_lanes[tc], header.source(), limits);
  ack->mark = advice.mark;
  ack->share = advice.share;
  ack->by_class = header.an();
  ack->gen = header.gen();
  ack->tc = static_cast<std::uint8_t>(header.tc());
  ack->dst = header.destination();
  if (advice.mark) context_.counters.Count(port_, Counter::kMarksMade);
}

Crossing* OutputAcks::PassOn(Cycle cycle, fabric::Packet* packet, const tilefly::Ack& came) {
  const PortMode& mode = context_.port(port_).mode;
  if (!mode.enable) return nullptr;  // nobody listens
  const int input = InputOf(came.hops, came.port, came.path);
  if (mode.acks || input >= context_.profile.ports) {
    context_.counters.Count(port_, Counter::kBadAcks);
    return nullptr;
  }
  context_.loads.Hear(cycle, port_, came.load);
  tilefly::Ack passed = came;
  passed.load = load();
  return MakeCrossing(packet, passed, input);
}

Crossing* OutputAcks::MakeCrossing(fabric::Packet* packet, const tilefly::Ack& ack, int input) {
  packet->acquire();
  Crossing* const crossing = context_.crossings.Make();
  crossing->packet = packet;
  crossing->output = port_;
  crossing->input = input;
  crossing->ack = ack;
  return crossing;
}

}  // namespace tilefly::systemc
