// SPDX-License-Identifier: Apache-2.0
// What an observer of one output's Deficit Table must see (docs/blocks/scheduler.md: SCHED-1, SCHED-3, SCHED-5).
#pragma once

#include <array>

#include "golden/common/audit.h"
#include "golden/scheduler/deficit_table.h"

namespace tilefly::golden {

class SchedulerBooks {
 public:
  /// Most cells that others may be granted before class `c` is reached: over the largest gap between two of its entries, the
  /// weights of its group and what the classes there may have kept.
  static int WaitBound(const SchedulerTable& table, int c);

  /// A decision was made while the classes in `wanted` had requests and those in `active` might be served; `cells`: of
  /// its grant.
  void Decided(const SchedulerTable& table, const DeficitTable& scheduler, unsigned wanted, unsigned active, Decision decision,
               int cells, Audit* audit);
  /// Registers were written: waits count anew.
  void Restart() { others_ = {}; }
  /// Cells that others were granted since class `c` was reached last, while it was active.
  int others(int c) const { return others_[static_cast<std::size_t>(c)]; }

 private:
  std::array<int, kMaxClasses> others_{};
};

}  // namespace tilefly::golden
