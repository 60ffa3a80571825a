// SPDX-License-Identifier: Apache-2.0
#include "golden/network/node.h"

#include <fmt/format.h>

#include <stdexcept>

namespace tilefly::golden {
namespace {

Cycle DueOf(const LinkPacket& packet) { return packet.wire + LinkPacket::kLatency; }
Cycle DueOf(const LinkCredit& credit) { return credit.wire + kCreditLatency; }

}  // namespace

Node::Node(const Profile& profile, const SchedulerChoice& scheduler, int index, NodeContext* context)
    : context_(context),
      index_(index),
      switch_(profile, scheduler),
      inboxes_(profile.ports),
      counts_(profile.ports),
      nic_at_(profile.ports, -1) {}

void Node::AttachNics() {
  for (int port = 0; port < switch_.profile().ports; ++port) {
    if (far(port).endpoint < 0) continue;
    nic_at_[port] = static_cast<std::int8_t>(nics_.size());
    nic_ports_.push_back(static_cast<std::uint8_t>(port));
    nics_.emplace_back(*context_->nics, far(port).endpoint);
  }
  UpdateNicsDue();
}

void Node::Receive(const Outgoing& message) {
  if (message.is_credit) {
    inboxes_[message.port].credits.Push(message.credit);
    credits_waiting_ |= Bit(message.port);
  } else {
    inboxes_[message.port].packets.Push(message.packet);
    packets_waiting_ |= Bit(message.port);
  }
}

void Node::Run(Cycle end) {
  TellInboxes(end);
  Cycle last = 0;
  for (;;) {
    const Cycle now = std::min(switch_.NextActive(), nics_due_);
    if (now >= end) break;
    last = now;
    if (nics_due_ <= now) ActNics(now, end);
    if (switch_.NextActive() > now) continue;
    switch_.Step(now);
    Collect(now, end);
    if (context_->probe != nullptr) context_->probe->Stepped(index_, now, switch_);
  }
  context_->last_event = std::max(context_->last_event, last);
}

Cycle Node::Due() const {
  Cycle due = std::min(switch_.NextActive(), nics_due_);
  ForEachBit(packets_waiting_, [&](int port) { due = std::min(due, DueOf(inboxes_[port].packets.front())); });
  ForEachBit(credits_waiting_, [&](int port) { due = std::min(due, DueOf(inboxes_[port].credits.front())); });
  return due;
}

/// What becomes an event of the switch before `end`; more it need not know.
void Node::TellInboxes(Cycle end) {
  ForEachBit(packets_waiting_, [&](int port) {
    Ring<LinkPacket>& packets = inboxes_[port].packets;
    for (; !packets.empty() && DueOf(packets.front()) < end; packets.Pop()) TellPacket(port, packets.front());
    if (packets.empty()) packets_waiting_ &= ~Bit(port);
  });
  ForEachBit(credits_waiting_, [&](int port) {
    Ring<LinkCredit>& credits = inboxes_[port].credits;
    for (; !credits.empty() && DueOf(credits.front()) < end; credits.Pop()) TellCredit(port, credits.front());
    if (credits.empty()) credits_waiting_ &= ~Bit(port);
  });
}

/// The end of a packet is known with its header: nothing is damaged on the way.
void Node::TellPacket(int port, const LinkPacket& packet) {
  switch_.Arrive(port, packet.wire, {true, packet.header, packet.payload});
  const PortRegisters& registers = switch_.registers().port(port);
  if (registers.mode.cut_through) return;
  const int last = WordsOf(packet.header.length()) - 1;
  switch_.Finish(port, packet.wire + WordOffset(last, registers.lanes()), {Drop::kNone, packet.header.length(), {}});
}

void Node::TellCredit(int port, const LinkCredit& credit) {
  switch_.Credit(port, credit.wire, credit.vl, credit.cells);
  if (context_->probe != nullptr) context_->probe->ToldCredit(index_, port, credit);
}

void Node::UpdateNicsDue() {
  nics_due_ = kNever;
  for (const Nic& nic : nics_) nics_due_ = std::min(nics_due_, nic.due());
}

void Node::ActNics(Cycle now, Cycle end) {
  for (std::size_t i = 0; i < nics_.size(); ++i) {
    Nic& nic = nics_[i];
    if (nic.due() > now) continue;
    const std::optional<Nic::Start> start = nic.Act(now, &context_->statistics);
    if (!start) continue;
    context_->last_progress = std::max(context_->last_progress, now);
    const int port = nic_ports_[i];
    const Payload payload = context_->records.Take();
    context_->records[payload] = start->record;
    const LinkPacket packet{now + far(port).delay, payload, start->header};
    if (inboxes_[port].packets.empty() && DueOf(packet) < end) {
      TellPacket(port, packet);
    } else {
      inboxes_[port].packets.Push(packet);
      packets_waiting_ |= Bit(port);
    }
  }
  UpdateNicsDue();
}

void Node::Collect(Cycle now, Cycle end) {
  const StepOutput& output = switch_.output();
  for (const Departure& departure : output.links.packets) Depart(departure, end);
  for (const CreditReturn& credit : output.credits) Return(credit);
  for (const DropRecord& drop : output.drops) {
    ++context_->statistics.drops[static_cast<std::size_t>(drop.reason)];
    context_->records.Release(drop.payload);
  }
  if (!output.links.packets.empty()) context_->last_progress = std::max(context_->last_progress, now);
}

void Node::Depart(const Departure& departure, Cycle end) {
  PortCounts& counts = counts_[departure.port];
  ++counts.packets;
  context_->statistics.flit_hops += departure.format.words;
  if (context_->nics->measured.Has(departure.take)) counts.words += departure.format.words;
  const FarEnd& to = far(departure.port);
  if (to.node < 0) {
    Deliver(departure, to, end);
    return;
  }
  Outgoing message{};
  message.node = to.node;
  message.port = to.port;
  message.packet = {departure.take + kTakeToWire + to.delay, departure.payload, departure.header};
  context_->outgoing.push_back(message);
}

/// The packet goes to a NIC: all that will come of it is known.
void Node::Deliver(const Departure& departure, const FarEnd& to, Cycle end) {
  const PacketRecord& record = context_->records[departure.payload];
  if (record.destination != to.endpoint) {
    throw std::logic_error(fmt::format("network: a packet from endpoint {} to {} came to endpoint {}", record.source,
                                       record.destination, to.endpoint));
  }
  const Measured& measured = context_->nics->measured;
  const Cycle first = departure.take + kTakeToWire + to.delay;
  const Cycle last = first + WordOffset(departure.format.words - 1, departure.lanes);
  Statistics& statistics = context_->statistics;
  ClassStatistics& own = statistics.classes[departure.header.tc()];
  ++own.delivered;
  statistics.hops += departure.header.hop();
  if (measured.Has(last)) {
    own.words += departure.format.words;
    statistics.accepted_words += departure.format.words;
  }
  if (measured.Has(record.created)) {
    own.latency.Add(last - record.created);
    own.network.Add(last - record.sent);
  }
  context_->records.Release(departure.payload);
  LinkCredit credit = nics_[nic_at_[departure.port]].Sink(last, departure.header.vl(), CellsOf(departure.length));
  credit.wire += to.delay;
  if (inboxes_[departure.port].credits.empty() && DueOf(credit) < end) {
    TellCredit(departure.port, credit);
  } else {
    inboxes_[departure.port].credits.Push(credit);
    credits_waiting_ |= Bit(departure.port);
  }
}

void Node::Return(const CreditReturn& credit) {
  const FarEnd& to = far(credit.port);
  const LinkCredit message{credit.wire + to.delay, credit.cells, credit.vl};
  if (to.node < 0) {
    Nic& nic = nics_[nic_at_[credit.port]];
    nic.TakeCredit(message);
    nics_due_ = std::min(nics_due_, nic.due());
    return;
  }
  Outgoing outgoing{};
  outgoing.node = to.node;
  outgoing.port = to.port;
  outgoing.is_credit = true;
  outgoing.credit = message;
  context_->outgoing.push_back(outgoing);
}

}  // namespace tilefly::golden
