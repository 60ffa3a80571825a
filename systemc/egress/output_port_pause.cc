// SPDX-License-Identifier: Apache-2.0
// PAUSE of an output (docs/systemc.md, PAUSE): obeyed as the link's other end asks, sent as the input's buffer fills.
#include <algorithm>

#include "systemc/egress/output_port.h"

namespace tilefly::systemc {

void OutputPort::HearPause(Cycle event, const golden::PauseRequest& request) {
  if (!request.obeyed) return;
  heard_.Enter(event, request);
  WakeAfter(event);
}

void OutputPort::Obey(const golden::PauseRequest& request, Cycle event) {
  const golden::PortRegisters& registers = context_.port(port_);
  if (!registers.mode.enable || registers.mode.credits) return;
  context_.counters.Count(port_, Counter::kRxPause);
  golden::ForEachBit(request.classes, [&](int c) {
    grants_.Pause(c, event + golden::PauseCycles(request.quanta[c], registers.lanes()));
  });
}

void OutputPort::Filled(int most) {
  if (SendsPause() && !pause_.xoff_sent() && most >= context_.port(port_).xoff) WakeAfterSteps();
}

void OutputPort::Drained(Cycle event) {
  if (!SendsPause() || !pause_.xoff_sent()) return;
  if (event < fabric::CycleAt(sc_core::sc_time_stamp())) return WakeAfterSteps();
  WakeAfter(event);
}

void OutputPort::AfterSteps(Cycle now) { SendNext(now); }

/// The link takes a PAUSE frame when it is free. False: none is due.
bool OutputPort::SendPause(Cycle now) {
  const golden::PortRegisters& registers = context_.port(port_);
  const auto quanta = pause_.Due(now, input->Used(now - 1), registers);
  if (!quanta) {
    // Cells that were to go free when XOFF was sent have not told of it.
    if (pause_.xoff_sent() && input->NextFreed() != kNever) WakeAfter(input->NextFreed());
    return false;
  }
  if (now < next_take_) {
    Wake(next_take_);
    return true;
  }
  pause_.Sent(now, *quanta);
  if (pause_.xoff_sent()) Wake(pause_.refresh());
  next_take_ = now + golden::CeilDiv(4 * PauseSender::kSlots, registers.lanes());
  Wake(next_take_);
  context_.counters.Count(port_, Counter::kTxPause);
  fabric::Packet& packet = context_.made.Make();
  PauseSender::Dress(context_.registers.AddressOf(port_), *quanta, &packet);
  Send(&packet, now);
  packet.release();
  return true;
}

}  // namespace tilefly::systemc
