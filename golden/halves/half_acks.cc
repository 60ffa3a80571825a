// SPDX-License-Identifier: Apache-2.0
// Acks in a switch that runs as halves (docs/blocks/acks.md): an output makes them or passes them on, in the order of
// their cycles, because they tell its load; then they cross to a port, which does nothing else with them than to count
// them or to put them on its link.
#include <algorithm>

#include "golden/acks/ack_route.h"
#include "golden/halves/half_switch.h"

namespace tilefly::golden {

void HalfSwitch::Acknowledge(int port, Cycle wire, const Ack& ack) {
  const T32 at = Rel(wire + kWireToEvent);
  if (at < out_done_) ThrowPast("an ack", port, at, out_done_);
  ExpectAck(port, {at, ack, false});
}

/// The link of an edge port takes a packet whose last word is read in cycle `at`.
void HalfSwitch::MakeAck(int port, const HeaderBits& header, int cells, T32 at) {
  const Header fields = header.Unpack();
  Ack ack;
  ack.flow = fields.flow;
  ack.cells = static_cast<std::uint8_t>(cells);
  constexpr int kHopCounts = 16;  // of a header, as a ring
  ack.hops = static_cast<std::uint8_t>((fields.hop + kHopCounts - 1) % kHopCounts);
  ack.port = static_cast<std::uint8_t>(fields.src % kMaxPorts);
  ack.path = fields.path;
  ExpectAck(port, {at, ack, true});
}

void HalfSwitch::ExpectAck(int port, const DueAck& ack) {
  if (ack_.empty()) {
    ack_.resize(in_.size());
    ack_due_.fill(kFar);
  }
  Note(ack.at);
  Few<DueAck, 2>& due = ack_[static_cast<std::size_t>(port)].due;
  due.Insert(ack);
  out_[static_cast<std::size_t>(port)].next_ack = due.front().at;
  EnterOutput(port, ack.at);
}

/// The first of the output's acks leaves for the crossbar.
void HalfSwitch::LeaveAck(int port, OutputHalf* out) {
  AckHalf& own = ack_[static_cast<std::size_t>(port)];
  const DueAck due = own.due.front();
  own.due.PopFront();
  out->next_ack = own.due.empty() ? kFar : own.due.front().at;
  const int to = due.ack.hops <= kMostAckHops ? PortOfAck(due.ack.hops, due.ack.port, due.ack.path) : kMaxPorts;
  if (due.made != out->edge || to >= profile_.ports) {
    ++own.bad;
    return;
  }
  if (due.made) ++own.made;
  ++ways_.acks_left;
  if (!due.made && loads_.kept()) loads_.Hear(base_ + due.at, port, due.ack.load);
  AckMessage message{due.at, due.ack, geometry_.input[port], geometry_.row[port]};
  message.ack.load = static_cast<std::uint16_t>(std::min(out->load, LoadHistory::kMostShown));
  const T32 arrives = due.at + kAckCrossing;
  if (arrives < done_) ThrowPast("an ack across the switch", to, arrives, done_);
  Note(arrives);
  ack_[static_cast<std::size_t>(to)].crossing.waiting.Insert(message);
  ack_due_[to] = std::min(ack_due_[to], arrives);
}

/// Arrivals across the switch before cycle `to`. All acks that cross by then are known.
void HalfSwitch::RunAcks(T32 to) {
  if (ack_.empty()) return;
  ForEachBit(DueBefore(ack_due_, to), [&](int port) { RunAck(port, to); });
}

void HalfSwitch::RunAck(int port, T32 to) {
  AckHalf& half = ack_[static_cast<std::size_t>(port)];
  const PortMode& mode = registers_.port(port).mode;
  T32 step = half.crossing.NextStep();
  for (; step != kFar && step + kAckCrossing < to; step = half.crossing.NextStep()) {
    const T32 now = step + kAckCrossing;
    AckMessage message{};
    if (half.crossing.Alone(step)) {
      ++ways_.acks_alone;
      message = half.crossing.TakeLone(step, profile_);
    } else {
      ++ways_.acks_stepped;
      message = half.crossing.TakeChosen(step, profile_, ack_depths_);
    }
    Note(now);
    Ack& ack = message.ack;
    if (mode.acks) {
      ++half.in;
      in_flight_ -= ack.cells;
    }
    if (!mode.enable || !mode.credits) continue;
    ack.hops = static_cast<std::uint8_t>(std::max(0, ack.hops - 1));
    links_->PassOn({base_ + now + kAckToWire, ack, static_cast<std::uint8_t>(port)});
  }
  ack_due_[port] = step == kFar ? kFar : step + kAckCrossing;
}

}  // namespace tilefly::golden
