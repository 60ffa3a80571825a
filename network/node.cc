// SPDX-License-Identifier: Apache-2.0
#include "network/golden_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "golden/common/stage_times.h"

namespace tilefly::network {
namespace {

/// Of a packet, a credit return or an ack.
template <typename Message>
Cycle DueOf(const Message& message) {
  return message.wire + golden::kWireToEvent;
}

}  // namespace

Node::Node(const Profile& profile, int index, NodeContext* context)
    : context_(context),
      index_(index),
      inboxes_(profile.ports),
      ends_(profile.ports),
      nic_at_(profile.ports, -1) {
  for (int port = 0; port < profile.ports; ++port) ends_[port].far = context->wiring->far(index, port);
}

GoldenNode::GoldenNode(const Profile& profile, const golden::SchedulerChoice& scheduler, int index,
                       NodeContext* context)
    : RepeatingNode(profile, index, context), switch_(profile, scheduler) {
  switch_.KeepRedBytes(&context->reds);
}

void Node::AttachNics() {
  nics_.reserve(static_cast<std::size_t>(std::count_if(ends_.begin(), ends_.end(),
                                                       [](const LinkEnd& end) { return end.far.endpoint >= 0; })));
  for (int port = 0; port < static_cast<int>(nic_at_.size()); ++port) {
    if (far(port).endpoint < 0) continue;
    nic_at_[port] = static_cast<std::int8_t>(nics_.size());
    nic_ports_.push_back(static_cast<std::uint8_t>(port));
    nics_.emplace_back(*context_->nics, far(port).endpoint);
  }
  UpdateNicsDue();
}

void GoldenNode::KeepLinkStatistics() {
  const Measured& measured = context_->nics->measured;
  link_statistics_ = std::make_unique<golden::LinkStatistics>(switch_.profile().ports, measured.from, measured.to);
  switch_.KeepLinkStatistics(link_statistics_.get());
  if (context_->journeys != nullptr) switch_.Follow(context_->journeys->ProbeOf(index_, link_statistics_.get()));
}

void Node::Settle() {
  if (golden() != nullptr && context_->until != kNever) golden()->CountBefore(context_->until);
  for (Nic& nic : nics_) nic.Settle();
  for (int port = 0; port < static_cast<int>(ends_.size()); ++port) CountWords(port);
  if (link_statistics_) link_statistics_->Settle(context_->nics->measured.to);
}

void Node::Receive(const LinkMessage& message, Cycle) {
  Inbox& inbox = inboxes_[message.port];
  switch (message.kind) {
    case LinkKind::kPacket:
      inbox.packets.Push(message.packet);
      packets_waiting_ |= golden::Bit(message.port);
      break;
    case LinkKind::kAck:
      inbox.acks.Push(message.ack);
      acks_waiting_ |= golden::Bit(message.port);
      break;
    case LinkKind::kCredit:
      inbox.credits.Push(message.credit);
      credits_waiting_ |= golden::Bit(message.port);
      break;
    default:
      ReceiveRepeated(message);
  }
}

void GoldenNode::Write(const std::vector<Cfg>& writes, Cycle bus) {
  for (const Cfg& write : writes) {
    switch_.Write(bus, write);
    if (switch_.NextActive() <= bus) switch_.Step(bus);
    ++bus;
  }
  while (switch_.NextActive() < bus + golden::kWriteLatency) switch_.Step(switch_.NextActive());
}

void GoldenNode::Run(Cycle end) {
  if (repeats_ != nullptr) return RunRepeating(end);
  TellInboxes(end);
  Cycle last = 0;
  for (;;) {
    const Cycle now = std::min(switch_.NextActive(), nics_due_);
    if (now >= end) break;
    if (now >= sample_due_) TakeSamples(now);
    if (nics_due_ <= now || !IsAside(now)) last = now;
    if (nics_due_ <= now) RunNics(now, end);
    if (switch_.NextActive() > now) continue;
    switch_.Step(now);
    if (!switch_.output().empty && Collect(now, end)) last = now;
    if (context_->probe != nullptr) context_->probe->Stepped(index_, now, switch_);
  }
  context_->last_event = std::max(context_->last_event, last);
}

Cycle GoldenNode::DueBy(Cycle own) const {
  Cycle due = std::min(own, nics_due_);
  golden::ForEachBit(packets_waiting_, [&](int port) { due = std::min(due, DueOf(inboxes_[port].packets.front())); });
  golden::ForEachBit(credits_waiting_, [&](int port) { due = std::min(due, DueOf(inboxes_[port].credits.front())); });
  golden::ForEachBit(acks_waiting_, [&](int port) { due = std::min(due, DueOf(inboxes_[port].acks.front())); });
  return repeats_ == nullptr ? due : std::min(due, repeats_->due());
}

/// What becomes an event of the switch before `end`; more it need not know.
void GoldenNode::TellInboxes(Cycle end) {
  golden::ForEachBit(packets_waiting_, [&](int port) {
    Ring<LinkPacket>& packets = inboxes_[port].packets;
    for (; !packets.empty() && DueOf(packets.front()) < end; packets.Pop()) TellPacket(port, packets.front());
    if (packets.empty()) packets_waiting_ &= ~golden::Bit(port);
  });
  golden::ForEachBit(credits_waiting_, [&](int port) {
    Ring<LinkCredit>& credits = inboxes_[port].credits;
    for (; !credits.empty() && DueOf(credits.front()) < end; credits.Pop()) TellCredit(port, credits.front());
    if (credits.empty()) credits_waiting_ &= ~golden::Bit(port);
  });
  golden::ForEachBit(acks_waiting_, [&](int port) {
    Ring<LinkAck>& acks = inboxes_[port].acks;
    for (; !acks.empty() && DueOf(acks.front()) < end; acks.Pop()) TellAck(port, acks.front());
    if (acks.empty()) acks_waiting_ &= ~golden::Bit(port);
  });
}

/// The end of a packet is known with its header: only links that go down damage what is on the way.
void GoldenNode::TellPacket(int port, const LinkPacket& packet) {
  if (IsDownBetween(port, packet.wire, packet.wire)) return Lose(packet.payload, packet.wire);
  // The record of a packet that ends at a NIC of this switch is read when the NIC's link takes the packet.
  if (golden::SwitchAddress::OfPort(packet.header.destination()) == switch_.registers().routes().own())
    context_->records.Prefetch(packet.payload);
  const golden::PortRegisters& registers = switch_.registers().port(port);
  const int length = packet.header.length();
  const Cycle last = packet.wire + golden::WordOffset(WordsOf(length) - 1, registers.serdes_lanes());
  switch_.Arrive(port, packet.wire, {true, packet.header, packet.payload});
  if (context_->journeys != nullptr && !packet.header.is_red())
    context_->journeys->Enter(packet.payload, index_, port, packet.wire, last, registers.mode.cut_through);
  const Drop end = context_->faults ? EndOf(port, packet, last) : Drop::kNone;
  if (!registers.mode.cut_through || end != Drop::kNone) switch_.Finish(port, last, {end, length, {}});
}

void GoldenNode::TellCredit(int port, const LinkCredit& credit) {
  if (IsDownAt(port, credit.wire)) return;
  switch_.Credit(port, credit.wire, credit.vl, credit.cells);
  if (context_->probe != nullptr) context_->probe->ToldCredit(index_, port, credit);
}

void GoldenNode::TellAck(int port, const LinkAck& ack) {
  if (!IsDownAt(port, ack.wire)) switch_.Ack(port, ack.wire, ack.ack);
}

void Node::TakeFromNic(int port, const LinkPacket& packet, Cycle) {
  inboxes_[port].packets.Push(packet);
  packets_waiting_ |= golden::Bit(port);
}

void Node::TakeFromNic(int port, const LinkCredit& credit, Cycle) {
  inboxes_[port].credits.Push(credit);
  credits_waiting_ |= golden::Bit(port);
}

void GoldenNode::TakeFromNic(int port, const LinkPacket& packet, Cycle end) {
  if (inboxes_[port].packets.empty() && DueOf(packet) < end) return TellPacket(port, packet);
  Node::TakeFromNic(port, packet, end);
}

void GoldenNode::TakeFromNic(int port, const LinkCredit& credit, Cycle end) {
  if (inboxes_[port].credits.empty() && DueOf(credit) < end) return TellCredit(port, credit);
  Node::TakeFromNic(port, credit, end);
}

void Node::UpdateNicsDue() {
  nics_due_ = kNever;
  for (const Nic& nic : nics_) nics_due_ = std::min(nics_due_, nic.due());
}

void Node::RunNics(Cycle now, Cycle end) {
  for (std::size_t i = 0; i < nics_.size(); ++i) {
    Nic& nic = nics_[i];
    if (nic.due() > now) continue;
    const std::optional<Nic::Start> start = nic.Act(now, &context_->statistics);
    if (nic.IsOfJob()) ExpectOfJobs(now);
    if (!start) continue;
    const int port = nic_ports_[i];
    const Cycle arrives = now + far(port).delay + golden::WordOffset(start->words - 1, nic.lanes());
    Expect(arrives);
    if (nic.IsOfJob()) {
      ExpectOfJobs(arrives);
    } else {
      context_->statistics.background_inside += context_->nics->ends_with_jobs;
    }
    const golden::Payload payload = AddPacket(*start, &nic);
    if (context_->probe != nullptr) {
      context_->probe->Carries({now, index_, static_cast<std::uint8_t>(port), true, LinkKind::kPacket, start->header,
                                start->words, start->record});
    }
    if (context_->counters != nullptr && !start->header.is_red()) TellStart(start->record, port, now);
    if (Repeats(port)) {
      StartToRepeat(port, *start, payload, now);
    } else {
      TakeFromNic(port, {now + far(port).delay, payload, start->header}, end);
    }
  }
  UpdateNicsDue();
}

/// A packet of the NIC begins its way.
golden::Payload Node::AddPacket(const Nic::Start& start, Nic* nic) {
  if (start.header.is_red()) return context_->reds.Add(start.record, nic->TakeStarted());
  const golden::Payload payload = context_->records.Allocate();
  context_->records[payload] = start.record;
  if (context_->journeys != nullptr) {
    const Cycle free = start.record.sent + SlotCyclesOf(start.words, nic->lanes());
    context_->journeys->Start(payload, start.record, start.header, free, start.held, start.throttled);
  }
  return payload;
}

/// Returns whether something left the switch. Pauses, which are repeated as long as a flow is throttled, do not count.
bool GoldenNode::Collect(Cycle now, Cycle end) {
  const golden::StepOutput& output = switch_.output();
  for (const golden::Departure& departure : output.links.packets) Depart(departure, end);
  for (const golden::CreditReturn& credit : output.credits) Return(credit);
  for (const golden::AckReturn& ack : output.acks) PassOn(ack);
  for (const golden::FlowPauseReturn& pause : output.flow_pauses) TellPause(pause);
  for (const golden::DropRecord& drop : output.drops) CountDrop(drop, now);
  return !output.links.packets.empty() || !output.credits.empty() || !output.acks.empty() || !output.drops.empty();
}

/// Reduction packets are in nobody's books: they end in switches, used or not.
void Node::CountDrop(const golden::DropRecord& drop, Cycle now) {
  if (context_->records[drop.payload].operation == PacketRecord::kBrokenOff) return EndCopy(drop.payload);
  if (context_->records[drop.payload].red >= 0) return context_->reds.Release(drop.payload);
  ++context_->statistics.drops[static_cast<std::size_t>(drop.reason)];
  LeaveBackground(context_->records[drop.payload]);
  CountLoss(context_->records[drop.payload], now);
  if (context_->journeys != nullptr) context_->journeys->Drop(drop.payload);
  if (context_->counters != nullptr) TellDrop(context_->records[drop.payload], drop, now);
  context_->records.Release(drop.payload);
}

void Node::Depart(const golden::Departure& departure, Cycle end) {
  if (departure.lost) return Discard(departure);
  if (context_->probe != nullptr) {
    context_->probe->Carries({departure.take + golden::kTakeToWire, index_, departure.port, false, LinkKind::kPacket,
                              departure.header, departure.format.words, context_->records[departure.payload]});
  }
  LinkEnd& own = ends_[departure.port];
  ++own.counts.packets;
  own.counts.all_words += departure.format.words;
  context_->statistics.flit_hops += departure.format.words;
  CountWords(departure.port);
  own.sending = {departure.take, static_cast<std::int16_t>(departure.format.words),
                 static_cast<std::int8_t>(departure.serdes_lanes), static_cast<std::int8_t>(departure.header.tc())};
  const FarEnd& to = own.far;
  Expect(LastWordOf(departure, to));
  if (context_->nics->ends_with_jobs && !IsBesideJobs(context_->records[departure.payload]))
    ExpectOfJobs(LastWordOf(departure, to));
  if (departure.header.is_red()) return DepartReduction(departure, to, end);
  if (context_->journeys != nullptr) context_->journeys->Leave(departure);
  if (context_->counters != nullptr) TellLeave(departure);
  if (Repeats(departure.port)) return TakeToRepeat(departure, departure.payload);
  if (to.node < 0) return Deliver(departure, to, end);
  SendPacket(departure.port, {departure.take + golden::kTakeToWire + to.delay, departure.payload, departure.header});
}

/// The link is down, and the packet is not sent.
void Node::Discard(const golden::Departure& departure) {
  const bool copy = departure.header.is_red() && !departure.last_copy;
  if (copy) return;
  context_->records[departure.payload].operation == PacketRecord::kBrokenOff ? EndCopy(departure.payload)
                                                                            : Lose(departure.payload, departure.take);
}

/// Of the last packet that left by the port, those in measured cycles.
void Node::CountSomeWords(int port) {
  Sending& last = ends_[port].sending;
  PortCounts& counts = ends_[port].counts;
  const Measured& measured = context_->nics->measured;
  const int words = measured.WordsOf(last.take, last.words, last.lanes);
  counts.words += words;
  counts.busy += measured.CyclesOf(last.take, last.take + SlotCyclesOf(last.words, last.lanes));
  if (link_statistics_ && words > 0) link_statistics_->AddWords(port, last.tc, words);
  last.words = 0;
}

/// The packet goes to a NIC: all that will come of it is known.
void Node::Deliver(const golden::Departure& departure, const FarEnd& to, Cycle end) {
  const PacketRecord& record = context_->records[departure.payload];
  if (record.destination != to.endpoint) {
    throw std::logic_error(fmt::format("network: a packet from endpoint {} to {} came to endpoint {}", record.source,
                                       record.destination, to.endpoint));
  }
  const Cycle last = LastWordOf(departure, to);
  if (last >= context_->until) return Sink(departure, to, last, end);
  if (record.operation == PacketRecord::kBrokenOff) {
    EndCopy(departure.payload);
    return Sink(departure, to, last, end);
  }
  if (context_->faults && IsLost(departure, last)) {
    Lose(departure.payload, last);
    return Sink(departure, to, last, end);
  }
  Nic& nic = nics_[nic_at_[departure.port]];
  const bool is_new = nic.IsNew(record);
  LeaveBackground(record);
  if (is_new) {
    CountDelivery(departure, record, last);
    if (context_->counters != nullptr) TellDelivery(departure, record, last);
    if (context_->probe != nullptr) context_->probe->HandsOver(record, last);
  } else {
    ++context_->statistics.duplicates;
  }
  if (context_->journeys != nullptr)
    context_->journeys->Deliver(departure.payload, departure.take + golden::kTakeToWire + to.delay, last, is_new);
  if (is_new && record.operation >= 0) {
    nic.TakeMessage(record, last, &context_->statistics);
    nics_due_ = std::min(nics_due_, nic.due());
  }
  context_->records.Release(departure.payload);
  Sink(departure, to, last, end);
}

/// The NIC returns the cells of what it got.
void Node::Sink(const golden::Departure& departure, const FarEnd& to, Cycle last, Cycle end) {
  Nic& nic = NicAt(departure.port);
  const int vl = departure.header.vl(), cells = golden::CellsOf(departure.length);
  if (nic.repeats() != nullptr) return nic.repeats()->Free(last, vl, cells);
  LinkCredit credit = nic.Sink(last, vl, cells);
  if (context_->probe != nullptr)
    context_->probe->Carries({credit.wire, index_, departure.port, true, LinkKind::kCredit, {}, 0, {}, credit});
  credit.wire += to.delay;
  Expect(credit.wire);
  TakeFromNic(departure.port, credit, end);
}

void Node::CountDelivery(const golden::Departure& departure, const PacketRecord& record, Cycle last) {
  const Measured& measured = context_->nics->measured;
  Statistics& statistics = context_->statistics;
  ClassStatistics& own = statistics.classes[departure.header.tc()];
  ++own.delivered;
  statistics.hops += departure.header.hop();
  if (measured.Has(last)) {
    own.words += departure.format.words;
    statistics.accepted_words += departure.format.words;
  }
  statistics.history.Receive(context_->nics->history, departure.header.tc(), record.source, last,
                             departure.format.words, last - record.created);
  if (IsBackground(record)) CountBackground(departure, record, last);
  if (const SampleFrame* const frame = context_->nics->samples) {
    statistics.samples.Receive(departure.header.tc(), frame->group_of_endpoint[record.source],
                               frame->group_of_endpoint[record.destination], last, departure.format.words,
                               departure.length, last - record.created);
  }
  if (!measured.Has(record.created)) return;
  own.latency.Add(last - record.created);
  own.network.Add(last - record.sent);
  LatencyBatch& batch = statistics.batches[measured.BatchOf(record.created)];
  ++batch.packets;
  batch.cycles += last - record.created;
}

void Node::CountBackground(const golden::Departure& departure, const PacketRecord& record, Cycle last) {
  const Measured& measured = context_->nics->measured;
  ClassStatistics& own = context_->statistics.background;
  ++own.delivered;
  if (measured.Has(last)) own.words += departure.format.words;
  if (!measured.Has(record.created)) return;
  own.latency.Add(last - record.created);
  own.network.Add(last - record.sent);
}

/// A new message for the switch at the far end.
LinkMessage& Node::SendTo(const FarEnd& to, LinkKind kind) {
  return context_->outgoing.emplace_back(LinkMessage{to.node, to.port, kind, {}});
}

/// An ack goes back to the switch before, or to the source's NIC.
void Node::PassOn(const golden::AckReturn& ack) {
  const FarEnd& to = far(ack.port);
  if (context_->probe != nullptr) {
    context_->probe->Carries({ack.wire, index_, ack.port, false, LinkKind::kAck, {}, 0, {}, {}, ack.ack});
  }
  const LinkAck message{ack.wire + to.delay, ack.ack};
  context_->statistics.acks_on_links += ack.wire < context_->until;
  Expect(message.wire);
  if (to.node < 0) {
    if (message.wire >= context_->until) return;
    Nic& nic = nics_[nic_at_[ack.port]];
    nic.TakeAck(message);
    nics_due_ = std::min(nics_due_, nic.due());
    return;
  }
  SendTo(to, LinkKind::kAck).ack = message;
}

/// A pause is no progress: a flow that is throttled for ever has one in each sweep.
void Node::TellPause(const golden::FlowPauseReturn& pause) {
  if (context_->probe != nullptr) {
    context_->probe->Carries(
        {pause.wire, index_, pause.port, false, LinkKind::kPause, {}, 0, {}, {}, {}, pause.pause});
  }
  const LinkPause message{pause.wire + far(pause.port).delay, pause.pause};
  if (message.wire >= context_->until) return;
  Nic& nic = NicAt(pause.port);
  nic.TakePause(message);
  nics_due_ = std::min(nics_due_, nic.due());
}

void Node::Return(const golden::CreditReturn& credit) {
  const FarEnd& to = far(credit.port);
  if (context_->probe != nullptr) {
    context_->probe->Carries({credit.wire,
                              index_,
                              credit.port,
                              false,
                              LinkKind::kCredit,
                              {},
                              0,
                              {},
                              {credit.wire, credit.cells, credit.vl}});
  }
  const LinkCredit message{credit.wire + to.delay, credit.cells, credit.vl};
  if (!Repeats(credit.port) || IsNews(credit)) Expect(message.wire);
  if (to.node < 0) {
    Nic& nic = nics_[nic_at_[credit.port]];
    nic.TakeCredit(message);
    nics_due_ = std::min(nics_due_, nic.due());
    return;
  }
  SendCredit(credit.port, message);
}

Cycle GoldenNode::LastFlowDeadline() const {
  const golden::FlowPorts* const flows = switch_.channels();
  return flows == nullptr ? -1 : std::max(flows->last_loss(), flows->LastDeadline());
}

/// Flow channels that are throttled, and have nothing to send, are forgotten later.
std::string GoldenNode::FlowsNotHome(bool lost) const {
  const golden::FlowPorts* const flows = switch_.channels();
  std::string text;
  for (int port = 0; port < switch_.profile().ports && flows != nullptr && text.empty(); ++port) {
    if (!flows->Has(port)) continue;
    flows->channels(port).ForEach([&](const golden::FlowState& state) {
      if (state.held > 0 || (!lost && state.in_flight() > 0))
        text = fmt::format("port {}: a flow channel has {} cells in flight, and holds {}", port, state.in_flight(), state.held);
    });
  }
  return text;
}

std::string GoldenNode::NotHome(bool lost) {
  const Profile& profile = switch_.profile();
  if (switch_.packets() != 0) return fmt::format("holds {} packets", switch_.packets());
  if (!lost && switch_.flows().size() != 0) return "has cells of flows in flight";
  if (const std::string flows = FlowsNotHome(lost); !flows.empty()) return flows;
  for (int port = 0; port < profile.ports; ++port) {
    if (switch_.used(port) != 0) return fmt::format("port {}: {} cells in the input buffer", port, switch_.used(port));
    if (switch_.room(port) != profile.obuf_cells) return fmt::format("port {}: output buffer not empty", port);
    const bool told = repeats_ == nullptr || !repeats_->IsFarStuck(port);
    if (told && !switch_.credits(port).AllHome()) return fmt::format("port {}: credits are out", port);
  }
  return repeats_ == nullptr ? "" : repeats_->NotHome();
}

}  // namespace tilefly::network
