// SPDX-License-Identifier: Apache-2.0
#include "golden/ports/output_port.h"

#include "golden/common/stage_times.h"

namespace tilefly::golden {

OutputPort::OutputPort(const Profile& profile, int port)
    : port_(port), context_(profile), store_(context_.profile), grants_(context_), buffer_(context_), mac_(frames_) {}

const OutputPort::Outputs& OutputPort::Step(Cycle now, const Inputs& inputs) {
  outputs_ = {};
  outputs_.link = mac_.Output(now);
  Decide(now, inputs);
  Arrivals(now, inputs);
  writes_.Drain(now, [&](const Cfg& write) { Apply(write); });
  if (inputs.cfg.valid) writes_.Push(now + kWriteLatency, inputs.cfg);
  return outputs_;
}

void OutputPort::Decide(Cycle now, const Inputs& inputs) {
  departures_.Clear();
  // The other side's buffer may have changed in any cycle.
  if (context_.registers.port(port_).sends_pause()) buffer_.Wake(Bit(port_));
  buffer_.Decide(now, [&](int) { return inputs.used; }, &departures_);
  for (const Departure& departure : departures_.packets) {
    outputs_.taken = true;
    mac_.Queue(departure, departures_.EthOf(departure));
    if (departure.last_copy) frames_.DropUse(departure.payload);
  }
  for (const PauseFrame& pause : departures_.pauses) mac_.Queue(pause);
  grants_.Decide(now, store_, [&](int, int input, int vl, const RequestStore::StoredRequest& granted, bool reroute) {
    Grant grant;
    grant.src = static_cast<std::uint8_t>(port_);
    grant.vl = static_cast<std::uint8_t>(vl);
    grant.reroute = reroute;
    outputs_.grant = {input, grant, granted.cells};
  });
  if (inputs.credit_to_return) mac_.Queue(now + kCreditToWire, *inputs.credit_to_return);
}

void OutputPort::Arrivals(Cycle now, const Inputs& inputs) {
  for (const RequestArrival& request : inputs.requests) {
    store_.Put(request.input, request.vl, request.cells, request.more);
    grants_.Request(now, port_, request.input, request.vl, request.cells);
  }
  for (const FirstCell& first : inputs.first_cells) {
    const Index id = context_.packets.Allocate();
    Packet& packet = context_.packets[id];
    packet = Packet{};
    packet.header = first.header;
    packet.payload = first.frame;
    packet.parent = id;
    packet.length = static_cast<std::uint16_t>(first.header.length());
    packet.cells = static_cast<std::uint8_t>(CellsOf(packet.length));
    packet.input = static_cast<std::uint8_t>(first.input);
    packet.output = static_cast<std::uint8_t>(port_);
    packet.vl = static_cast<std::uint8_t>(first.header.vl());
    packet.copies_left = packet.holds = 1;
    grants_.FirstCell(now, port_, context_.geometry.row[first.input], packet.cells);
    buffer_.FirstCell(now, id);
  }
  buffer_.FreeRoom(now, [&](const Packet& packet) { grants_.FreeRoom(packet.output, packet.cells); });
  const bool heard = inputs.link_up && context_.registers.port(port_).mode.enable;
  if (inputs.credit && heard) credits_.Push(now + kWireToEvent, *inputs.credit);
  credits_.Drain(now, [&](const CreditReturner::Message& message) { grants_.Credit(now, port_, message.vl, message.cells); });
  CommitRetry();
  if (inputs.pause) {
    std::array<Cycle, kMaxClasses> until{};
    for (int c = 0; c < kMaxClasses; ++c) {
      until[c] = now + PauseCycles(inputs.pause->quanta[c], context_.registers.port(port_).serdes_lanes());
    }
    grants_.Pause(port_, inputs.pause->classes, until);
  }
  if (inputs.link_up != (context_.links_up != 0)) TurnLink(inputs.link_up);
  context_.no_take = inputs.ready ? 0 : context_.retry_ports;
  if (context_.retry_ports != 0) buffer_.Wake(Bit(port_));
  if (mac_.StompedRead(now)) context_.counters.Count(port_, tilefly::Counter::kTxStomped);
}

void OutputPort::TurnLink(bool up) {
  context_.links_up = up ? ~PortMask{0} : 0;
  if (!up && context_.retry_ports != 0) grants_.LinkDown(port_);
  grants_.Wake(Bit(port_));
  buffer_.Wake(Bit(port_));
}

/// What the link of a retry port took, as an event behind returns.
void OutputPort::CommitRetry() {
  if (context_.retry_ports == 0) return;
  for (const Departure& departure : departures_.packets) {
    const int vl = departure.header.vl(), cells = CellsOf(departure.length);
    if (departure.lost) grants_.Discarded(port_, vl, cells);
    else grants_.Taken(port_, vl, cells);
  }
}

/// Registers changed: whether it is a retry port.
void OutputPort::SetRetry() {
  const PortRegisters& registers = context_.registers.port(port_);
  const PortMask retries = registers.retries() ? Bit(port_) : 0;
  context_.discarding = registers.discards() ? Bit(port_) : 0;
  if (retries == context_.retry_ports) return;
  context_.retry_ports = retries;
  grants_.SetRetry(port_, retries != 0);
  if (retries != 0 && context_.links_up == 0) grants_.LinkDown(port_);
}

void OutputPort::Apply(const Cfg& write) {
  context_.registers.Apply(write);
  SetRetry();
  grants_.RebaseCredits(port_);
  if (ChangesPlaces(write) && Addresses(write, port_)) grants_.RestartScheduler(port_);
  grants_.Wake(Bit(port_));
  buffer_.Wake(Bit(port_));
}

void OutputPort::Check(Cycle now, Audit* audit) const {
  grants_.Check(port_, store_.Check(port_, audit), audit);
  buffer_.Check(now, port_, audit);
  mac_.Check(now, port_, audit);
}

void OutputPort::CheckDrained(Audit* audit) const { grants_.CheckDrained(port_, audit); }

}  // namespace tilefly::golden
