// SPDX-License-Identifier: Apache-2.0
#include "network/slot_wire.h"

#include <stdexcept>

namespace tilefly::network {

SlotWire::SlotWire(const DirectionPlan& plan, Cycle begin)
    : faults_(plan.seed, plan.direction), events_(plan.slot_events), begin_(begin) {
  faults_.Set(faults::ChanceOfBad(plan.rates.slot_ber, faults::kBitsOfSlot), plan.rates.burst, plan.rates.slot);
}

Cycle SlotWire::Front() const {
  Cycle front = kNever;
  if (!credits_.empty()) front = std::min(front, credits_.front().wire);
  if (!stamps_.empty()) front = std::min(front, stamps_.front().wire);
  if (!acks_.empty()) front = std::min(front, acks_.front().wire);
  if (!reports_.empty()) front = std::min(front, reports_.front().wire);
  if (!pauses_.empty()) front = std::min(front, pauses_.front().wire);
  return front;
}

/// The next cycle in which an event of the plan begins or ends.
Cycle SlotWire::NextEvent() const {
  const Cycle begins = next_event_ < events_.size() ? begin_ + events_[next_event_].at : kNever;
  return std::max(now_, std::min(begins, unstick_));
}

/// The slots before `cycle` are idle, and that of the cycle before now_ was.
void SlotWire::SkipTo(Cycle cycle) {
  if (cycle <= now_) return;
  faults_.SkipIdle(std::max<Cycle>(0, cycle - std::max(now_, begin_)));
  now_ = cycle;
}

void SlotWire::BeginEvents() {
  if (now_ >= unstick_) {
    stuck_ = false;
    unstick_ = kNever;
  }
  for (; next_event_ < events_.size() && begin_ + events_[next_event_].at <= now_; ++next_event_) {
    const faults::PlannedEvent& event = events_[next_event_];
    if (event.kind != faults::EventKind::kStuck) {
      faults::BeginOfSlots(event, &faults_);
      continue;
    }
    stuck_ = true;
    stuck_by_ = event.number;
    muted_ = false;
    credits_alone_ = event.credits_alone;
    unstick_ = event.cycles ? now_ + *event.cycles : kNever;
  }
}

/// The slot of this cycle as it was sent.
Ctrl SlotWire::PutTogether() {
  if (Front() < now_) throw std::logic_error("network: a message for a control slot that has come");
  Ctrl slot;
  if (!credits_.empty() && credits_.front().wire == now_) {
    slot.credit_valid = true;
    slot.credit_vl = credits_.front().vl;
    slot.credit_cells = credits_.front().cells;
    credits_.Pop();
  }
  if (!stamps_.empty() && stamps_.front().wire == now_) {
    slot.wired_valid = true;
    slot.wired_vl = stamps_.front().vl;
    slot.wired_cells = stamps_.front().cells;
    stamps_.Pop();
  }
  if (!acks_.empty() && acks_.front().wire == now_) {
    golden::PutAck(acks_.front().ack, &slot);
    acks_.Pop();
  }
  if (!reports_.empty() && reports_.front().wire == now_) {
    const LinkReport& said = reports_.front();
    slot.retry_valid = said.report.valid;
    slot.retry_nack = said.report.nack;
    slot.retry_seq = said.report.seq;
    slot.lanes_valid = said.mask.valid;
    slot.lanes_bad = said.mask.bad;
    reports_.Pop();
  }
  if (!pauses_.empty() && pauses_.front().wire == now_) {
    golden::PutPause(pauses_.front().pause, &slot);
    pauses_.Pop();
  }
  return slot;
}

/// The slot of this cycle as it comes.
Ctrl SlotWire::Next(RetryCounts* counts) {
  Ctrl slot = PutTogether();
  sent_ = slot;
  sent_at_ = now_;
  echo_ = slot != Ctrl{};
  if (now_ < begin_) return slot;
  BeginEvents();
  if (stuck_) Mute(&slot);
  const faults::FaultCounts before = faults_.counts();
  Ctrl came = faults_.Pass({slot}).ctrl;
  Count(slot, came, before, counts);
  echo_ = came != Ctrl{} && !came.err;  // what dead lanes spoil, the wire repeats as it was
  if (wire_ == nullptr || came.err || wire_->Hit(now_) == 0) return came;
  if (came != Ctrl{}) {
    ++counts->bad_slots;
    ++counts->slots_of_lanes;
  }
  came.err = true;
  return came;
}

/// What a stuck receiver does not say.
void SlotWire::Mute(Ctrl* slot) {
  const Ctrl sent = *slot;
  faults::Mute(credits_alone_, slot);
  if (muted_ || *slot == sent) return;
  muted_ = true;
  Keep({now_ - begin_, Damage::kMutedSlot, stuck_by_}, &drawn_);
}

/// An idle slot that is bad says nothing, as an idle one, and is not counted.
void SlotWire::Count(const Ctrl& sent, const Ctrl& came, const faults::FaultCounts& before, RetryCounts* counts) {
  using faults::EventKind;
  const auto note = [&](bool happened, Damage what, EventKind kind, std::int64_t* count) {
    if (!happened) return;
    ++*count;
    const faults::PlannedEvent* const event = faults::EventOf(events_, kind, faults_.planned());
    counts->planned += event != nullptr;
    Keep({now_ - begin_, what, NumberOf(event)}, &drawn_);
  };
  const faults::FaultCounts& after = faults_.counts();
  note(sent != Ctrl{} && after.bad != before.bad, Damage::kBadSlot, EventKind::kBadSlot, &counts->bad_slots);
  note(after.dropped != before.dropped, Damage::kDroppedSlot, EventKind::kDropSlot, &counts->dropped_slots);
  note(after.repeated != before.repeated && !came.err, Damage::kRepeatedSlot, EventKind::kRepeatSlot, &counts->repeated_slots);
}

}  // namespace tilefly::network
