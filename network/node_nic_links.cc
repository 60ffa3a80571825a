// SPDX-License-Identifier: Apache-2.0
// Links between a switch and its NICs that send damaged words again (docs/network.md, Links with faults). Both ends
// of such a link are here, and run in step with the switch.
#include "golden/common/stage_times.h"
#include "network/repeating_node.h"

namespace tilefly::network {

/// What passes the gate of a NIC.
class RepeatingNode::AtNic final : public GateListener {
 public:
  AtNic(RepeatingNode* node, int port, Cycle end) : node_(*node), port_(port), end_(end) {}
  void Begins(const LinkAttempt& attempt, bool broken) override {
    node_.JudgeJourney(Into(), attempt, broken);
    node_.ComeToNic(port_, attempt, broken, end_);
  }
  void Unseen(const LinkAttempt& attempt) override { node_.ReleaseAny(attempt.payload); }
  golden::Payload Copy(golden::Payload payload) override { return node_.CopyOf(payload); }
  void Ends(Cycle cycle, int expected) override {
    node_.EndJourneys(Into());
    node_.TellExpected(port_, false, expected, cycle);
  }
  void Says(const LinkReport& said) override {
    RepeatingPorts::Port& repeats = (*node_.repeats_)[port_];
    const LinkReport message{said.wire + node_.far(port_).delay, said.report, said.mask};
    repeats.slots != nullptr ? repeats.slots->TakeReport(message) : repeats.sender.Hear(message);
  }

 private:
  LinkDirection Into() const { return {node_.index_, static_cast<std::uint8_t>(port_), true}; }

  RepeatingNode& node_;
  const int port_;
  const Cycle end_;
};

/// The words that are at the NICs in cycle `now`: what a NIC decides in a cycle may depend on a word of this cycle.
void RepeatingNode::HearAtNics(Cycle now, Cycle end) {
  golden::ForEachBit(repeats_->nics(), [&](int port) {
    RetryReceiver& receiver = NicEnd(port).receiver();
    if (receiver.due() > now) return;
    AtNic listener(this, port, end);
    receiver.Run(now + 1, &context_->statistics.retry, &listener);
  });
}

/// The first word of an attempt goes to the NIC, which will have it all, or some words of it.
void RepeatingNode::ComeToNic(int port, const LinkAttempt& attempt, bool broken, Cycle end) {
  EndOfAttempt(attempt, broken);
  const FarEnd& to = far(port);
  golden::Departure departure{};
  departure.take = attempt.wire - to.delay - golden::kTakeToWire;
  departure.header = attempt.header;
  departure.payload = attempt.payload;
  departure.length = static_cast<std::uint16_t>(attempt.header.length());
  departure.format.words = static_cast<std::int16_t>(WordsOf(departure.length));
  departure.port = static_cast<std::uint8_t>(port);
  departure.serdes_lanes = attempt.lanes;
  NicEnd(port).Comes(attempt.header.vl(), golden::CellsOf(departure.length));
  if (context_->probe != nullptr) context_->probe->ComesToNic(index_, port, LastWordOf(departure, to), attempt.header);
  attempt.header.is_red() ? DeliverReduction(departure, attempt.payload, to, end) : Deliver(departure, to, end);
}

/// The retry block keeps the contents of a reduction packet; each attempt has a copy of them.
void RepeatingNode::StartToRepeat(int port, const Nic::Start& start, golden::Payload payload, Cycle now) {
  const PacketRecord record = context_->records[payload];
  NicEnd(port).Start({now, now, start.words, start.header, record, payload});
  HoldJourney(port, true, payload);
  if (record.red < 0) context_->records.Release(payload);
}

/// The NICs' ends make cycle `now`, behind the NICs' decisions; then what is at the ports in it.
void RepeatingNode::StepNicLinks(Cycle now, Cycle end) {
  golden::ForEachBit(repeats_->nics(), [&](int port) {
    SlotWire* const to_nic = NicEnd(port).slots();
    if (to_nic != nullptr && to_nic->due() <= now) HearNicSlots(port, now + 1);
    if ((repeats_->slots() & golden::Bit(port)) != 0 && (*repeats_)[port].slots->due() <= now) {
      HearSlots(port, now + 1, end);
      TellStamps(port, end);
    }
    if (NicEnd(port).due() <= now) StepNicEnd(port, now, end);
    if ((*repeats_)[port].receiver.due() <= now) HearPort(port, now + 1);
  });
}

/// What comes to the NIC before cycle `end` in control slots that may be damaged.
void RepeatingNode::HearNicSlots(int port, Cycle end) {
  Nic& nic = NicAt(port);
  NicEnd(port).HearSlots(
      end, &context_->statistics.retry, [&](const LinkAck& ack) { nic.HearAck(ack); },
      [&](const LinkPause& pause) { nic.HearPause(pause); });
  nics_due_ = std::min(nics_due_, nic.due());
}

void RepeatingNode::StepNicEnd(int port, Cycle now, Cycle end) {
  NicRepeats& nic = NicEnd(port);
  SlotWire* const slots = (*repeats_)[port].slots.get();
  const Cycle delay = far(port).delay;
  const NicLinkStep step = nic.Step(now, &context_->statistics.retry);
  if (step.starts != nullptr) TakeAttempt(port, MakeAttempt(port, true, *step.starts, now + delay));
  KeepJourneys(port, true, now);
  TellLanes(port, true, now + 1);
  nic.sender().ReleaseContents([&](golden::Payload payload) { context_->reds.Release(payload); });
  KeepDropped(port, true, now);
  if (nic.fails()) GiveUp(port, true, now + 1);
  if (step.credit) {
    LinkCredit credit = *step.credit;
    if (context_->probe != nullptr)
      context_->probe->Carries({credit.wire, index_, static_cast<std::uint8_t>(port), true, LinkKind::kCredit, {}, 0, {}, credit});
    credit.wire += delay;
    if (!step.asked) Expect(credit.wire);
    slots != nullptr ? slots->TakeCredit(credit) : TakeFromNic(port, credit, end);
  }
  if (step.stamp) {
    const LinkCredit stamp{step.stamp->wire + delay, step.stamp->cells, step.stamp->vl};
    slots != nullptr ? slots->TakeStamp(stamp) : (*repeats_)[port].stamps.Push(stamp);
    TellStamps(port, end);
  }
  Nic& own = NicAt(port);
  own.TellRepeats(now + 1, nic.sender().repeats());
  if (!step.told) return;
  own.TellLink(now + 1);
  nics_due_ = std::min(nics_due_, own.due());
}

}  // namespace tilefly::network
