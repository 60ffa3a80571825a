// SPDX-License-Identifier: Apache-2.0
// A golden switch whose links may damage words, and send them again (docs/network.md, Links with faults).
#include <algorithm>
#include <stdexcept>

#include "golden/common/stage_times.h"
#include "network/node.h"

namespace tilefly::network {

void Node::AwaitRepeats(golden::PortMask) { throw std::logic_error("network: this device's links cannot repeat"); }

void Node::BeginRepeats(golden::PortMask, const PlannedFaults&, Cycle, Cycle) { AwaitRepeats(0); }

void Node::ReceiveRepeated(const LinkMessage&) { AwaitRepeats(0); }

void Node::TakeToRepeat(const golden::Departure&, golden::Payload) { AwaitRepeats(0); }

void Node::StartToRepeat(int, const Nic::Start&, golden::Payload, Cycle) { AwaitRepeats(0); }

void GoldenNode::AwaitRepeats(golden::PortMask ports) {
  repeating_ = ports;
  repeats_ = std::make_unique<RepeatingPorts>(switch_.profile());
  golden::ForEachBit(ports, [&](int port) { switch_.LinkUp(port, false, 0); });
}

void GoldenNode::BeginRepeats(golden::PortMask ports, const PlannedFaults& faults, Cycle up, Cycle begin) {
  golden::ForEachBit(ports, [&](int port) {
    const golden::PortRegisters& registers = switch_.registers().port(port);
    const int lanes = registers.serdes_lanes();
    repeats_->Add(port, RetrySender(switch_.profile(), up, lanes),
                  RetryReceiver(faults.Into(index_, port), up, begin, lanes));
    switch_.LinkUp(port, true, up);
    switch_.Ready(port, false, lanes);
    if (far(port).node >= 0) return;
    Nic& nic = NicAt(port);
    repeats_->AddNic(port, std::make_unique<NicRepeats>(switch_.profile(), registers.retry, faults.IntoNic(index_, port), up,
                                                        begin, lanes, context_->nics->credits, nic.account()));
    nic.UseRepeats(&NicEnd(port));
  });
}

void GoldenNode::ReceiveRepeated(const LinkMessage& message) { repeats_->Take(message); }

/// The retry block keeps the contents of a reduction packet; each attempt has a copy of them.
void GoldenNode::TakeToRepeat(const golden::Departure& departure, golden::Payload payload) {
  const PacketRecord record = context_->records[payload];
  (*repeats_)[departure.port].sender.Take({departure.take, departure.take + golden::kTakeToRetry, departure.format.words,
                                           departure.header, record, payload});
  if (record.red < 0) context_->records.Release(payload);
}

/// As Run, with the retry blocks: the receiving halves of links between switches wait for nothing in the switch and run
/// first; all else runs in step with it.
void GoldenNode::RunRepeating(Cycle end) {
  TellInboxes(end);
  HearRepeated(end);
  Cycle last = 0;
  for (;;) {
    const Cycle active = std::min(switch_.NextActive(), repeats_->wake());
    const Cycle now = std::min({active, nics_due_, repeats_->senders_due(), repeats_->nic_links_due()});
    if (now >= end) break;
    if (now >= sample_due_) TakeSamples(now);
    HearAtNics(now, end);
    if (nics_due_ <= now) {
      last = now;
      RunNics(now, end);
    }
    StepNicLinks(now, end);
    if (std::min(switch_.NextActive(), repeats_->wake()) <= now) {
      last = now;
      switch_.Step(now);
      repeats_->Stepped(now);
      Collect(now, end);
      SendStamps();
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

/// What comes before cycle `end` to the receiving half of the port.
void GoldenNode::HearPort(int port, Cycle end) {
  (*repeats_)[port].receiver.Run(
      end, &context_->statistics.retry,
      [&](const LinkAttempt& attempt, bool broken) { BeginAttempt(port, attempt, broken); },
      [&](const LinkAttempt& attempt) { ReleaseAny(attempt.payload); },
      [&](Cycle wire, const golden::RetryReport& report) {
        const FarEnd& to = far(port);
        const LinkReport message{wire + to.delay, report};
        if (to.node < 0) return NicEnd(port).sender().Hear(message);
        SendTo(to, LinkKind::kReport).report = message;
      });
}

/// What becomes an event of the switch before `end`.
void GoldenNode::TellStamps(int port, Cycle end) {
  Ring<LinkCredit>& stamps = (*repeats_)[port].stamps;
  for (; !stamps.empty() && stamps.front().wire + golden::kWireToEvent < end; stamps.Pop())
    switch_.Stamp(port, stamps.front().wire, {stamps.front().vl, stamps.front().cells});
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
  const int lanes = registers.serdes_lanes();
  switch_.Arrive(port, attempt.wire, {true, attempt.header, attempt.payload, lanes});
  const Drop end = broken ? Drop::kBroken : stomped ? Drop::kStomped : Drop::kNone;
  if (!registers.mode.cut_through || end != Drop::kNone)
    switch_.Finish(port, attempt.wire + golden::WordOffset(WordsOf(length) - 1, lanes), {end, length, {}});
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
    sender.ReleaseContents([&](golden::Payload payload) { context_->reds.Release(payload); });
    if (sender.ready() == repeats.ready) return;
    repeats.ready = sender.ready();
    switch_.Ready(port, repeats.ready, switch_.registers().port(port).serdes_lanes());
    if (repeats.ready) repeats_->Wake(now + 1);
  });
}

/// An attempt whose first word is at the far end in cycle `wire`.
LinkAttempt GoldenNode::MakeAttempt(const RetrySender::Held& held, Cycle wire, int lanes) {
  golden::Payload payload;
  if (held.record.red >= 0) {
    payload = context_->reds.Copy(held.contents);
  } else {
    payload = context_->records.Allocate();
    context_->records[payload] = held.record;
  }
  Expect(wire + golden::WordOffset(held.words - 1, lanes));
  return {wire, payload, held.seq, held.header};
}

void GoldenNode::StartAttempt(int port, const RetrySender::Held& held, Cycle start) {
  const FarEnd& to = far(port);
  const LinkAttempt attempt =
      MakeAttempt(held, start + golden::kRetryStages + to.delay, switch_.registers().port(port).serdes_lanes());
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
