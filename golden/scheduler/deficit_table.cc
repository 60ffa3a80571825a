// SPDX-License-Identifier: Apache-2.0
#include "golden/scheduler/deficit_table.h"

#include <algorithm>

namespace tilefly::golden {

void DeficitTable::Restart(int entries) {
  deficit_ = {};
  acc_ = {};
  pointer_.fill(static_cast<std::uint8_t>(entries - 1));
  current_ = held_ = owed_ = 0;
}

unsigned DeficitTable::Eligible(Cycle now, const SchedulerTable& table, unsigned classes) const {
  ForEachBit(classes & table.shaped(), [&](int c) {
    if (kDuePerCycle * now <= due_[c]) classes &= ~(1u << c);
  });
  return classes;
}

/// Step 2 of the page.
void DeficitTable::Forget(const SchedulerTable& table, unsigned wanted, unsigned active) {
  const unsigned kept = held_ & ~wanted;
  ForEachBit(owed_ & ~active & ~kept, [&](int c) { SetDeficit(c, 0); });
  ForEachBit(current_, [&](int g) {
    const TableBank::Entry& entry = table.bank().entry(pointer_[g]);
    const unsigned bit = 1u << entry.tc;
    if ((bit & active & table.group(g)) != 0) return;
    current_ = static_cast<std::uint8_t>(current_ & ~(1u << g));
    if ((bit & kept & table.group(g)) != 0) {
      SetDeficit(entry.tc, std::min<int>(acc_[g], entry.weight + table.mtu_cells()));
    }
    acc_[g] = 0;
  });
}

/// Step 5. Returns the class that is served from now on.
int DeficitTable::Rotate(const SchedulerTable& table, int g, unsigned members) {
  const int e = table.bank().Next(pointer_[g], members);
  const TableBank::Entry& entry = table.bank().entry(e);
  pointer_[g] = static_cast<std::uint8_t>(e);
  current_ = static_cast<std::uint8_t>(current_ | 1u << g);
  acc_[g] = static_cast<std::uint16_t>(entry.weight + deficit_[entry.tc]);
  return entry.tc;
}

/// The end of steps 4 and 5, and step 6.
Decision DeficitTable::Grant(Cycle now, const SchedulerTable& table, int g, int c, const Head& head) {
  acc_[g] = static_cast<std::uint16_t>(acc_[g] - head.cells);
  held_ = static_cast<std::uint8_t>(head.more && hold_ ? held_ | 1u << c : held_ & ~(1u << c));
  const ClassRegisters& registers = table.tc(c);
  if (registers.cost != 0) {
    due_[c] = std::max(due_[c], kDuePerCycle * now - registers.depth) + head.cells * registers.cost;
  }
  return {Outcome::kGranted, static_cast<std::uint8_t>(c)};
}

}  // namespace tilefly::golden
