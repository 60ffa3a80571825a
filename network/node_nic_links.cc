// SPDX-License-Identifier: Apache-2.0
// Links between a golden switch and its NICs that send damaged words again (docs/network.md, Links with faults). Both ends
// of such a link are here, and run in step with the switch.
#include "golden/common/stage_times.h"
#include "network/node.h"

namespace tilefly::network {

/// The words that are at the NICs in cycle `now`: what a NIC decides in a cycle may depend on a word of this cycle.
void GoldenNode::HearAtNics(Cycle now, Cycle end) {
  golden::ForEachBit(repeats_->nics(), [&](int port) {
    RetryReceiver& receiver = NicEnd(port).receiver();
    if (receiver.due() > now) return;
    receiver.Run(
        now + 1, &context_->statistics.retry,
        [&](const LinkAttempt& attempt, bool broken) { ComeToNic(port, attempt, broken, end); },
        [&](const LinkAttempt& attempt) { ReleaseAny(attempt.payload); },
        [&](Cycle wire, const golden::RetryReport& report) {
          (*repeats_)[port].sender.Hear({wire + far(port).delay, report});
        });
  });
}

/// The first word of an attempt goes to the NIC, which will have it all, or some words of it.
void GoldenNode::ComeToNic(int port, const LinkAttempt& attempt, bool broken, Cycle end) {
  PacketRecord& record = context_->records[attempt.payload];
  if (broken) {
    record.operation = PacketRecord::kBrokenOff;
    ++context_->statistics.retry.broken_copies;
  }
  const FarEnd& to = far(port);
  golden::Departure departure{};
  departure.take = attempt.wire - to.delay - golden::kTakeToWire;
  departure.header = attempt.header;
  departure.payload = attempt.payload;
  departure.length = static_cast<std::uint16_t>(attempt.header.length());
  departure.format.words = static_cast<std::int16_t>(WordsOf(departure.length));
  departure.port = static_cast<std::uint8_t>(port);
  departure.serdes_lanes = static_cast<std::uint8_t>(switch_.registers().port(port).serdes_lanes());
  NicEnd(port).Comes(attempt.header.vl(), golden::CellsOf(departure.length));
  if (context_->probe != nullptr) context_->probe->ComesToNic(index_, port, LastWordOf(departure, to), attempt.header);
  attempt.header.is_red() ? DeliverReduction(departure, attempt.payload, to, end) : Deliver(departure, to, end);
}

/// The retry block keeps the contents of a reduction packet; each attempt has a copy of them.
void GoldenNode::StartToRepeat(int port, const Nic::Start& start, golden::Payload payload, Cycle now) {
  const PacketRecord record = context_->records[payload];
  NicEnd(port).Start({now, now, start.words, start.header, record, payload});
  if (record.red < 0) context_->records.Release(payload);
}

/// The NICs' ends make cycle `now`, behind the NICs' decisions; then what is at the ports in it.
void GoldenNode::StepNicLinks(Cycle now, Cycle end) {
  golden::ForEachBit(repeats_->nics(), [&](int port) {
    if (NicEnd(port).due() <= now) StepNicEnd(port, now, end);
    if ((*repeats_)[port].receiver.due() <= now) HearPort(port, now + 1);
  });
}

void GoldenNode::StepNicEnd(int port, Cycle now, Cycle end) {
  NicRepeats& nic = NicEnd(port);
  const Cycle delay = far(port).delay;
  const NicLinkStep step = nic.Step(now, &context_->statistics.retry);
  if (step.starts != nullptr)
    (*repeats_)[port].receiver.Take(MakeAttempt(*step.starts, now + delay, context_->nics->lanes));
  nic.sender().ReleaseContents([&](golden::Payload payload) { context_->reds.Release(payload); });
  if (step.credit) {
    LinkCredit credit = *step.credit;
    if (context_->probe != nullptr)
      context_->probe->Carries({credit.wire, index_, static_cast<std::uint8_t>(port), true, LinkKind::kCredit, {}, 0, {}, credit});
    credit.wire += delay;
    if (!step.asked) Expect(credit.wire);
    TakeFromNic(port, credit, end);
  }
  if (step.stamp) {
    (*repeats_)[port].stamps.Push({step.stamp->wire + delay, step.stamp->cells, step.stamp->vl});
    TellStamps(port, end);
  }
  if (!step.told) return;
  Nic& own = NicAt(port);
  own.TellLink(now + 1);
  nics_due_ = std::min(nics_due_, own.due());
}

}  // namespace tilefly::network
