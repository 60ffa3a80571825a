// SPDX-License-Identifier: Apache-2.0
// The Deficit Table of golden with a table in use, and what its decisions must come to.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "testbenches/scheduler/scheduler_rig.h"

namespace tilefly::golden {

class TableRig : public SchedulerRig<DeficitTable> {
 public:
  explicit TableRig(const std::vector<TableSlot>& slots, int class_hold = kRosetta64.class_hold)
      : SchedulerRig(kRosetta64, class_hold) {
    Use(slots);
  }

  /// One decision: it must grant class `c`, and leave `acc` to the entry.
  void ExpectGrant(int c, int acc, int group = 0) {
    const Decision decision = Step();
    EXPECT_EQ(decision.outcome, Outcome::kGranted) << "cycle " << now() - 1;
    EXPECT_EQ(decision.tc, c) << "cycle " << now() - 1;
    EXPECT_EQ(scheduler().acc(group), acc) << "cycle " << now() - 1;
  }
  void Expect(Outcome outcome) { EXPECT_EQ(Step().outcome, outcome) << "cycle " << now() - 1; }
  /// Decisions, each of which must wait for requests of class `c` that are on their way.
  void ExpectWaitFor(int c, int decisions) {
    while (decisions-- > 0) {
      const Decision decision = Step();
      EXPECT_EQ(decision.outcome, Outcome::kExpects) << "cycle " << now() - 1;
      EXPECT_EQ(decision.tc, c) << "cycle " << now() - 1;
    }
  }
};

}  // namespace tilefly::golden
