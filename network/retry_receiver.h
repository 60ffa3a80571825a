// SPDX-License-Identifier: Apache-2.0
// The receiving half of the retry block of a switch's port or of a NIC, behind a link whose words may be damaged: draws
// what is damaged, and says what becomes of each attempt (docs/blocks/retry.md; docs/blocks/link_retry.md, Receiver).
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "faults/direction_faults.h"
#include "golden/common/stage_times.h"
#include "golden/retry/retry_in.h"
#include "network/drawn_error.h"
#include "network/lane_ends.h"
#include "network/link_downs.h"
#include "network/messages.h"
#include "network/planned_faults.h"
#include "network/retry_counts.h"
#include "network/ring.h"
#include "network/traffic.h"

namespace tilefly::network {

/// Is told what passes the gate of a receiving half.
class GateListener {
 public:
  /// The first word of an attempt goes to the MAC, in the cycle of that word. `broken`: a word of it will be missing.
  virtual void Begins(const LinkAttempt& attempt, bool broken) = 0;
  /// Nothing of an attempt goes to the MAC: its record is released.
  virtual void Unseen(const LinkAttempt& attempt) = 0;
  /// Another record of the same packet.
  virtual golden::Payload Copy(golden::Payload payload) = 0;
  /// The link goes down in cycle `cycle`; `expected` is the number of the first packet that was not accepted.
  virtual void Ends(Cycle cycle, int expected) = 0;
  /// A report, a mask of SerDes lanes or both are in the control slot of cycle `said.wire`, at this end.
  virtual void Says(const LinkReport& said) = 0;

 protected:
  ~GateListener() = default;
};

class RetryReceiver {
 public:
  /// The link works for the first time in cycle `up`, and traffic begins in cycle `begin`: before it nothing goes wrong.
  /// `downs`, when the link is down, must outlive this. A word that is here in cycle c is on the wire if its sender's link was
  /// up in cycle c - `way`.
  RetryReceiver(const DirectionPlan& plan, const LinkDowns& downs, Cycle up, Cycle begin, Cycle way);

  /// SerDes lanes of the direction die, and this end judges them by `registers`: `cable` lanes. `wire` must outlive
  /// this.
  void JudgeLanes(int cable, const PortLanes& registers, DeadLanes* wire) {
    wire_ = wire;
    judge_.emplace(cable, registers, *wire);
  }
  /// An attempt comes; attempts come in the order of their cycles.
  void Take(const LinkAttempt& attempt) {
    attempts_.Push(attempt);
    if (wire_ != nullptr) wire_->Carry(attempt.wire, attempt.wire + SpanOf(attempt), attempt.used);
  }
  /// The next cycle in which something is to be done; kNever: none, until an attempt comes.
  Cycle due() const {
    if (!in_.quiet() || !ahead_.empty()) return now_;
    return NextChange();
  }
  /// The errors that were kept.
  const std::vector<DrawnError>& drawn() const { return drawn_; }
  /// For GateListener::Begins: how many words of the attempt pass the gate, from its first on.
  int whole_words() const { return whole_; }

  /// Makes all cycles before `end`.
  void Run(Cycle end, RetryCounts* counts, GateListener* listener);

  /// Calls `visit(payload)` for the packets that are on their way to the gate.
  template <typename Visit>
  void ForEachPayload(Visit&& visit) {
    bool passed = coming_;  // the first one has gone to the MAC, or to nobody
    attempts_.ForEach([&](LinkAttempt& attempt) {
      if (!std::exchange(passed, false)) visit(attempt.payload);
    });
    if (spare_) visit(spare_->payload);
  }
  /// State between two calls of Run. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(in_, faults_, next_event_, now_, attempts_, ahead_, was_up_, coming_, opened_, broken_, whole_, echo_,
            mac_free_, spare_, drawn_);
    if (judge_) archive(*judge_);
  }

 private:
  static Cycle SpanOf(const LinkAttempt& attempt) {
    return golden::WordOffset(WordsOf(attempt.header.length()) - 1, attempt.lanes);
  }
  Cycle NextChange() const;
  void SkipTo(Cycle cycle);
  void BeginEvents(Cycle cycle);
  faults::WireWord NextWord(RetryCounts* counts);
  void Say(const golden::RetryReport& report, bool up, RetryCounts* counts, GateListener* listener);
  void Draw(const LinkAttempt& attempt, RetryCounts* counts);
  faults::WireWord Pass(Cycle cycle, const faults::WireWord& word, RetryCounts* counts);
  void SeePassed(const faults::WireWord& came, GateListener* listener);
  void KeepSpare(const LinkAttempt& attempt, GateListener* listener);
  void EndAttempt(bool accepted, RetryCounts* counts);

  golden::RetryIn in_{golden::RetryIn::Parameters()};
  faults::ItemFaults<faults::WireWord> faults_;
  std::vector<faults::PlannedEvent> events_;
  std::size_t next_event_ = 0;
  const LinkDowns* downs_;
  Cycle begin_;
  Cycle way_;
  Cycle now_;  ///< the next cycle to make
  Ring<LinkAttempt> attempts_;
  std::deque<faults::WireWord> ahead_;  ///< what comes from now_ on, up to the end of the attempt that is coming
  bool was_up_ = false;                 ///< the link, in the cycle before
  bool coming_ = false;                 ///< the first attempt has begun to come
  bool opened_ = false;                 ///< its first word has gone to the MAC
  bool broken_ = false;                 ///< a later word of it is damaged
  int whole_ = 0;                       ///< its words before the first that is damaged
  bool echo_ = false;                   ///< the word of the cycle before was none that is idle
  Cycle mac_free_ = 0;                  ///< the first cycle in which the MAC may take another packet
  std::optional<LinkAttempt> spare_;    ///< an attempt whose first word the wire may go on to repeat
  std::vector<DrawnError> drawn_;
  DeadLanes* wire_ = nullptr;       ///< null: no SerDes lane dies
  std::optional<LaneJudge> judge_;  ///< none: likewise
};

}  // namespace tilefly::network
