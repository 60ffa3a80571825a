// SPDX-License-Identifier: Apache-2.0
// A link of two retry ports whose credits heal, both ends golden (docs/blocks/link_retry.md, "Credits"): grants, output
// buffer, MAC, retry, a wire that drops, spoils and repeats words and slots, gate, buffer, returns and stamps. The books
// of the checker are kept in every cycle.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "testbenches/credit/healing_receiver.h"
#include "testbenches/credit/healing_sender.h"

namespace tilefly::bench {

struct HealingSetup {
  const Profile& profile;
  golden::CreditTable table;
  bool retry = true;
  int delay = 7;
  RetryFaults words;
  RetryFaults there, back;  ///< of slots, from the sender and to it
  HealingTraffic traffic;
};

/// The reserves and caps of the profile, and the shared part that keeps room for `copies` copies that were broken off.
inline golden::CreditTable HealingTable(const Profile& profile, int copies) {
  golden::CreditTable table(profile);
  table.shared = profile.cells - profile.vls * profile.credit_reserve_cells - copies * profile.mtu_cells;
  return table;
}

class HealingLink {
 public:
  struct Counts {
    std::int64_t attempts = 0, again = 0, lost = 0, healed = 0, heals = 0, old = 0, full = 0, bad = 0, stamps = 0;
    Cycle longest = 0;  ///< most cycles from a lost attempt's start to the event of the return that gives it back
  };

  HealingLink(const HealingSetup& setup, const Stimulus& random)
      : sender(setup.profile, setup.table, setup.retry, setup.traffic, random),
        receiver(setup.profile, setup.retry, random),
        words(setup.delay, setup.words, random, 0),
        there(setup.delay, setup.there, random, 1),
        back(setup.delay, setup.back, random, 2),
        retry_(setup.retry),
        delay_(setup.delay) {
    sender.SetTimer(2 * setup.delay + 2 * 133 + 30);
  }

  /// One cycle. Both ends are down until the test says otherwise.
  void Step() {
    const HealingSlot heard = back.Step(slot_back_);
    const HealingSlot told = there.Step(slot_there_);
    const HealingSlot of_credit = credits_.Step(heard.err ? HealingSlot() : heard);
    golden::RetryReport report = heard.report;
    report.valid = report.valid && !heard.err;
    to_sender = sender.Step(sender_up, report, of_credit.credit, &books);
    if (to_sender.start.valid) Start();
    if (!sender_up) {
      for (Attempt& attempt : attempts_) attempt.counts = false;
      ForgetLost();
    }
    const WireWord wire = words.Step({to_sender.word, to_sender.tag});
    const HealingSlot stamped = stamps_.Step(told.err ? HealingSlot() : told);
    to_receiver = receiver.Step(receiver_up, wire, stamped.stamp);
    if (of_credit.credit && !to_sender.bad_return) Home(of_credit.decided, of_credit.credit->vl);
    if (retry_) Keep();
    slot_there_ = {};
    slot_there_.stamp = to_sender.stamp;
    slot_back_ = returns_.Step({false, {}, {}, to_receiver.credit, cycle});
    slot_back_.report = to_receiver.report;
    ++cycle;
  }

  bool idle() const { return sender.idle() && receiver.idle() && attempts_.empty(); }
  bool home() const { return sender.credits.AllHome(); }
  /// The cells of a lost attempt are home at the latest so many cycles behind its start.
  Cycle Bound(int lanes) const { return golden::kStampCycles * lanes + 2 * delay_ + lanes + 16; }

  HealingSenderEnd sender;
  HealingReceiverEnd receiver;
  RetryChannel<WireWord> words;
  RetryChannel<HealingSlot> there, back;  ///< slots, from the sender and to it
  bool sender_up = false, receiver_up = false;  ///< `link_up_i` of the next cycle
  SenderMoves to_sender;                        ///< of the last cycle
  ReceiverMoves to_receiver;
  golden::HealingChecker books;
  golden::Audit audit;
  Counts counts;
  Cycle cycle = 0;  ///< of the next `Step`

 private:
  struct Attempt {
    Cycle start = 0;
    Cycle due = 0;  ///< cycle of its event at the receiver
    int vl = 0;
    int cells = 0;
    bool counts = true;  ///< the sender's link has not been down since
  };
  struct Healed {
    Cycle start = 0;
    Cycle at = 0;  ///< of the stamp's event; a return that is decided later tells it
  };

  void Start() {
    // start_o is of the cycle before; the word is on `link_o` two cycles behind the start, and admitted four behind its
    // wire cycle.
    const Cycle start = cycle - 1;
    attempts_.push_back({start, start + 2 + delay_ + 4, to_sender.start.vl, to_sender.start.cells, true});
    ++counts.attempts;
    counts.again += to_sender.again;
  }
  /// The events of the receiver's cycle, for the books. Stamps see what was before the cycle.
  void Keep() {
    const auto& judged = to_receiver.judgement;
    if (to_receiver.stamp && receiver_up) {
      ++counts.stamps;
      counts.old += judged.old;
      counts.healed += judged.healed;
      counts.heals += judged.healed > 0;
      if (!judged.old) HealLost(to_receiver.stamp->vl);
      if (judged.healed > 0) books.Healed(to_receiver.stamp->vl, judged.healed);
    }
    if (!attempts_.empty() && attempts_.front().due == cycle) Arrive();
    for (const auto& freed : to_receiver.freed) {
      if (freed.valid) books.Freed(freed.vl, freed.cells);
    }
    counts.full += to_receiver.full;
    counts.bad += to_sender.bad_return;
    if (!receiver_up) {
      books.ReceiverDown();
      ForgetLost();
    }
    books.Check(sender.credits, sender.healing, receiver.returner, receiver.healing, &audit);
  }
  void Arrive() {
    const Attempt attempt = attempts_.front();
    attempts_.pop_front();
    if (to_receiver.taken.valid) {
      books.Arrived(attempt.vl, attempt.cells, attempt.counts);
      return;
    }
    ++counts.lost;
    books.Lost(attempt.vl, attempt.cells, attempt.counts);
    if (attempt.counts) lost_[static_cast<std::size_t>(attempt.vl)].push_back(attempt.start);
  }
  void HealLost(int v) {
    const auto lane = static_cast<std::size_t>(v);
    for (const Cycle start : lost_[lane]) healed_[lane].push_back({start, cycle});
    lost_[lane].clear();
  }
  void Home(Cycle decided, int v) {
    auto& healed = healed_[static_cast<std::size_t>(v)];
    while (!healed.empty() && healed.front().at < decided) {
      counts.longest = std::max(counts.longest, cycle - healed.front().start);
      healed.pop_front();
    }
  }
  void ForgetLost() {
    for (auto& lost : lost_) lost.clear();
    for (auto& healed : healed_) healed.clear();
  }

  bool retry_;
  int delay_;
  HealingSlot slot_there_, slot_back_;  ///< on `link_o` of the sender and of the receiver in the next cycle
  Later<HealingSlot> credits_{4}, stamps_{4};  ///< from `link_i` to the event
  Later<HealingSlot> returns_{5};              ///< from the decision to `link_o`, less the register
  std::deque<Attempt> attempts_;
  std::array<std::vector<Cycle>, golden::kMaxLanes> lost_;     ///< starts of attempts that never began
  std::array<std::deque<Healed>, golden::kMaxLanes> healed_;   ///< of those that a stamp gave back
};

}  // namespace tilefly::bench
