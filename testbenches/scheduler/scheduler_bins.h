// SPDX-License-Identifier: Apache-2.0
// Functional bins of the comparison of schedulers: what its decisions must have come to, and how often.
#pragma once

#include <array>

#include "golden/scheduler/deficit_table.h"
#include "testbenches/bench/comparison.h"

namespace tilefly::bench {

/// What golden's state says before or after a decision.
struct SchedulerView {
  explicit SchedulerView(const golden::DeficitTable& table) {
    for (std::size_t c = 0; c < deficit.size(); ++c) deficit[c] = table.deficit(static_cast<int>(c));
    for (std::size_t g = 0; g < current.size(); ++g) {
      current[g] = table.current(static_cast<int>(g));
      pointer[g] = table.pointer(static_cast<int>(g));
      hold[g] = table.promised(static_cast<int>(g)) ? table.hold(static_cast<int>(g)) : 0;
    }
  }
  std::array<int, golden::kMaxClasses> deficit;
  std::array<bool, golden::kGroups> current;
  std::array<int, golden::kGroups> pointer;
  std::array<int, golden::kGroups> hold;  ///< decisions for which requests on their way are still waited for
};

class SchedulerBins {
 public:
  /// What the schedulers were told in a decision, and what it came to.
  struct Step {
    unsigned wanted;
    unsigned sendable;
    unsigned eligible;  ///< as far as the classes' maxima go
    bool serve;         ///< the current entry's class was asked for
    bool next;          ///< another entry began
    bool same_class;    ///< of the same class
    golden::Decision decision;
  };

  SchedulerBins(Comparison* run, int class_hold)
      : run_(*run),
        class_hold_(class_hold),
        serves_(run->AddBin("a current entry grants again", 200)),
        rotates_(run->AddBin("the next entry grants in the same cycle", 200)),
        moves_(run->AddBin("the next entry's head does not fit", 50)),
        serve_waits_(run->AddBin("waits for the class being served", 100)),
        next_waits_(run->AddBin("waits at an entry that begins", 50)),
        same_class_(run->AddBin("the next entry is of the same class", 20)),
        wraps_(run->AddBin("the search wraps", 50)),
        group_(run->AddBin("a group above 0 is served", 100)),
        interrupts_(run->AddBin("a lower group's current entry is kept", 100)),
        shaped_(run->AddBin("a maximum holds a class back", 100)),
        frozen_(run->AddBin("a current entry while no decision is made", 100)),
        forgets_(run->AddBin("a deficit is forgotten", 20)),
        swaps_(run->AddBin("the banks change places in a cycle with a grant", 2)),
        regrouped_(run->AddBin("the class of a current entry changes its group", 2)),
        expects_(run->AddBin("waits for requests on their way", 500)),
        others_wait_(run->AddBin("so does another class of the group, which has requests", 200)),
        come_(run->AddBin("they come and the entry goes on", 50)),
        earns_(run->AddBin("the entry goes on and may wait for longer, but not as at its begin", 50)),
        expires_(run->AddBin("they do not come: the last decision of the wait", 5)),
        interrupted_(run->AddBin("a higher group goes before the wait", 50)),
        both_wait_(run->AddBin("two groups wait", 20)),
        frozen_wait_(run->AddBin("a wait while no decision is made", 50)),
        blocked_(run->AddBin("a request that may not be sent ends the wait", 20)),
        turn_kept_(run->AddBin("nobody of a group may send, and its turn goes on afterwards", 50)),
        deficit_kept_(run->AddBin("so does a deficit", 50)),
        kept_beside_(run->AddBin("meanwhile another group is granted", 20)),
        turn_lost_(run->AddBin("the class being served may not send, and another one of its group has its turn", 20)),
        used_up_(run->AddBin("a maximum that is used up ends the wait", 10)),
        rotated_(run->AddBin("a head that does not fit ends the wait", 50)),
        swapped_wait_(run->AddBin("the banks change places during a wait", 2)),
        regrouped_wait_(run->AddBin("the class waited for changes its group", 2)) {}

  /// A decision was made.
  void Decided(const golden::SchedulerTable& table, const SchedulerView& before, const SchedulerView& after, const Step& step) {
    NoteOutcome(table, before, after, step);
    for (std::size_t g = 0; g < golden::kGroups; ++g) {
      NoteWait(table, before, step, g);
      NoteStop(table, before, after, step, g);
    }
    for (std::size_t c = 0; c < golden::kMaxClasses; ++c) {
      run_.Hit(shaped_, ((step.sendable & ~step.eligible) >> c & 1) != 0);
      run_.Hit(forgets_, before.deficit[c] != 0 && after.deficit[c] == 0);
    }
  }
  /// No decision was made.
  void Frozen(const SchedulerView& view) {
    for (std::size_t g = 0; g < golden::kGroups; ++g) {
      run_.Hit(frozen_, view.current[g]);
      run_.Hit(frozen_wait_, Waits(view, g));
    }
  }
  /// The banks change places after the decision of the cycle.
  void Swapped(const SchedulerView& view, const golden::Decision& decision) {
    run_.Hit(swaps_, decision.outcome == golden::Outcome::kGranted);
    for (std::size_t g = 0; g < golden::kGroups; ++g) run_.Hit(swapped_wait_, Waits(view, g));
  }
  /// Class `c` gets into group `group` after the decision of the cycle.
  void Regrouped(const golden::SchedulerTable& table, const SchedulerView& view, int c, int group) {
    const std::size_t g = table.tc(c).group;
    if (table.tc(c).group == group || !view.current[g] || table.bank().entry(view.pointer[g]).tc != c) return;
    run_.Hit(regrouped_);
    run_.Hit(regrouped_wait_, Waits(view, g));
  }

