// SPDX-License-Identifier: Apache-2.0
// A golden switch whose links may damage words, and send them again (docs/network.md, Links with faults).
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "golden/common/stage_times.h"
#include "network/golden_node.h"

namespace tilefly::network {

namespace {

[[noreturn]] void DoesNotRepeat() { throw std::logic_error("network: this device's links cannot repeat"); }

}  // namespace

void Node::AwaitRepeats(golden::PortMask, const std::string&) { DoesNotRepeat(); }

void Node::BeginRepeats(golden::PortMask, const PlannedFaults&, Cycle, Cycle) { DoesNotRepeat(); }

void Node::ReceiveRepeated(const LinkMessage&) { DoesNotRepeat(); }

void Node::TakeToRepeat(const golden::Departure&, golden::Payload) { DoesNotRepeat(); }

void Node::AddDown(int, Cycle, Cycle) { DoesNotRepeat(); }

bool Node::IsNews(const golden::CreditReturn&) { DoesNotRepeat(); }

void Node::StartToRepeat(int, const Nic::Start&, golden::Payload, Cycle) { DoesNotRepeat(); }

void GoldenNode::BeginLink(int port, Cycle up, int lanes) {
  switch_.LinkUp(port, true, up);
  switch_.Ready(port, false, lanes);
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
  const Drop end = EndOfAttempt(attempt, broken);
  const golden::PortRegisters& registers = switch_.registers().port(port);
  const int length = attempt.header.length();
  const int lanes = attempt.lanes;
  const Cycle last = attempt.wire + golden::WordOffset(WordsOf(length) - 1, lanes);
  switch_.Arrive(port, attempt.wire, {true, attempt.header, attempt.payload, lanes});
  if (context_->journeys != nullptr && !attempt.header.is_red())
    context_->journeys->Enter(attempt.payload, index_, port, attempt.wire, last, registers.mode.cut_through);
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
    switch_.TellHolds(now + 1);
    if (repeats.ready) repeats_->Wake(now + 1);
  });
}

/// The stamps that the switch has decided in its step.
void GoldenNode::SendStamps() {
  for (const golden::StampReturn& stamp : switch_.output().stamps)
    SendStamp(stamp.port, {stamp.wire, stamp.stamp.cells, stamp.stamp.vl});
}

}  // namespace tilefly::network
