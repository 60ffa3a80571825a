// SPDX-License-Identifier: Apache-2.0
// The invariants of docs/blocks/scheduler.md.
#include <algorithm>

#include "golden/scheduler/scheduler_checker.h"

namespace tilefly::golden {

void DeficitTable::Check(const SchedulerTable& table, int output, Audit* audit) const {
  const int most = table.mtu_cells() - 1;
  for (int g = 0; g < kGroups; ++g) {
    const TableBank::Entry& entry = table.bank().entry(pointer_[g]);
    audit->Require("SCHED-2", current(g) ? entry.weight != 0 : acc_[g] == 0 && hold_[g] == 0 && !promised(g), output, acc_[g]);
    audit->Require("SCHED-4", !current(g) || acc_[g] <= entry.weight + most, output, acc_[g]);
    audit->Require("SCHED-4", hold_[g] <= class_hold_, output, hold_[g]);
  }
  for (int c = 0; c < kMaxClasses; ++c) {
    audit->Require("SCHED-4", deficit_[c] <= most && (deficit_[c] != 0) == (((owed_ >> c) & 1) != 0), output, deficit_[c]);
  }
}

int SchedulerChecker::WaitBound(const SchedulerTable& table, int c) {
  const unsigned group = table.group(table.tc(c).group);
  const int n = table.entries();
  int worst = 0;
  for (int from = 0; from < n; ++from) {
    if (table.bank().entry(from).tc != c || table.bank().entry(from).weight == 0) continue;
    int cells = 0;
    unsigned classes = 0;
    for (int i = 1; i <= n; ++i) {
      const TableBank::Entry& entry = table.bank().entry((from + i) % n);
      if (entry.weight == 0) continue;
      if (entry.tc == c) break;
      if (((group >> entry.tc) & 1) == 0) continue;
      cells += entry.weight;
      classes |= 1u << entry.tc;
    }
    worst = std::max(worst, cells + __builtin_popcount(classes) * (table.mtu_cells() - 1));
  }
  return worst;
}

namespace {

/// Classes with a request, in groups of which no class may go.
unsigned BlockedClasses(const SchedulerTable& table, const SchedulerChecker::Seen& seen) {
  unsigned blocked = seen.wanted;
  for (int c = 0; c < kMaxClasses; ++c) {
    if (((seen.active >> c) & 1) != 0) blocked &= ~table.group(table.tc(c).group);
  }
  return blocked;
}

}  // namespace

/// Classes whose requests are to be waited for; the turns of the others end, but for those that are `blocked`.
unsigned SchedulerChecker::Expected(const SchedulerTable& table, const Seen& seen, unsigned blocked) {
  unsigned expected = 0;
  for (int g = 0; g < kGroups; ++g) {
    Turn& turn = turns_[static_cast<std::size_t>(g)];
    const unsigned bit = table.group(g) & 1u << turn.tc;
    if ((bit & (seen.active | blocked)) != 0) continue;
    if (turn.promised && turn.decisions > 0 && (bit & seen.eligible & ~seen.wanted) != 0) {
      expected |= bit;
    } else {
      turn = {};
    }
  }
  return expected;
}

/// SCHED-6: blocked classes have after the decision what they had before it. A deficit that a turn took along counts no more.
void SchedulerChecker::Keep(const DeficitTable& scheduler, unsigned blocked, Audit* audit) {
  for (int g = 0; g < kGroups; ++g) {
    const Turn& turn = turns_[static_cast<std::size_t>(g)];
    if (!turn.open || ((blocked >> turn.tc) & 1) == 0) continue;
    const bool same = scheduler.current(g) && scheduler.pointer(g) == turn.pointer && scheduler.acc(g) == turn.acc;
    audit->Require("SCHED-6", same, 0, turn.tc);
  }
  for (int c = 0; c < kMaxClasses; ++c) {
    int& before = deficits_[static_cast<std::size_t>(c)];
    audit->Require("SCHED-6", ((blocked >> c) & 1) == 0 || scheduler.deficit(c) == before, 0, scheduler.deficit(c));
    before = scheduler.deficit(c);
  }
}

void SchedulerChecker::Note(const DeficitTable& scheduler, int g, int class_hold, const Seen& seen, Decision decision) {
  Turn& turn = turns_[static_cast<std::size_t>(g)];
  if (decision.outcome == Outcome::kNothing) return;
  if (decision.outcome == Outcome::kExpects) {
    --turn.decisions;
    return;
  }
  const bool granted = decision.outcome == Outcome::kGranted;
  const int cells = granted ? seen.granted.cells : 0;
  const bool begun = !turn.open || turn.pointer != scheduler.pointer(g) || turn.acc - cells != scheduler.acc(g);
  if (begun) turn = {true, false, decision.tc, scheduler.pointer(g), 0, class_hold};
  turn.acc = scheduler.acc(g);
  if (!granted) return;
  turn.promised = seen.granted.more;
  turn.decisions = std::min(class_hold, turn.decisions + cells);
}

void SchedulerChecker::Decided(const SchedulerTable& table, const DeficitTable& scheduler, int class_hold,
                               const Seen& seen, Decision decision, Audit* audit) {
  const bool granted = decision.outcome == Outcome::kGranted;
  const bool expects = decision.outcome == Outcome::kExpects;
  const unsigned blocked = BlockedClasses(table, seen);
  const unsigned expected = Expected(table, seen, blocked);
  Keep(scheduler, blocked, audit);
  const unsigned able = seen.active | expected;
  const unsigned first = able == 0 ? 0 : able & table.group(table.HighestGroup(able));
  audit->Require("SCHED-1", !granted || ((seen.active & first) >> decision.tc & 1) != 0, 0, decision.tc);
  audit->Require("SCHED-1", (able == 0) == (decision.outcome == Outcome::kNothing), 0, able);
  // It waits for the class that promised, and for no other reason and no longer than it may.
  audit->Require("SCHED-5", expects ? (expected & first) >> decision.tc & 1 : (expected & first) == 0, 0, decision.tc);
  for (int c = 0; c < kMaxClasses; ++c) {
    const unsigned bit = 1u << c;
    audit->Require("SCHED-3", ((able | blocked) & bit) != 0 || scheduler.deficit(c) == 0, 0, scheduler.deficit(c));
    const int g = table.tc(c).group;
    const bool reached = scheduler.current(g) && table.bank().entry(scheduler.pointer(g)).tc == c;
    const bool is_first = (seen.active & first & bit) != 0;
    if (reached || (!is_first && (blocked & bit) == 0)) {  // a weight below its head takes it further rounds
      others_[static_cast<std::size_t>(c)] = 0;
    } else if (granted && is_first) {
      others_[static_cast<std::size_t>(c)] += seen.granted.cells;
      audit->Require("SCHED-5", others(c) <= WaitBound(table, c), 0, others(c));
    }
  }
  Note(scheduler, table.tc(decision.tc).group, class_hold, seen, decision);
}

void SchedulerChecker::Restart(bool swapped) {
  others_ = {};
  if (!swapped) return;
  turns_ = {};
  deficits_ = {};
}

}  // namespace tilefly::golden
