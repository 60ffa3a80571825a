// SPDX-License-Identifier: Apache-2.0
// The link of an output that sends damaged packets again: what it tells of credits, and what the output does while the
// link is down (docs/systemc.md, Links with retry, Link down).
#include "golden/common/stage_times.h"
#include "systemc/egress/output_port.h"

namespace tilefly::systemc {

void OutputPort::set_link(LinkRoom* link) {
  link_ = link;
  grants_.BeginHealing();
  context_.links[port_] = link;
  context_.repeating |= golden::Bit(port_);
}

void OutputPort::LinkTurns(Cycle cycle) {
  WakeAfter(cycle);
  if (context_.on_turn) context_.on_turn(cycle);
}

void OutputPort::Charge(Cycle cycle, int vl, int cells) {
  charged_.Enter(cycle, {vl, cells, era_});
  WakeAfter(cycle);
}

void OutputPort::Return(Cycle wire, int vl, int cells) {
  const Cycle event = wire + golden::kWireToEvent;
  returned_.Enter(event, {vl, cells, era_});
  WakeAfter(event);
}

void OutputPort::Resync(Cycle wire, const Cells& held) {
  const Cycle event = wire + golden::kWireToEvent;
  for (int vl = 0; vl < context_.profile.vls; ++vl)
    returned_.Enter(event, {vl, held[static_cast<std::size_t>(vl)], era_, true});
  WakeAfter(event);
}

/// A credit return that was on its way when the link went down does not come.
void OutputPort::TakeReturn(const Returned& returned) {
  if (returned.era != era_) return;
  if (returned.held) {
    grants_.Resync(returned.vl, returned.cells);
  } else {
    grants_.Credit(returned.vl, returned.cells);
  }
}

/// Event: the link is down, or up again, since this event.
void OutputPort::FollowLink(Cycle event) {
  const bool up = link_->IsUp(event);
  if (up == link_up_) return;
  link_up_ = up;
  if (link_->Discards()) context_.ShowDown(event, port_, !up);
  if (up) return;
  ++era_;
  context_.counters.Count(port_, Counter::kLinkDowns);
  grants_.LinkDown();
}

/// Whether the link takes a packet in this cycle, be it to discard it.
bool OutputPort::MayTake() { return link_ == nullptr || Discards() || link_->Ready(); }

/// The packet is taken, and does not go to the link, which is down. Counts.
void OutputPort::Discard(const Crossing& crossing, golden::FrameFormat* format) {
  const golden::PortRegisters& registers = context_.port(port_);
  const Kind kind = static_cast<Kind>(crossing.header.kind());
  *format = golden::FrameFormat::Of(registers.mode.std_format, kind, crossing.length);
  context_.counters.Count(port_, Counter::kTxLost);
  link_->Discarded(*crossing.packet);
}

}  // namespace tilefly::systemc
