// SPDX-License-Identifier: Apache-2.0
// The NIC's end of a link that damages words and sends them again (docs/blocks/link_retry.md, NIC): both halves of the
// retry block without their stages, and credits that heal.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "golden/credit/receiver_healing.h"
#include "golden/credit/sender_healing.h"
#include "network/retry_receiver.h"
#include "network/retry_sender.h"
#include "network/slot_wire.h"

namespace tilefly::network {

/// What the end of a NIC does in a cycle, beside the reports of its receiving half.
struct NicLinkStep {
  const RetrySender::Held* starts = nullptr;  ///< the packet whose attempt's first word is on the link in this cycle
  std::optional<LinkCredit> credit;  ///< return in the slot of the next cycle; `wire`: at the NIC
  std::optional<LinkCredit> stamp;   ///< stamp in that slot
  bool asked = false;                ///< a stamp alone asked for the return
  bool told = false;  ///< whether the NIC may start packets has changed: credits came, or the link became free or busy
};

class NicRepeats {
 public:
  /// The link is up for the first time in cycle `up`, and `downs` says when it is down. Traffic begins in cycle `begin`. The
  /// link has a delay of `delay` cycles. `lanes`: SerDes lanes of the link; `registers`: of
  /// the switch's port. `plan`: what goes wrong on the way to the NIC. `table`: limits of `credits`, the NIC's account,
  /// which must outlive this.
  NicRepeats(const Profile& profile, const PortRetry& registers, const DirectionPlan& plan, const LinkDowns& downs, Cycle up,
             Cycle begin, Cycle delay, int lanes, const golden::CreditTable& table, golden::CreditSender* credits);
  /// SerDes lanes on the way to the NIC die, of `plan` as above. The NIC judges them by `registers`, of the switch's
  /// port.
  void JudgeLanes(const DirectionPlan& plan, Cycle begin, int cable, const PortLanes& registers);

  // For the NIC's decisions of a cycle, before its Step.

  /// Whether the switch has said of all lanes what it holds.
  bool all_known() const { return sends_.all_known(); }
  /// The first cycle in which a packet may start: its first word is on the link in the cycle of its start. kNever: none is
  /// known; a cycle that is over stands for the next.
  Cycle free_from() const { return sender_.free_from(); }
  /// A packet starts in the cycle of the next Step. The NIC has charged its cells.
  void Start(const RetrySender::Taken& packet) { sender_.Take(packet); }

  // What comes in the slots of the link; each counts from the cycle behind its wire cycle on.

  void TakeReturn(const LinkCredit& credit) { slots_ ? slots_->TakeCredit(credit) : returns_.Push(credit); }
  void TakeStamp(const LinkCredit& stamp) { slots_ ? slots_->TakeStamp(stamp) : stamps_.Push(stamp); }
  void TakeUse(const LinkUse& use) { dead_->Use(use.wire, use.used); }
  void TakeReport(const LinkReport& report) { slots_ ? slots_->TakeReport(report) : sender_.Hear(report); }
  bool IsUp(Cycle cycle) const { return downs_.IsUp(cycle); }
  /// Whether the NIC asks for its link to go down: its replays bring no packet, or too many cells are out.
  bool fails() const { return sender_.has_given_up() || sends_.over(credits_); }
  /// Null when no slot is damaged: then acks do not come here.
  SlotWire* slots() { return slots_.get(); }
  const SlotWire* slots() const { return slots_.get(); }
  /// Takes from `slots` what comes before cycle `end`. Calls `ack(ack)` for each ack, `pause(pause)` for each pause.
  template <typename TakeAck, typename TakePause>
  void HearSlots(Cycle end, RetryCounts* counts, TakeAck&& ack, TakePause&& pause) {
    slots_->Run(end, counts, [&](Cycle wire, const Ctrl& slot) {
      if (slot.credit_valid) returns_.Push({wire, slot.credit_cells, slot.credit_vl});
      if (slot.wired_valid) stamps_.Push({wire, slot.wired_cells, slot.wired_vl});
      if (const LinkReport said = SaidIn(wire, slot); said.report.valid || said.mask.valid) sender_.Hear(said);
      if (slot.ack_valid) ack(LinkAck{wire, golden::AckOf(slot)});
      if (const auto said = golden::PauseOf(slot)) pause(LinkPause{wire, *said});
    });
  }

  // For the link.

  /// The first word of an attempt passes the gate in the cycle of the next Step.
  void Comes(int vl, int cells) { comes_ = Cells{0, vl, cells}; }
  /// The cells of this attempt go free in cycle `last`, that of its last word.
  void Free(Cycle last, int vl, int cells) { freed_.Push({last, vl, cells}); }

  RetrySender& sender() { return sender_; }
  const RetrySender& sender() const { return sender_; }
  RetryReceiver& receiver() { return receiver_; }
  const RetryReceiver& receiver() const { return receiver_; }

  /// The next cycle in which Step must be called; kNever: none, until something comes or starts.
  Cycle due() const;
  /// Makes the events of cycle `now`, and the decisions on the slot of the next cycle.
  NicLinkStep Step(Cycle now, RetryCounts* counts);

  /// State between two calls of Step. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(now_, was_up_, sender_, receiver_, sends_, returner_, receives_, returns_, stamps_, comes_, freed_,
            free_from_);
    if (slots_) archive(*slots_);
    if (dead_) archive(*dead_);
  }

 private:
  struct Cells {
    Cycle at;
    int vl;
    int cells;
  };

  bool Hear(Cycle now, bool up, RetryCounts* counts);
  void DecideSlot(Cycle now, NicLinkStep* step);
  Cycle NextStamp() const;

  PortRetry registers_;
  int vls_;
  golden::CreditTable table_;
  golden::CreditSender& credits_;
  const LinkDowns& downs_;
  Cycle now_;            ///< the next cycle to make
  bool was_up_ = false;  ///< the link, in the cycle before
  RetrySender sender_;
  RetryReceiver receiver_;
  golden::SenderHealing sends_;
  golden::CreditReturner returner_;
  golden::ReceiverHealing receives_;
  std::unique_ptr<SlotWire> slots_;
  std::unique_ptr<DeadLanes> dead_;  ///< on the way to the NIC; null: no SerDes lane dies
  Ring<LinkCredit> returns_, stamps_;
  std::optional<Cells> comes_;
  Ring<Cells> freed_;
  Cycle free_from_ = kNever;  ///< as the last Step left it
};

}  // namespace tilefly::network
