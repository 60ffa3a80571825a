// SPDX-License-Identifier: Apache-2.0
// A golden switch whose links may damage words, and send them again (docs/network.md, Links with faults).
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "golden/common/stage_times.h"
#include "network/node.h"

namespace tilefly::network {

void Node::AwaitRepeats(golden::PortMask) { throw std::logic_error("network: this device's links cannot repeat"); }

void Node::BeginRepeats(golden::PortMask, const PlannedFaults&, Cycle, Cycle) { AwaitRepeats(0); }

void Node::ReceiveRepeated(const LinkMessage&) { AwaitRepeats(0); }

void Node::TakeToRepeat(const golden::Departure&, golden::Payload) { AwaitRepeats(0); }

void Node::AddDown(int, Cycle, Cycle) { AwaitRepeats(0); }

bool Node::IsNews(const golden::CreditReturn&) { throw std::logic_error("network: this device's links cannot repeat"); }

void Node::StartToRepeat(int, const Nic::Start&, golden::Payload, Cycle) { AwaitRepeats(0); }

void GoldenNode::AwaitRepeats(golden::PortMask ports) {
  repeating_ = ports;
  repeats_ = std::make_unique<RepeatingPorts>(switch_.profile());
  golden::ForEachBit(ports, [&](int port) { switch_.LinkUp(port, false, 0); });
}

void GoldenNode::BeginRepeats(golden::PortMask ports, const PlannedFaults& faults, Cycle up, Cycle begin) {
  retrain_ = faults.retrain();
  golden::ForEachBit(ports, [&](int port) {
    const golden::PortRegisters& registers = switch_.registers().port(port);
    const int lanes = registers.serdes_lanes();
    const FarEnd& to = far(port);
    repeats_->Add(port, switch_.profile(), faults.Into(index_, port), up, begin, to.delay + (to.node >= 0 ? 1 : 0), lanes);
    if (faults.Into(index_, port).damages_slots())
      repeats_->AddSlots(port, std::make_unique<SlotWire>(faults.Into(index_, port), begin));
    switch_.LinkUp(port, true, up);
    switch_.Ready(port, false, lanes);
    BeginLanes(port, faults, begin);
    if (to.node >= 0) return;
    Nic& nic = NicAt(port);
    repeats_->AddNic(port, std::make_unique<NicRepeats>(switch_.profile(), registers.retry, faults.IntoNic(index_, port),
                                                        *(*repeats_)[port].downs, up, begin, to.delay, lanes,
                                                        context_->nics->credits, nic.account()));
    nic.UseRepeats(&NicEnd(port));
    if (faults.IntoNic(index_, port).damages_lanes())
      NicEnd(port).JudgeLanes(faults.IntoNic(index_, port), begin, lanes, registers.lanes);
    if (faults.Into(index_, port).damages_lanes()) NicEnd(port).sender().ChooseLanes();
    (*repeats_)[port].nic_lanes = {NicEnd(port).sender().lanes(), NicEnd(port).sender().used_lanes()};
  });
}

/// A return that a stamp asks for may say the same again: the link makes no progress by it.
bool GoldenNode::IsNews(const golden::CreditReturn& credit) {
  return std::exchange((*repeats_)[credit.port].returned[credit.vl], credit.cells) != credit.cells;
}

void GoldenNode::ReceiveRepeated(const LinkMessage& message) {
  switch (message.kind) {
    case LinkKind::kDown:
      return FailLink(message.port, message.down.from, message.down.till);
    case LinkKind::kEnd:
      return TellExpected(message.port, false, message.end.expected, message.end.wire);
    default:
      repeats_->Take(message);
  }
}

/// The retry block keeps the contents of a reduction packet; each attempt has a copy of them.
void GoldenNode::TakeToRepeat(const golden::Departure& departure, golden::Payload payload) {
  const PacketRecord record = context_->records[payload];
  (*repeats_)[departure.port].sender.Take({departure.take, departure.take + golden::kTakeToRetry, departure.format.words,
                                           departure.header, record, payload});
  HoldJourney(departure.port, false, payload);
  if (record.red < 0) context_->records.Release(payload);
}

/// As Run, with the retry blocks: the receiving halves of links between switches wait for nothing in the switch and run
/// first; all else runs in step with it.
void GoldenNode::RunRepeating(Cycle end) {
  golden::ForEachBit(repeats_->slots() & ~repeats_->nics(), [&](int port) { HearSlots(port, end, end); });
  TellInboxes(end);
  HearRepeated(end);
  Cycle last = 0;
  for (;;) {
    const Cycle active = std::min(switch_.NextActive(), repeats_->wake());
    const Cycle now =
        std::min({active, nics_due_, repeats_->senders_due(), repeats_->nic_links_due(), repeats_->next_turn()});
    if (now >= end) break;
    if (now >= sample_due_) TakeSamples(now);
    if (repeats_->next_turn() <= now) TurnLinks(now);
    HearAtNics(now, end);
    if (nics_due_ <= now) {
      last = now;
      RunNics(now, end);
    }
    StepNicLinks(now, end);
    if (std::min(switch_.NextActive(), repeats_->wake()) <= now) {
      if (!IsAside(now)) last = now;
      switch_.Step(now);
      repeats_->Stepped(now);
      if (Collect(now, end)) last = now;
      SendStamps();
      GiveUpFailing(now);
      if (context_->probe != nullptr) context_->probe->Stepped(index_, now, switch_);
    }
    StepSenders(now);
  }
  context_->last_event = std::max(context_->last_event, last);
}

/// What comes before cycle `end` on links that repeat.
void GoldenNode::HearRepeated(Cycle end) {
  golden::ForEachBit(repeating_, [&](int port) {
    if (!RepeatsToNic(port)) HearPort(port, end);
    TellStamps(port, end);
  });
}

/// What passes the gate of a port.
class GoldenNode::AtPort final : public GateListener {
 public:
  AtPort(GoldenNode* node, int port) : node_(*node), port_(port) {}
  void Begins(const LinkAttempt& attempt, bool broken) override {
    node_.JudgeJourney(Into(), attempt, broken);
    node_.BeginAttempt(port_, attempt, broken);
  }
  void Unseen(const LinkAttempt& attempt) override { node_.ReleaseAny(attempt.payload); }
  golden::Payload Copy(golden::Payload payload) override { return node_.CopyOf(payload); }
  void Ends(Cycle cycle, int expected) override {
    node_.EndJourneys(Into());
    const FarEnd& to = node_.far(port_);
    if (to.node < 0) return node_.TellExpected(port_, true, expected, cycle);
    node_.SendTo(to, LinkKind::kEnd).end = {cycle + 1 + to.delay, static_cast<std::uint16_t>(expected)};
  }
  void Says(const LinkReport& said) override {
    const FarEnd& to = node_.far(port_);
    const LinkReport message{said.wire + to.delay, said.report, said.mask};
    if (to.node < 0) return node_.NicEnd(port_).TakeReport(message);
    node_.SendTo(to, LinkKind::kReport).report = message;
  }

