// SPDX-License-Identifier: Apache-2.0
#include "golden/scheduler/deficit_table.h"

#include <algorithm>

namespace tilefly::golden {

void DeficitTable::Restart(int entries) {
  deficit_ = {};
  acc_ = {};
  pointer_.fill(static_cast<std::uint8_t>(entries - 1));
  hold_ = {};
  current_ = promised_ = owed_ = 0;
}

unsigned DeficitTable::Eligible(Cycle now, const SchedulerTable& table, unsigned classes) const {
  ForEachBit(classes & table.shaped(), [&](int c) {
    if (kDuePerCycle * now <= due_[c]) classes &= ~(1u << c);
  });
  return classes;
}

/// Classes that are blocked (step 1 of docs/blocks/scheduler.md, Decision t).
unsigned DeficitTable::Blocked(const SchedulerTable& table, unsigned wanted, unsigned active) {
  unsigned blocked = wanted & ~active;
  if (blocked == 0 || active == 0) return blocked;
  for (int g = 0; g < kGroups; ++g) {
    if ((table.group(g) & active) != 0) blocked &= ~table.group(g);
  }
  return blocked;
}

/// Step 2 of it. Returns the classes that are expected (step 1).
unsigned DeficitTable::Forget(Cycle now, const SchedulerTable& table, unsigned wanted, unsigned active) {
  unsigned expected = 0;
  const unsigned stays = active | Blocked(table, wanted, active);
  ForEachBit(current_, [&](int g) {
    const unsigned bit = table.group(g) & 1u << table.bank().entry(pointer_[g]).tc;
    if ((bit & stays) != 0) return;
    if (promised(g) && hold_[g] != 0 && Eligible(now, table, bit & ~wanted) != 0) {
      expected |= bit;
      return;
    }
    current_ = static_cast<std::uint8_t>(current_ & ~(1u << g));
    promised_ = static_cast<std::uint8_t>(promised_ & ~(1u << g));
    acc_[g] = hold_[g] = 0;
  });
  ForEachBit(owed_ & ~(stays | expected), [&](int c) { SetDeficit(c, 0); });
  return expected;
}

/// Step 5. Returns the class that is served from now on.
int DeficitTable::Rotate(const SchedulerTable& table, int g, unsigned members) {
  const int e = table.bank().Next(pointer_[g], members);
  const TableBank::Entry& entry = table.bank().entry(e);
  pointer_[g] = static_cast<std::uint8_t>(e);
  current_ = static_cast<std::uint8_t>(current_ | 1u << g);
  promised_ = static_cast<std::uint8_t>(promised_ & ~(1u << g));
  hold_[g] = class_hold_;
  acc_[g] = static_cast<std::uint16_t>(entry.weight + deficit_[entry.tc]);
  return entry.tc;
}

/// The end of steps 4 and 5, and step 6.
Decision DeficitTable::Grant(Cycle now, const SchedulerTable& table, int g, int c, const Head& head) {
  acc_[g] = static_cast<std::uint16_t>(acc_[g] - head.cells);
  promised_ = static_cast<std::uint8_t>(head.more ? promised_ | 1u << g : promised_ & ~(1u << g));
  hold_[g] = static_cast<std::uint8_t>(std::min<int>(class_hold_, hold_[g] + head.cells));
  const ClassRegisters& registers = table.tc(c);
  if (registers.cost != 0) {
    due_[c] = std::max(due_[c], kDuePerCycle * now - registers.depth) + head.cells * registers.cost;
  }
  return {Outcome::kGranted, static_cast<std::uint8_t>(c)};
}

}  // namespace tilefly::golden
