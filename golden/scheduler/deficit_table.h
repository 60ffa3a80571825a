// SPDX-License-Identifier: Apache-2.0
// The Deficit Table of one output (docs/blocks/scheduler.md): its state, and one decision a call.
//
// No call is needed in a cycle in which the grant unit may not run, or in which nothing would move. After a call
// nothing moves by itself until the masks or the candidates change, unless the outcome was kGranted, kMoved or
// kExpects.
#pragma once

#include <array>

#include "golden/common/audit.h"
#include "golden/common/types.h"
#include "golden/scheduler/decision.h"
#include "golden/scheduler/scheduler_table.h"

namespace tilefly::golden {

class DeficitTable {
 public:
  explicit DeficitTable(const Profile& profile) : DeficitTable(profile, profile.class_hold) {}
  /// A turn waits `class_hold` decisions for requests on their way, one more for each cell granted; 0: the paper's rule.
  DeficitTable(const Profile& profile, int class_hold) : class_hold_(static_cast<std::uint8_t>(class_hold)) {
    Restart(profile.dtable_entries);
  }

  /// Makes the decision of cycle `now`. The masks have one bit for each class: a class is in `wanted` when some lane of
  /// it has a request, and in `sendable` when some lane of it has a request and may send. `candidate(class)` is the
  /// Head of the class's candidate. It is asked for at most two classes, and last for the class that is granted.
  template <typename Candidate>
  Decision Decide(Cycle now, const SchedulerTable& table, unsigned wanted, unsigned sendable, Candidate&& candidate) {
    unsigned active = sendable & table.bank().served();
    if ((active & table.shaped()) != 0) active = Eligible(now, table, active);
    const unsigned expected = (owed_ | current_) != 0 ? Forget(now, table, wanted, active) : 0;
    if ((active | expected) == 0) return {};
    const int g = table.HighestGroup(active | expected);
    int c = -1;
    Head head;
    if (current(g)) {
      c = table.bank().entry(pointer_[g]).tc;
      if (((expected >> c) & 1) != 0) {
        --hold_[g];
        return {Outcome::kExpects, static_cast<std::uint8_t>(c)};
      }
      head = candidate(c);
      if (head.cells == 0) return {Outcome::kWaits, static_cast<std::uint8_t>(c)};
      if (head.cells <= acc_[g]) return Grant(now, table, g, c, head);
      SetDeficit(c, acc_[g]);
    }
    const int next = Rotate(table, g, active & table.group(g));
    if (next != c) head = candidate(next);
    if (head.cells == 0) return {Outcome::kWaits, static_cast<std::uint8_t>(next)};
    if (head.cells <= acc_[g]) return Grant(now, table, g, next, head);
    return {Outcome::kMoved, static_cast<std::uint8_t>(next)};
  }

  /// Event, after the cycle's decision: the banks have changed places.
  void Restart(int entries);

  /// For a table at rest (not unsettled), with class `c` alone: makes the decision that grants `cells` with no more to
  /// come, and the decision after it, in which no class is wanted. Returns false, and changes nothing, when the
  /// decision does not grant, or when the class has a maximum.
  bool PassThrough(const SchedulerTable& table, int c, int cells) {
    if (((table.bank().served() & ~table.shaped()) >> c & 1) == 0) return false;
    const int g = table.tc(c).group;
    const int e = table.bank().Next(pointer_[g], 1u << c);
    if (cells > table.bank().entry(e).weight) return false;
    pointer_[g] = static_cast<std::uint8_t>(e);
    return true;
  }

  /// Whether a decision in which no class is wanted would change something.
  bool unsettled() const { return (owed_ | current_) != 0; }
  /// Cycle from which on the class's maximum lets it be served again.
  Cycle EligibleFrom(int c) const { return due_[c] / kDuePerCycle + 1; }

  /// Checks SCHED-2 and SCHED-4. SchedulerChecker checks the others.
  void Check(const SchedulerTable& table, int output, Audit* audit) const;

  int deficit(int c) const { return deficit_[c]; }
  int pointer(int g) const { return pointer_[g]; }
  bool current(int g) const { return ((current_ >> g) & 1) != 0; }
  int acc(int g) const { return acc_[g]; }
  /// Whether the last grant of the group's entry said `more`.
  bool promised(int g) const { return ((promised_ >> g) & 1) != 0; }
  /// Decisions for which the group's entry may still wait for requests on their way.
  int hold(int g) const { return hold_[g]; }
  /// Shaper, in 1/256 cycle.
  std::int64_t due(int c) const { return due_[c]; }

 private:
  static constexpr int kDuePerCycle = 256;

  void SetDeficit(int c, int cells) {
    deficit_[c] = static_cast<std::uint8_t>(cells);
    owed_ = static_cast<std::uint8_t>(cells != 0 ? owed_ | 1u << c : owed_ & ~(1u << c));
  }
  unsigned Eligible(Cycle now, const SchedulerTable& table, unsigned classes) const;
  static unsigned Blocked(const SchedulerTable& table, unsigned wanted, unsigned active);
  unsigned Forget(Cycle now, const SchedulerTable& table, unsigned wanted, unsigned active);
  int Rotate(const SchedulerTable& table, int g, unsigned members);
  Decision Grant(Cycle now, const SchedulerTable& table, int g, int c, const Head& head);

  std::array<std::uint16_t, kGroups> acc_;
  std::array<std::uint8_t, kMaxClasses> deficit_;
  std::array<std::uint8_t, kGroups> pointer_;
  std::array<std::uint8_t, kGroups> hold_;
  std::uint8_t current_;
  std::uint8_t promised_;
  std::uint8_t owed_;  ///< classes with a deficit
  std::uint8_t class_hold_;
  std::array<std::int64_t, kMaxClasses> due_{};
};

}  // namespace tilefly::golden
