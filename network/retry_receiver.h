// SPDX-License-Identifier: Apache-2.0
// The receiving half of the retry block of a switch's port or of a NIC, behind a link whose words may be damaged: draws
// what is damaged, and says what becomes of each attempt (docs/blocks/retry.md; docs/blocks/link_retry.md, Receiver).
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "faults/direction_faults.h"
#include "golden/common/stage_times.h"
#include "golden/retry/retry_in.h"
#include "network/messages.h"
#include "network/planned_faults.h"
#include "network/retry_counts.h"
#include "network/ring.h"

namespace tilefly::network {

/// A word that was damaged.
struct DrawnError {
  Cycle cycle;  ///< of traffic, at the receiving end
  bool dropped;
};

class RetryReceiver {
 public:
  static constexpr std::size_t kMostDrawn = 10'000;  ///< errors that are kept

  /// The link works from cycle `up` on, and traffic begins in cycle `begin`. `lanes`: SerDes lanes of the link.
  RetryReceiver(const DirectionPlan& plan, Cycle up, Cycle begin, int lanes);

  /// An attempt comes; attempts come in the order of their cycles.
  void Take(const LinkAttempt& attempt) { attempts_.Push(attempt); }
  /// The next cycle in which something is to be done; kNever: none, until an attempt comes.
  Cycle due() const {
    if (!in_.quiet()) return now_;
    return attempts_.empty() ? kNever : std::max(now_, attempts_.front().wire + NextOffset());
  }

  /// The first errors, up to kMostDrawn.
  const std::vector<DrawnError>& drawn() const { return drawn_; }

  /// Makes all cycles before `end`. Calls `begins(attempt, broken)` when the first word of an attempt goes to the MAC,
  /// in the cycle of that word; `broken`: a word of the attempt will be missing. Calls `unseen(attempt)` when an attempt's first
  /// word does not go there: nothing of the attempt will. Calls `report(cycle, report)` with the cycle in which
  /// a report is on `link_o`.
  template <typename Begins, typename Unseen, typename Report>
  void Run(Cycle end, RetryCounts* counts, Begins&& begins, Unseen&& unseen, Report&& report) {
    while (now_ < end) {
      if (in_.quiet()) {
        const Cycle next = attempts_.empty() ? end : std::clamp(attempts_.front().wire + NextOffset(), now_, end);
        in_.Skip(next - now_);
        now_ = next;
        if (now_ >= end) return;
      }
      const golden::RetryIn::Inputs in = Receive(counts);
      const golden::RetryIn::Outputs out = in_.Step(in);
      if (at_first_) {
        opened_ = out.word.valid;
        if (opened_) {
          begins(attempts_.front(), broken_);
        } else {
          unseen(attempts_.front());
        }
      }
      if (in_.decided().valid) {
        counts->nacks += in_.decided().nack;
        report(now_ + 2, in_.decided());
      }
      if (next_word_ == words_ && words_ > 0) EndAttempt(out.accepted, counts);
      ++now_;
    }
  }

 private:
  Cycle NextOffset() const { return golden::WordOffset(next_word_, lanes_); }
  golden::RetryIn::Inputs Receive(RetryCounts* counts);
  void Draw(const LinkAttempt& attempt, RetryCounts* counts);
  void EndAttempt(bool accepted, RetryCounts* counts);

  golden::RetryIn in_{golden::RetryIn::Parameters()};
  faults::ItemFaults<faults::WireWord> faults_;
  std::vector<faults::PlannedEvent> events_;
  std::size_t next_event_ = 0;
  Cycle begin_;
  int lanes_;
  Cycle now_;  ///< the next cycle to make
  Ring<LinkAttempt> attempts_;
  std::vector<faults::WireWord> wire_;  ///< words of the first attempt, as they come
  int words_ = 0;                       ///< of the attempt whose words come; 0: none
  int next_word_ = 0;
  std::vector<DrawnError> drawn_;
  bool at_first_ = false;  ///< the first word of an attempt is due in this cycle
  bool opened_ = false;    ///< its first word has gone to the MAC
  bool broken_ = false;    ///< a later word of it is damaged
};

}  // namespace tilefly::network
