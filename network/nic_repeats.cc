// SPDX-License-Identifier: Apache-2.0
#include "network/nic_repeats.h"

namespace tilefly::network {

NicRepeats::NicRepeats(const Profile& profile, const PortRetry& registers, const DirectionPlan& plan,
                       const LinkDowns& downs, Cycle up, Cycle begin, Cycle delay, int lanes,
                       const golden::CreditTable& table, golden::CreditSender* credits)
    : registers_(registers),
      vls_(profile.vls),
      table_(table),
      credits_(*credits),
      downs_(downs),
      now_(up),
      sender_(profile, downs, up, lanes),
      receiver_(plan, downs, up, begin, delay + 1),
      sends_(profile.vls),
      receives_(profile.vls) {
  if (plan.damages_slots()) slots_ = std::make_unique<SlotWire>(plan, begin);
  sends_.LinkDown(&credits_, table_);
}

void NicRepeats::JudgeLanes(const DirectionPlan& plan, Cycle begin, int cable, const PortLanes& registers) {
  dead_ = std::make_unique<DeadLanes>(plan.dead_lanes, begin, cable);
  receiver_.JudgeLanes(cable, registers, dead_.get());
  slots_->Use(dead_.get());
}

/// Lanes have their turns whether they want a stamp or not.
Cycle NicRepeats::NextStamp() const {
  constexpr Cycle kTurn = golden::kStampCycles;
  Cycle turn = (now_ + kTurn - 1) / kTurn;
  for (int i = 0; i < vls_; ++i, ++turn) {
    const int v = static_cast<int>(turn % vls_);
    if (!sends_.known(v) || credits_.used(v) > 0) return turn * kTurn;
  }
  return kNever;
}

Cycle NicRepeats::due() const {
  const bool up = downs_.IsUp(now_);
  if (up != was_up_ || comes_ || (up && (returner_.pending() || receives_.asked()))) return now_;
  Cycle due = std::min({sender_.due(), downs_.NextChange(now_), up ? NextStamp() : kNever});
  if (!returns_.empty()) due = std::min(due, returns_.front().wire);
  if (!stamps_.empty()) due = std::min(due, stamps_.front().wire);
  if (!freed_.empty()) due = std::min(due, freed_.front().at);
  return std::max(due, now_);
}

/// What is on the link in cycle `now`. A stamp does not count the word of its own cycle. Returns whether credits came.
bool NicRepeats::Hear(Cycle now, bool up, RetryCounts* counts) {
  bool credits = false;
  for (; !returns_.empty() && returns_.front().wire <= now; returns_.Pop()) {
    if (!up) continue;
    sends_.Return(&credits_, returns_.front().vl, returns_.front().cells, table_);
    credits = true;
  }
  for (; !stamps_.empty() && stamps_.front().wire <= now; stamps_.Pop()) {
    if (up) counts->healed_cells += receives_.Stamp(&returner_, {stamps_.front().vl, stamps_.front().cells}).healed;
  }
  if (comes_) receives_.Taken(comes_->vl, comes_->cells);
  comes_.reset();
  return credits;
}

NicLinkStep NicRepeats::Step(Cycle now, RetryCounts* counts) {
  NicLinkStep step;
  const bool up = downs_.IsUp(now);
  step.told = Hear(now, up, counts) || up != was_up_;
  bool again = false;
  if (sender_.due() <= now) step.starts = sender_.Step(now, registers_, &again, counts);
  if (step.starts != nullptr) {
    const golden::HeaderBits& header = step.starts->header;
    sends_.Started(&credits_, header.vl(), golden::CellsOf(header.length()), again, table_);
  }
  for (; !freed_.empty() && freed_.front().at <= now; freed_.Pop()) returner_.Free(freed_.front().vl, freed_.front().cells);
  if (!up) {
    sends_.LinkDown(&credits_, table_);
    receives_.LinkDown(&returner_);
  } else if (!was_up_) {
    receives_.LinkRises(&returner_);
  }
  was_up_ = up;
  now_ = now + 1;
  if (up) DecideSlot(now, &step);
  const Cycle free_from = std::max(this->free_from(), now_);
  step.told = step.told || free_from != std::max(free_from_, now_);
  free_from_ = free_from;
  return step;
}

/// The slot of the next cycle, from the state as the events of this one left it. The halves have no stages: all that has
/// started is on the link.
void NicRepeats::DecideSlot(Cycle now, NicLinkStep* step) {
  step->asked = !returner_.pending();
  if (const auto message = receives_.Decide(&returner_)) step->credit = LinkCredit{now_, message->cells, message->vl};
  if (const auto stamp = sends_.Stamp(now, true, credits_)) step->stamp = LinkCredit{now_, stamp->cells, stamp->vl};
}

}  // namespace tilefly::network
