// SPDX-License-Identifier: Apache-2.0
#include "golden/acks/ack_unit.h"

#include <algorithm>

#include "golden/acks/ack_checker.h"
#include "golden/flows/meter_checker.h"

namespace tilefly::golden {

void AckUnit::Make(Cycle now, const Packet& packet, int load, OutputMeters* meters) {
  if (packet.status != Drop::kNone) return;  // it left stomped
  constexpr int kHopsOfHeader = 16;
  const Header header = packet.header.Unpack();
  const int hops = (header.hop + kHopsOfHeader - 1) % kHopsOfHeader;  // with which it came
  const int source = static_cast<int>(header.src & (kMaxPorts - 1));
  const int back = hops <= kMostAckHops ? PortOfAck(hops, source, header.path) : kMaxPorts;
  if (back >= context_.profile.ports) {
    context_.counters.Count(packet.output, Counter::kBadAcks);
    return;
  }
  Ack ack;
  ack.load = static_cast<std::uint16_t>(std::min(load, LoadRing::kMaxShown));
  ack.flow = header.flow;
  ack.cells = packet.cells;
  ack.hops = static_cast<std::uint8_t>(hops);
  ack.port = static_cast<std::uint8_t>(source);
  ack.path = header.path;
  const bool metered = context_.registers.port(packet.output).has_flows();
  if (metered) Mark(now, packet, meters, &ack);
  context_.counters.Count(packet.output, Counter::kAcksMade);
  if (context_.watchers.acks != nullptr) context_.watchers.acks->Made(packet.output, ack, metered);
  Leave(packet.output, back, ack);
}

/// The output's congestion meter judges the ack, and the ack tells of the packet's flow channel.
void AckUnit::Mark(Cycle now, const Packet& packet, OutputMeters* meters, Ack* ack) {
  const HeaderBits& header = packet.header;
  const Tables& tables = context_.registers.tables();
  const FlowMark& limits = context_.registers.port(packet.output).flow_mark;
  const int tc = tables.vl_class[header.vl()];
  const FlowAdvice advice = meters->Make(now, packet.output, tc, tables.class_lanes[tc], header.source(), limits);
  ack->mark = advice.mark;
  ack->share = advice.share;
  ack->by_class = header.an();
  ack->gen = header.gen();
  ack->tc = static_cast<std::uint8_t>(header.tc());
  ack->dst = header.destination();
  if (advice.mark) context_.counters.Count(packet.output, Counter::kMarksMade);
  if (context_.watchers.meters != nullptr) {
    context_.watchers.meters->Made(now, packet.output, tc, header.source(), advice, limits.full);
  }
}

bool AckUnit::PassOn(Cycle now, int port, const Ack& ack, int load) {
  const int next = ack.hops <= kMostAckHops ? PortOfAck(ack.hops, ack.port, ack.path) : kMaxPorts;
  if (context_.registers.port(port).mode.acks || next >= context_.profile.ports) {
    context_.counters.Count(port, Counter::kBadAcks);
    return false;
  }
  context_.loads.Hear(now, port, ack.load);
  Ack passed = ack;
  passed.load = static_cast<std::uint16_t>(std::min(load, LoadRing::kMaxShown));
  Leave(port, next, passed);
  return true;
}

void AckUnit::Leave(int source, int destination, const Ack& ack) {
  if (way_ == nullptr) way_ = std::make_unique<Way>(context_);
  const Index message = way_->acks.Allocate();
  way_->acks[message] = {ack, static_cast<std::uint8_t>(destination)};
  ++under_way_;
  if (!way_->crossbar.Leave(source, destination, message)) Forget(message);
}

void AckUnit::Arrive(Cycle now, Index message, std::vector<AckReturn>* out) {
  Crossing crossing = way_->acks[message];
  Forget(message);
  Ack& ack = crossing.ack;
  const PortMode& mode = context_.registers.port(crossing.port).mode;
  if (mode.acks) {
    context_.counters.Count(crossing.port, Counter::kAcksIn);
    flows_.TakeAck(now, crossing.port, ack);
  }
  if (mode.enable && mode.credits && (context_.links_up & Bit(crossing.port)) != 0) {
    ack.hops = static_cast<std::uint8_t>(std::max(0, ack.hops - 1));
    out->push_back({now + kAckToWire, ack, crossing.port});
  }
}

}  // namespace tilefly::golden
