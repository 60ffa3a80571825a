// SPDX-License-Identifier: Apache-2.0
// The invariants of docs/blocks/scheduler.md.
#include <algorithm>

#include "golden/scheduler/scheduler_books.h"

namespace tilefly::golden {
namespace {

constexpr int kMostWeight = 4095;

}  // namespace

void DeficitTable::Check(const SchedulerTable& table, int output, Audit* audit) const {
  const int most = kMostWeight + table.mtu_cells();
  for (int g = 0; g < kGroups; ++g) {
    const TableBank::Entry& entry = table.bank().entry(pointer_[g]);
    audit->Require("SCHED-2", current(g) ? entry.weight != 0 : acc_[g] == 0, output, acc_[g]);
    audit->Require("SCHED-4", !current(g) || acc_[g] <= entry.weight + most, output, acc_[g]);
  }
  for (int c = 0; c < kMaxClasses; ++c) {
    audit->Require("SCHED-4", deficit_[c] <= most && (deficit_[c] != 0) == (((owed_ >> c) & 1) != 0), output, deficit_[c]);
  }
}

int SchedulerBooks::WaitBound(const SchedulerTable& table, int c) {
  const unsigned group = table.group(table.tc(c).group);
  const int n = table.entries();
  std::array<int, kMaxClasses> heaviest{};
  for (int e = 0; e < n; ++e) {
    const TableBank::Entry& entry = table.bank().entry(e);
    heaviest[entry.tc] = std::max<int>(heaviest[entry.tc], entry.weight);
  }
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
    ForEachBit(classes, [&](int j) { cells += heaviest[j] + 2 * table.mtu_cells(); });
    worst = std::max(worst, cells);
  }
  return worst;
}

void SchedulerBooks::Decided(const SchedulerTable& table, const DeficitTable& scheduler, unsigned wanted, unsigned active,
                             Decision decision, int cells, Audit* audit) {
  const bool granted = decision.outcome == Outcome::kGranted;
  audit->Require("SCHED-1", !granted || ((active >> decision.tc) & 1) != 0, 0, decision.tc);
  audit->Require("SCHED-1", active == 0 || decision.outcome != Outcome::kNothing, 0, active);
  const unsigned first = active == 0 ? 0 : active & table.group(table.HighestGroup(active));
  for (int c = 0; c < kMaxClasses; ++c) {
    const unsigned bit = 1u << c;
    const bool keeps = (active & bit) != 0 || (scheduler.held(c) && (wanted & bit) == 0);
    audit->Require("SCHED-3", keeps || scheduler.deficit(c) == 0, 0, scheduler.deficit(c));
    const int g = table.tc(c).group;
    const bool reached = scheduler.current(g) && table.bank().entry(scheduler.pointer(g)).tc == c;
    if ((first & bit) == 0 || reached) {  // a weight below its head takes it further rounds
      others_[static_cast<std::size_t>(c)] = 0;
    } else if (granted) {
      others_[static_cast<std::size_t>(c)] += cells;
      audit->Require("SCHED-5", others(c) <= WaitBound(table, c), 0, others(c));
    }
  }
}

}  // namespace tilefly::golden