 private:
  LinkDirection Into() const { return {node_.index_, static_cast<std::uint8_t>(port_), false}; }

  GoldenNode& node_;
  const int port_;
};

/// What comes before cycle `end` to the receiving half of the port.
void GoldenNode::HearPort(int port, Cycle end) {
  AtPort listener(this, port);
  (*repeats_)[port].receiver.Run(end, &context_->statistics.retry, &listener);
}

/// What comes before cycle `until` in control slots that may be damaged, in a call of Run(end).
void GoldenNode::HearSlots(int port, Cycle until, Cycle end) {
  RepeatingPorts::Port& repeats = (*repeats_)[port];
  repeats.slots->Run(until, &context_->statistics.retry, [&](Cycle wire, const Ctrl& slot) {
    if (!repeats.downs->IsUp(wire)) return;
    if (slot.credit_valid) TakeFromNic(port, LinkCredit{wire, slot.credit_cells, slot.credit_vl}, end);
    if (slot.wired_valid) repeats.stamps.Push({wire, slot.wired_cells, slot.wired_vl});
    if (const LinkReport said = SaidIn(wire, slot); said.report.valid || said.mask.valid) repeats.sender.Hear(said);
    if (!slot.ack_valid) return;
    inboxes_[port].acks.Push({wire, golden::AckOf(slot)});
    acks_waiting_ |= golden::Bit(port);
  });
}

golden::Payload GoldenNode::CopyOf(golden::Payload payload) {
  if (context_->records[payload].red >= 0) return context_->reds.Copy(payload);
  const golden::Payload copy = context_->records.Allocate();
  context_->records[copy] = context_->records[payload];
  if (context_->journeys != nullptr) context_->journeys->Ignore(copy);
  return copy;
}

namespace {

void Add(const std::vector<DrawnError>& more, std::vector<DrawnError>* all) {
  all->insert(all->end(), more.begin(), more.end());
  std::stable_sort(all->begin(), all->end(), [](const DrawnError& a, const DrawnError& b) { return a.cycle < b.cycle; });
}

}  // namespace

std::vector<DrawnError> GoldenNode::Drawn(int port) const {
  if (!Repeats(port)) return {};
  const RepeatingPorts::Port& repeats = (*repeats_)[port];
  std::vector<DrawnError> drawn = repeats.receiver.drawn();
  if (repeats.slots != nullptr) Add(repeats.slots->drawn(), &drawn);
  return drawn;
}

std::vector<DrawnError> GoldenNode::DrawnAtNic(int port) const {
  if (!RepeatsToNic(port)) return {};
  std::vector<DrawnError> drawn = NicEnd(port).receiver().drawn();
  if (NicEnd(port).slots() != nullptr) Add(NicEnd(port).slots()->drawn(), &drawn);
  return drawn;
}

/// What becomes an event of the switch before `end`.
void GoldenNode::TellStamps(int port, Cycle end) {
  Ring<LinkCredit>& stamps = (*repeats_)[port].stamps;
  for (; !stamps.empty() && stamps.front().wire + golden::kWireToEvent < end; stamps.Pop()) {
    if (!IsDownAt(port, stamps.front().wire))
      switch_.Stamp(port, stamps.front().wire, {stamps.front().vl, stamps.front().cells});
  }
}

/// The first word of an attempt goes to the MAC.
void GoldenNode::BeginAttempt(int port, const LinkAttempt& attempt, bool broken) {
  PacketRecord& record = context_->records[attempt.payload];
  const bool stomped = record.operation <= PacketRecord::kBroken;
  if (broken) {
    record.operation = PacketRecord::kBrokenOff;
    ++context_->statistics.retry.broken_copies;
  }
  const golden::PortRegisters& registers = switch_.registers().port(port);
  const int length = attempt.header.length();
  const int lanes = attempt.lanes;
  const Cycle last = attempt.wire + golden::WordOffset(WordsOf(length) - 1, lanes);
  switch_.Arrive(port, attempt.wire, {true, attempt.header, attempt.payload, lanes});
  if (context_->journeys != nullptr && !attempt.header.is_red())
    context_->journeys->Enter(attempt.payload, index_, port, attempt.wire, last, registers.mode.cut_through);
  const Drop end = broken ? Drop::kBroken : stomped ? Drop::kStomped : Drop::kNone;
  if (!registers.mode.cut_through || end != Drop::kNone) switch_.Finish(port, last, {end, length, {}});
}

/// The sending halves of the ports, behind the switch's step of the cycle.
void GoldenNode::StepSenders(Cycle now) {
  golden::ForEachBit(repeating_, [&](int port) {
    RepeatingPorts::Port& repeats = (*repeats_)[port];
    RetrySender& sender = repeats.sender;
    if (sender.due() > now) return;
    bool again = false;
    const RetrySender::Held* held =
        sender.Step(now, switch_.registers().port(port).retry, &again, &context_->statistics.retry);
    if (held != nullptr) {
      const int cells = golden::CellsOf(held->header.length());
      switch_.Started(now + 1, {static_cast<std::uint8_t>(port), static_cast<std::uint8_t>(held->header.vl()),
                                static_cast<std::uint8_t>(cells), again});
      StartAttempt(port, *held, now);
    }
    KeepJourneys(port, false, now);
    if (link_statistics_) link_statistics_->Repeat(port, now + 1, sender.repeats());
    sender.ReleaseContents([&](golden::Payload payload) { context_->reds.Release(payload); });
    KeepDropped(port, false, now);
    if (sender.has_given_up() && !repeats.gives_up) switch_.ReplaysFailed(now + 1, port);
    const int before = repeats.lanes.count;
    TellLanes(port, false, now + 1);
    if (sender.ready() == repeats.ready && repeats.lanes.count == before) return;
    repeats.ready = sender.ready();
    switch_.Ready(port, repeats.ready, repeats.lanes.count);
    if (link_statistics_) switch_.TellHolds(now + 1);
    if (repeats.ready) repeats_->Wake(now + 1);
  });
}

/// An attempt whose first word is at the far end in cycle `wire`.
LinkAttempt GoldenNode::MakeAttempt(int port, bool of_nic, const RetrySender::Held& held, Cycle wire) {
  golden::Payload payload;
  if (held.record.red >= 0) {
    payload = context_->reds.Copy(held.contents);
  } else {
    payload = context_->records.Allocate();
    context_->records[payload] = held.record;
    if (context_->journeys != nullptr) context_->journeys->Try(DirectionFrom(port, of_nic), held.seq, payload, wire);
  }
  Expect(wire + golden::WordOffset(held.words - 1, held.lanes));
  return {wire, payload, held.seq, held.lanes, held.used, held.header};
}

void GoldenNode::StartAttempt(int port, const RetrySender::Held& held, Cycle start) {
  const FarEnd& to = far(port);
  const LinkAttempt attempt = MakeAttempt(port, false, held, start + golden::kRetryStages + to.delay);
  if (to.node < 0) return NicEnd(port).receiver().Take(attempt);
  SendTo(to, LinkKind::kAttempt).attempt = attempt;
}

/// The stamps that the switch has decided in its step.
void GoldenNode::SendStamps() {
  for (const golden::StampReturn& stamp : switch_.output().stamps) {
    const FarEnd& to = far(stamp.port);
    const LinkCredit message{stamp.wire + to.delay, stamp.stamp.cells, stamp.stamp.vl};
    if (to.node < 0) {
      NicEnd(stamp.port).TakeStamp(message);
    } else {
      SendTo(to, LinkKind::kStamp).credit = message;
    }
  }
}

}  // namespace tilefly::network