 private:
  /// In the middle of a wait for requests on their way.
  bool Waits(const SchedulerView& view, std::size_t g) const { return view.hold[g] > 0 && view.hold[g] < class_hold_; }

  void NoteOutcome(const golden::SchedulerTable& table, const SchedulerView& before, const SchedulerView& after,
                   const Step& step) {
    const golden::Outcome outcome = step.decision.outcome;
    const bool granted = outcome == golden::Outcome::kGranted;
    const bool waits = outcome == golden::Outcome::kWaits;
    const bool expects = outcome == golden::Outcome::kExpects;
    run_.Hit(serves_, granted && !step.next);
    run_.Hit(rotates_, granted && step.next);
    run_.Hit(moves_, outcome == golden::Outcome::kMoved);
    run_.Hit(serve_waits_, waits && !step.next);
    run_.Hit(next_waits_, waits && step.next);
    if (outcome == golden::Outcome::kNothing) return;
    const std::size_t g = table.tc(step.decision.tc).group;
    run_.Hit(group_, g > 0);
    run_.Hit(same_class_, step.next && step.serve && step.same_class);
    run_.Hit(wraps_, step.next && after.pointer[g] <= before.pointer[g]);
    run_.Hit(expects_, expects);
    run_.Hit(others_wait_, expects && (step.sendable & step.eligible & table.group(static_cast<int>(g))) != 0);
    run_.Hit(expires_, expects && after.hold[g] == 0);
    run_.Hit(come_, granted && !step.next && Waits(before, g));
    run_.Hit(earns_, granted && !step.next && Waits(before, g) && Waits(after, g) && after.hold[g] > before.hold[g]);
    run_.Hit(rotated_, step.next && step.serve && before.hold[g] > 0);
    for (std::size_t lower = 0; lower < g; ++lower) {
      run_.Hit(interrupts_, after.current[lower]);
      run_.Hit(interrupted_, Waits(after, lower));
      run_.Hit(both_wait_, expects && Waits(after, lower));
    }
  }

  /// What ends the wait of a group in this decision.
  void NoteWait(const golden::SchedulerTable& table, const SchedulerView& before, const Step& step, std::size_t g) {
    if (before.hold[g] == 0) return;
    const unsigned bit = 1u << table.bank().entry(before.pointer[g]).tc & table.group(static_cast<int>(g));
    run_.Hit(blocked_, (bit & step.wanted & ~step.sendable) != 0 && ActiveOf(table, step, g) != 0);
    run_.Hit(used_up_, (bit & ~step.wanted & ~step.eligible) != 0);
  }

  /// Classes of a group that may be served.
  static unsigned ActiveOf(const golden::SchedulerTable& table, const Step& step, std::size_t g) {
    return step.sendable & step.eligible & table.bank().served() & table.group(static_cast<int>(g));
  }

  /// Classes of a group have requests that may not be sent.
  void NoteStop(const golden::SchedulerTable& table, const SchedulerView& before, const SchedulerView& after,
                const Step& step, std::size_t g) {
    const unsigned group = table.group(static_cast<int>(g));
    const unsigned serving = before.current[g] ? 1u << table.bank().entry(before.pointer[g]).tc & group : 0;
    const unsigned active = ActiveOf(table, step, g);
    const bool granted = step.decision.outcome == golden::Outcome::kGranted;
    if ((serving & step.wanted & ~active) != 0) {
      run_.Hit(turn_kept_, active == 0 && after.current[g]);
      run_.Hit(kept_beside_, active == 0 && after.current[g] && granted);
      run_.Hit(turn_lost_, granted && (active >> step.decision.tc & 1) != 0);
    }
    for (std::size_t c = 0; c < golden::kMaxClasses; ++c) {
      run_.Hit(deficit_kept_, active == 0 && (group & step.wanted) >> c & 1 && before.deficit[c] != 0 && after.deficit[c] != 0);
    }
  }

  Comparison& run_;
  int class_hold_;
  Bin serves_, rotates_, moves_, serve_waits_, next_waits_, same_class_, wraps_, group_, interrupts_, shaped_, frozen_, forgets_,
      swaps_, regrouped_, expects_, others_wait_, come_, earns_, expires_, interrupted_, both_wait_, frozen_wait_, blocked_, turn_kept_, deficit_kept_, kept_beside_, turn_lost_, used_up_,
      rotated_, swapped_wait_, regrouped_wait_;
};

}  // namespace tilefly::bench
