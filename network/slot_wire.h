// SPDX-License-Identifier: Apache-2.0
// The control slots of one direction of a link, on which a fault plan loses, spoils or repeats some (docs/blocks/link_retry.md,
// Fault plan). What a slot carries is put together from messages, and goes on as far as the slot comes whole.
#pragma once

#include <algorithm>
#include <vector>

#include "faults/direction_faults.h"
#include "golden/acks/ack_route.h"
#include "network/dead_lanes.h"
#include "network/drawn_error.h"
#include "network/messages.h"
#include "network/planned_faults.h"
#include "network/retry_counts.h"
#include "network/ring.h"

namespace tilefly::network {

/// What the receiving end of the other direction says in a slot that came whole.
inline LinkReport SaidIn(Cycle wire, const Ctrl& slot) {
  return {wire, {slot.retry_valid, slot.retry_nack, slot.retry_seq}, {slot.lanes_valid, slot.lanes_bad}};
}

class SlotWire {
 public:
  /// Traffic begins in cycle `begin`: before it nothing goes wrong.
  SlotWire(const DirectionPlan& plan, Cycle begin);

  // What comes in the slots; each in the order of its cycles. A slot is whole when it is run.

  void TakeCredit(const LinkCredit& credit) { credits_.Push(credit); }
  void TakeStamp(const LinkCredit& stamp) { stamps_.Push(stamp); }
  void TakeAck(const LinkAck& ack) { acks_.Push(ack); }
  void TakeReport(const LinkReport& report) { reports_.Push(report); }
  void TakePause(const LinkPause& pause) { pauses_.Push(pause); }

  /// SerDes lanes of the direction die. `wire` must outlive this.
  void Use(const DeadLanes* wire) { wire_ = wire; }
  /// The next cycle whose slot may carry something; kNever: none, until something is taken.
  Cycle due() const { return echo_ ? now_ : std::max(now_, Front()); }
  /// Makes all cycles before `end`. Calls `pass(cycle, slot)` for each slot that carries something and is not bad.
  template <typename Pass>
  void Run(Cycle end, RetryCounts* counts, Pass&& pass) {
    while (now_ < end) {
      if (!echo_) SkipTo(std::min({end, Front(), NextEvent()}));
      if (now_ >= end) return;
      const Ctrl slot = Next(counts);
      if (slot != Ctrl{} && !slot.err) pass(now_, slot);
      ++now_;
    }
  }
  /// What was sent in the slot of cycle `cycle`, the latest that was made, before anything went wrong with it.
  Ctrl SentIn(Cycle cycle) const { return sent_at_ == cycle ? sent_ : Ctrl(); }
  /// Whether the receiver of the other direction is stuck, as of the latest cycle that was made.
  bool stuck() const { return stuck_; }
  /// The errors that were kept.
  const std::vector<DrawnError>& drawn() const { return drawn_; }
  /// State between two calls of Run. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(faults_, next_event_, unstick_, stuck_, credits_alone_, stuck_by_, muted_, now_, echo_, credits_, stamps_, acks_, reports_,
            pauses_, drawn_);
  }

 private:
  Cycle Front() const;
  Cycle NextEvent() const;
  void SkipTo(Cycle cycle);
  void BeginEvents();
  Ctrl PutTogether();
  void Mute(Ctrl* slot);
  Ctrl Next(RetryCounts* counts);
  void Count(const Ctrl& sent, const Ctrl& came, const faults::FaultCounts& before, RetryCounts* counts);

  faults::ItemFaults<faults::WireSlot> faults_;
  std::vector<faults::PlannedEvent> events_;
  std::size_t next_event_ = 0;
  Cycle begin_;
  Cycle unstick_ = kNever;  ///< when the receiver of the other direction speaks again; kNever: it is not stuck, or for ever
  bool stuck_ = false, credits_alone_ = false;
  std::int32_t stuck_by_ = DrawnError::kNoEvent;  ///< number of the event
  bool muted_ = false;                            ///< the event has muted a slot
  Cycle now_ = 0;      ///< the next cycle to make
  bool echo_ = false;  ///< the slot of the cycle before carried something, which may come again
  Ctrl sent_{};  ///< the latest slot that carried something, as it was sent; for the cycle in which it is made
  Cycle sent_at_ = -1;
  Ring<LinkCredit> credits_, stamps_;
  Ring<LinkAck> acks_;
  Ring<LinkReport> reports_;
  Ring<LinkPause> pauses_;
  const DeadLanes* wire_ = nullptr;  ///< null: no SerDes lane dies
  std::vector<DrawnError> drawn_;
};

}  // namespace tilefly::network
