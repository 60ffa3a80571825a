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

void Node::TakeToRepeat(const golden::Departure&) { AwaitRepeats(0); }

void GoldenNode::AwaitRepeats(golden::PortMask ports) {
  repeating_ = ports;
  repeats_ = std::make_unique<RepeatingPorts>(switch_.profile());
  golden::ForEachBit(ports, [&](int port) { switch_.LinkUp(port, false, 0); });
}

void GoldenNode::BeginRepeats(golden::PortMask ports, const PlannedFaults& faults, Cycle up, Cycle begin) {
  golden::ForEachBit(ports, [&](int port) {
    const int lanes = switch_.registers().port(port).serdes_lanes();
    repeats_->Add(port, RetrySender(switch_.profile(), up, lanes),
                  RetryReceiver(faults.Into(index_, port), up, begin, lanes));
    switch_.LinkUp(port, true, up);
    switch_.Ready(port, false, lanes);
  });
}

void GoldenNode::ReceiveRepeated(const LinkMessage& message) { repeats_->Take(message); }

void GoldenNode::TakeToRepeat(const golden::Departure& departure) {
  (*repeats_)[departure.port].sender.Take(departure, context_->records[departure.payload]);
  context_->records.Release(departure.payload);
}

/// As Run, with the retry blocks: their receiving halves wait for nothing in the switch and run first; their sending halves
/// run in step with it.
void GoldenNode::RunRepeating(Cycle end) {
  TellInboxes(end);
  HearRepeated(end);
  Cycle last = 0;
  for (;;) {
    const Cycle active = std::min(switch_.NextActive(), repeats_->wake());
    const Cycle now = std::min({active, nics_due_, repeats_->senders_due()});
    if (now >= end) break;
    if (now >= sample_due_) TakeSamples(now);
    if (nics_due_ <= now) {
      last = now;
      RunNics(now, end);
    }
    if (std::min(switch_.NextActive(), repeats_->wake()) <= now) {
      last = now;
      switch_.Step(now);
      repeats_->Stepped(now);
      Collect(now, end);
      for (const golden::StampReturn& stamp : switch_.output().stamps) {
        const FarEnd& to = far(stamp.port);
        SendTo(to, LinkKind::kStamp).credit = {stamp.wire + to.delay, stamp.stamp.cells, stamp.stamp.vl};
      }
      if (context_->probe != nullptr) context_->probe->Stepped(index_, now, switch_);
    }
    StepSenders(now);
  }
  context_->last_event = std::max(context_->last_event, last);
}

/// What comes before cycle `end` on links that repeat.
void GoldenNode::HearRepeated(Cycle end) {
  RetryCounts* const counts = &context_->statistics.retry;
  golden::ForEachBit(repeating_, [&](int port) {
    RepeatingPorts::Port& repeats = (*repeats_)[port];
    repeats.receiver.Run(
        end, counts, [&](const LinkAttempt& attempt, bool broken) { BeginAttempt(port, attempt, broken); },
        [&](const LinkAttempt& attempt) { context_->records.Release(attempt.payload); },
        [&](Cycle wire, const golden::RetryReport& report) {
          const FarEnd& to = far(port);
          SendTo(to, LinkKind::kReport).report = {wire + to.delay, report};
        });
    for (; !repeats.stamps.empty() && repeats.stamps.front().wire + golden::kWireToEvent < end; repeats.stamps.Pop()) {
      const LinkCredit& stamp = repeats.stamps.front();
      switch_.Stamp(port, stamp.wire, {stamp.vl, stamp.cells});
    }
  });
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

/// The sending halves, behind the switch's step of the cycle.
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
    if (sender.ready() == repeats.ready) return;
    repeats.ready = sender.ready();
    switch_.Ready(port, repeats.ready, switch_.registers().port(port).serdes_lanes());
    if (repeats.ready) repeats_->Wake(now + 1);
  });
}

void GoldenNode::StartAttempt(int port, const RetrySender::Held& held, Cycle start) {
  const FarEnd& to = far(port);
  const golden::Payload payload = context_->records.Allocate();
  context_->records[payload] = held.record;
  const Cycle wire = start + golden::kRetryStages + to.delay;
  Expect(wire + golden::WordOffset(held.words - 1, switch_.registers().port(port).serdes_lanes()));
  SendTo(to, LinkKind::kAttempt).attempt = {wire, payload, held.seq, held.header};
}

}  // namespace tilefly::network
