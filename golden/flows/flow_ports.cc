// SPDX-License-Identifier: Apache-2.0
#include "golden/flows/flow_ports.h"

namespace tilefly::golden {

void FlowPorts::SetRegisters(Cycle now, int port, bool on, const FlowRegisters& registers) {
  std::unique_ptr<Port>& at = ports_[static_cast<std::size_t>(port)];
  if (!on) {
    at = nullptr;
    on_ &= ~Bit(port);
    due_[static_cast<std::size_t>(port)] = kNever;
    return;
  }
  if (at == nullptr) {
    at = std::make_unique<Port>();
    on_ |= Bit(port);
    if (watches_) at->checker = std::make_unique<FlowChecker>(at->channels, port);
  }
  at->channels.SetRegisters(now, registers);
  SetDue(port, now + 1);  // the checker sees the registers in their first cycle
}

FlowVerdict FlowPorts::Packet(Cycle now, int port, const FlowArrival& arrival, const FlowWay& taken, bool keeps) {
  Port& at = *ports_[static_cast<std::size_t>(port)];
  touched_ |= Bit(port);
  const FlowVerdict verdict = at.channels.Packet(now, arrival);
  if (verdict.full) counters_->Count(port, Counter::kFlowFull);
  if (verdict.held) counters_->Count(port, Counter::kFlowHeld);
  else entered_ |= Bit(port);
  if (at.books != nullptr) at.books->Packet(now, arrival, verdict);
  if (at.checker != nullptr) {
    FlowArrival seen = arrival;
    seen.chooses = arrival.chooses && keeps;
    at.checker->Arrived(now, seen, verdict, taken, &found_);
  }
  return verdict;
}

void FlowPorts::Acknowledge(Cycle now, int port, const Ack& ack) {
  Port& at = *ports_[static_cast<std::size_t>(port)];
  touched_ |= Bit(port);
  const FlowAcked acked = at.channels.Acknowledge(now, ack);
  if (acked.stray) counters_->Count(port, Counter::kFlowStray);
  if (acked.marked) counters_->Count(port, Counter::kMarksIn);
  if (acked.throttled) counters_->Count(port, Counter::kFlowThrottled);
  if (at.checker != nullptr) at.checker->Acknowledged(now, ack, acked, &found_);
  if (at.books != nullptr) at.books->Acknowledged(now, ack, acked, at.channels.Entry(ack.tc, ack.dst));
}

FlowEnd FlowPorts::End(Cycle now, int port, bool live) {
  Port& at = *ports_[static_cast<std::size_t>(port)];
  const FlowEnd end = at.channels.EndCycle(now, live);
  if (end.lost > 0) {
    counters_->Add(port, Counter::kFlowLost, end.lost);
    last_loss_ = now;
  }
  if (end.pause) counters_->Count(port, Counter::kFlowPauses);
  if (at.checker != nullptr) at.checker->EndCycle(now, end, &found_);
  if (at.books != nullptr) at.books->EndCycle(now, at.channels);
  SetDue(port, at.channels.Next(now));
  return end;
}

Cycle FlowPorts::LastDeadline() const {
  Cycle last = -1;
  ForEachBit(on_, [&](int p) {
    const FlowChannels& all = channels(p);
    const int deadline = all.registers().deadline();
    all.ForEach([&](const FlowState& state) {
      if (state.in_flight() == 0) return;
      const Cycle to_turn = state.old > 0 ? std::max(1, deadline - state.age) : 1;
      const Cycle sweeps = to_turn + (state.cells > 0 ? deadline : 0);
      last = std::max(last, state.swept + (sweeps << all.parameters().sweep_bits));
    });
  });
  return last;
}

void FlowPorts::Watch(bool on) {
  watches_ = on;
  found_ = Audit();
  if (on) return;
  for (const std::unique_ptr<Port>& port : ports_) {
    if (port != nullptr) port->checker = nullptr;
  }
}

void FlowPorts::Check(Cycle now, Audit* audit) const {
  ForEachBit(on_, [&](int p) {
    const Port& port = *ports_[static_cast<std::size_t>(p)];
    port.channels.Check(p, audit);
    if (port.checker != nullptr) port.checker->Check(now, audit);
  });
  for (const Audit::Broken& broken : found_.broken()) audit->Require(broken.id, false, broken.port, broken.value);
}

void FlowPorts::CheckDrained(Cycle now, Audit* audit) const {
  Check(now, audit);
  ForEachBit(on_, [&](int p) {
    channels(p).ForEach([&](const FlowState& channel) {
      audit->Require("FLOW-2", channel.held == 0 && !channel.ready, p, channel.held);
    });
  });
}

}  // namespace tilefly::golden
