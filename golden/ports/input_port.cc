// SPDX-License-Identifier: Apache-2.0
#include "golden/ports/input_port.h"

#include <algorithm>

#include "golden/common/stage_times.h"

namespace tilefly::golden {
namespace {

constexpr int kCellBytes = 48;

}  // namespace

InputPort::InputPort(const Profile& profile, int port)
    : port_(port), context_(profile), mac_(context_.profile, frames_), flows_(context_), ingress_(context_, flows_) {
  context_.watchers.routes = &route_checker_;
  flows_.Watch(true);
  observed_.ports.resize(static_cast<std::size_t>(profile.ports));
  context_.watchers.observation = &observed_;
}

const InputPort::Outputs& InputPort::Step(Cycle now, const Inputs& inputs) {
  outputs_ = {};
  Portobs& observed = observed_.ports[port_];
  observed = {};
  Receive(now, inputs);
  ingress_.Decide(
      now, kAllCalendars,
      [&](Index, const Queue& queue, const Packet& packet) {
        Request request;
        request.src = static_cast<std::uint8_t>(port_);
        request.vl = queue.vl;
        request.cells = packet.cells;
        request.more = packet.more;
        outputs_.request = {queue.output, request};
      },
      [&](Index id, const Packet& packet) {
        outputs_.pick = {packet.output, packet.vl};
        reading_.push_back({now + kPickToLeave, id});
      },
      [&](int, const CreditReturner::Message& message) { outputs_.credit = message; });
  ReadCell(now);
  Arrivals(now, inputs);
  for (int p = 0; inputs.loads != nullptr && p < context_.profile.ports; ++p) context_.loads.Tell(now, p, inputs.loads[p]);
  context_.downs.Tell(now, inputs.down);
  ingress_.Commit(now, kAllCalendars, &outputs_.drops, inputs.red_used);
  if (flows_.channels() != nullptr) ingress_.ReleaseHeld(now);
  flows_.account().Advance(now);
  if (inputs.ack) flows_.TakeAck(now, port_, *inputs.ack);
  if (flows_.channels() != nullptr) EndFlows(now);
  link_up_ = inputs.link_up;
  if (observed.hold_valid) outputs_.held = observed.hold_channel;
  if (observed.go_valid) outputs_.released = observed.go_channel;
  if (observed.drop_valid) outputs_.shown_drop = static_cast<Drop>(observed.drop_reason);
  outputs_.routed = route_checker_.TakeLatest();
  for (const DropRecord& drop : outputs_.drops) frames_.DropUse(drop.payload);
  pauses_.Drain(now, [&](const PauseRequest& pause) {
    outputs_.pause = pause;
    context_.counters.Count(port_, tilefly::Counter::kRxPause);
  });
  strays_.Drain(now, [&](int port) { context_.counters.Count(port, tilefly::Counter::kRxStray); });
  writes_.Drain(now, [&](const Cfg& write) {
    context_.registers.Apply(write);
    flows_.SetRegisters(now, write);
  });
  if (inputs.cfg.valid) writes_.Push(now + kWriteLatency, inputs.cfg);
  return outputs_;
}

void InputPort::Receive(Cycle now, const Inputs& inputs) {
  const PortRegisters& registers = context_.registers.port(port_);
  const bool heard = inputs.link_up && registers.mode.enable;
  const MacIn::Events events = mac_.Step(now, inputs.word, heard, MacIn::ModeOf(registers));
  if (events.stray) strays_.Push(now + kWireToEvent, port_);
  if (events.refused) ingress_.Refuse(port_, now);
  if (events.started) ingress_.Arrive(now - 1, port_, now, events.arrival);
  if (!events.ended) return;
  ingress_.Finish(now - 1, port_, now, events.end);
  if (events.pause.obeyed) pauses_.Push(now + kWireToEvent, events.pause);
}

/// Steps 4 to 6 of the flow channels.
void InputPort::EndFlows(Cycle now) {
  const auto live = [&](int) {
    const PortMode& mode = context_.registers.port(port_).mode;
    return mode.enable && mode.credits && link_up_;
  };
  flows_.channels()->EndCycle(now, live, [&](int, const FlowPause& pause) { outputs_.flow_pause = pause; });
}

/// The cell whose leave cycle this is.
void InputPort::ReadCell(Cycle now) {
  if (reading_.empty() || now < reading_.front().first) return;
  const Index id = reading_.front().packet;
  const Packet& packet = context_.packets[id];
  const int j = static_cast<int>(now - reading_.front().first);
  outputs_.cell = {packet.output, MakeCell(packet, j)};
  if (j < packet.cells - 1) return;
  reading_.pop_front();
  Packet& parent = context_.packets[packet.parent];
  if (--parent.copies_left == 0) frames_.DropUse(packet.payload);
  if (packet.parent != id) ReleaseCopy(&context_.packets, packet.parent);
  ReleaseCopy(&context_.packets, id);
}

void InputPort::Arrivals(Cycle now, const Inputs& inputs) {
  if (inputs.grant) {
    const Index queue = ingress_.queues().Find(port_, inputs.grant->output, inputs.grant->vl);
    // Here the output's store and its decision are elsewhere.
    ++ingress_.queues()[queue].stored;
    const StoredRequest head = ingress_.queues().Head(port_, inputs.grant->output, inputs.grant->vl);
    if (inputs.reroute) {
      ingress_.queues().TakeBack(head);
      ingress_.TakeBack(now, queue);
    } else {
      ingress_.queues().Grant(head);
      ingress_.Grant(now, queue);
    }
  }
  if (inputs.request_credit) {
    ingress_.RequestCredit(ingress_.queues().Find(port_, inputs.request_credit->output, inputs.request_credit->vl));
  }
}

/// Cell `j` of the stored form: header and frame; bytes after the frame's end are zero.
Cell InputPort::MakeCell(const Packet& packet, int j) const {
  const Frame& frame = frames_[packet.payload];
  Cell cell;
  cell.sop = j == 0;
  cell.eop = j == packet.cells - 1;
  cell.bad = cell.eop && frame.bad;
  cell.src = static_cast<std::uint8_t>(port_);
  cell.vl = packet.vl;
  cell.cells = packet.cells;
  if (j == 0) packet.header.CopyTo(cell.data.data());
  const int at = kCellBytes * j - HeaderBits::kBytes;  // of the cell's first byte in the frame
  const int from = std::max(at, 0);
  const int to = std::min({at + kCellBytes, static_cast<int>(packet.length), static_cast<int>(frame.bytes.size())});
  if (from < to) std::copy(frame.bytes.begin() + from, frame.bytes.begin() + to, cell.data.begin() + (from - at));
  return cell;
}

void InputPort::Check(Cycle now, Audit* audit) const {
  ingress_.Check(now, audit);
  mac_.Check(now, port_, audit);
  if (flows_.channels() != nullptr) flows_.channels()->Check(now, audit);
  Cycle free = now + 1;  // the row bus
  for (const Reading& reading : reading_) {
    const int cells = context_.packets[reading.packet].cells;
    audit->Require("ING-6", reading.first + cells > now && (reading.first <= now || reading.first >= free), port_,
                   reading.first);
    free = reading.first + cells;
  }
}

}  // namespace tilefly::golden
