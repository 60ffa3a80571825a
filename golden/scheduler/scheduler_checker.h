// SPDX-License-Identifier: Apache-2.0
// What an observer of one output's Deficit Table must see (docs/blocks/scheduler.md: SCHED-1, SCHED-3, SCHED-5, SCHED-6).
#pragma once

#include <array>

#include "golden/common/audit.h"
#include "golden/scheduler/deficit_table.h"

namespace tilefly::golden {

class SchedulerChecker {
 public:
  /// The masks that the scheduler got in a decision, one bit for each class, and the head that it granted. A request
  /// stays until it is granted.
  struct Seen {
    unsigned wanted = 0;
    unsigned eligible = 0;  ///< as far as the classes' maxima go
    unsigned active = 0;
    Head granted;
  };

  /// Most cells that others may be granted before class `c` is reached: the greatest sum, over the gaps between two
  /// entries of the class, of the weights of the group's other entries there and of the cells that their classes may
  /// have left over.
  static int WaitBound(const SchedulerTable& table, int c);

  /// A decision was made. `class_hold`: the parameter of the scheduler.
  void Decided(const SchedulerTable& table, const DeficitTable& scheduler, int class_hold, const Seen& seen, Decision decision,
               Audit* audit);
  /// Registers were written: waits are counted from 0 again. Promises of requests on their way stay, unless the banks
  /// were `swapped`.
  void Restart(bool swapped);
  /// Cells that others were granted since class `c` was reached last, while it was active or blocked.
  int others(int c) const { return others_[static_cast<std::size_t>(c)]; }
  /// Decisions for which requests of the group are still waited for.
  int promised(int g) const {
    const Turn& turn = turns_[static_cast<std::size_t>(g)];
    return turn.promised ? turn.decisions : 0;
  }

 private:
  /// The turn of a class in its group: a new one is told by the table's place and by cells that were not granted away.
  struct Turn {
    bool open = false;
    bool promised = false;  ///< its last grant said that requests are on their way
    int tc = 0;
    int pointer = 0;
    int acc = 0;
    int decisions = 0;  ///< for which they may still be waited for
  };

  unsigned Expected(const SchedulerTable& table, const Seen& seen, unsigned blocked);
  void Keep(const DeficitTable& scheduler, unsigned blocked, Audit* audit);
  void Note(const DeficitTable& scheduler, int g, int class_hold, const Seen& seen, Decision decision);

  std::array<int, kMaxClasses> others_{};
  std::array<int, kMaxClasses> deficits_{};  ///< after the last decision
  std::array<Turn, kGroups> turns_{};
};

}  // namespace tilefly::golden
