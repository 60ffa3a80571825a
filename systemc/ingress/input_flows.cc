// SPDX-License-Identifier: Apache-2.0
#include "systemc/ingress/input_flows.h"

#include <utility>

namespace tilefly::systemc {
namespace {

/// The way of a packet with one output.
golden::FlowWay WayOf(const Descriptor& descriptor) {
  return {static_cast<std::uint16_t>(descriptor.header.via()),
          static_cast<std::uint8_t>(golden::LowestBit(descriptor.outputs)), descriptor.header.via_valid()};
}

/// The packet is sent: its header tells of its channel.
template <typename Sent>
void MarkSent(const Sent& sent, Descriptor* descriptor) {
  descriptor->header.set_gen(sent.gen);
  descriptor->header.set_an(sent.by_class);
}

}  // namespace

bool InputFlows::Enter(Cycle cycle, Staged* staged) {
  Descriptor& descriptor = staged->descriptor;
  const golden::FlowWay routed = WayOf(descriptor);
  if (descriptor.follows) Follow(&descriptor);
  if (!staged->stored->again) descriptor.CountRouted(context_, port_);
  if (!descriptor.in_channel) {
    entered_ = true;
    return true;
  }
  const int output = golden::LowestBit(descriptor.outputs);
  const golden::Index held = held_.Allocate();
  golden::FlowArrival arrival;
  arrival.destination = descriptor.header.destination();
  arrival.packet = held;
  arrival.tc = static_cast<std::uint8_t>(descriptor.tc());
  arrival.cells = static_cast<std::uint8_t>(descriptor.cells);
  arrival.chooses = descriptor.follows;
  arrival.routed = routed;
  arrival.out_port = static_cast<std::uint8_t>(output);
  arrival.out_lane = static_cast<std::uint8_t>(descriptor.LaneOf(context_, port_, output));
  touched_ = true;
  const golden::FlowVerdict verdict = channels_.Packet(cycle, arrival);
  if (verdict.full) context_.counters.Count(port_, Counter::kFlowFull);
  if (verdict.held) {
    context_.counters.Count(port_, Counter::kFlowHeld);
    held_[held] = *staged;
    return false;
  }
  held_.Release(held);
  MarkSent(verdict, &descriptor);
  entered_ = true;
  return true;
}

std::optional<Staged> InputFlows::Release(Cycle cycle) {
  const std::optional<golden::FlowRelease> go = channels_.Release(cycle, std::exchange(entered_, false));
  if (!go) return std::nullopt;
  Staged staged = held_[go->packet];
  held_.Release(go->packet);
  MarkSent(*go, &staged.descriptor);
  staged.descriptor.kept_lane = go->lane;
  return staged;
}

void InputFlows::Acknowledge(Cycle cycle, const tilefly::Ack& ack) {
  touched_ = true;
  const golden::FlowAcked acked = channels_.Acknowledge(cycle, ack);
  if (acked.stray) context_.counters.Count(port_, Counter::kFlowStray);
  if (acked.marked) context_.counters.Count(port_, Counter::kMarksIn);
  if (acked.throttled) context_.counters.Count(port_, Counter::kFlowThrottled);
}

std::optional<golden::FlowPause> InputFlows::End(Cycle cycle) {
  if (!std::exchange(touched_, false) && cycle < due_) return std::nullopt;
  const PortMode& mode = context_.port(port_).mode;
  const golden::FlowEnd end = channels_.EndCycle(cycle, mode.enable && mode.credits);
  if (end.lost > 0) context_.counters.Add(port_, Counter::kFlowLost, end.lost);
  if (end.pause) context_.counters.Count(port_, Counter::kFlowPauses);
  due_ = channels_.Next(cycle);
  return end.pause;
}

void InputFlows::SetRegisters(Cycle cycle) {
  const golden::PortRegisters& registers = context_.port(port_);
  channels_.SetRegisters(cycle, {registers.flow_mark, registers.flow_channel});
  due_ = channels_.Next(cycle);
}

/// An ordered packet takes the path of its flow channel, or the hash path when the channel has none that works.
void InputFlows::Follow(Descriptor* descriptor) const {
  const golden::FlowWay pair{static_cast<std::uint16_t>(descriptor->via_came),
                             static_cast<std::uint8_t>(descriptor->hash_output), false};
  const std::optional<golden::FlowWay> way =
      channels_.WayOf(descriptor->tc(), descriptor->header.destination(), pair);
  if (!way) return;
  const bool works = (descriptor->down & golden::Bit(way->port)) == 0;
  const golden::FlowWay& taken = works ? *way : pair;
  descriptor->TakePath(taken.port, taken.via, taken.via_valid);
}

}  // namespace tilefly::systemc
