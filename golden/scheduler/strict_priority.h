// SPDX-License-Identifier: Apache-2.0
// Strict priority (docs/blocks/scheduler.md, Baselines): of an output, in DeficitTable's place. The active class of the highest
// group goes, in a group that of the highest number.
#pragma once

#include "golden/scheduler/decision.h"
#include "golden/scheduler/scheduler_table.h"

namespace tilefly::golden {

class StrictPriority {
 public:
  explicit StrictPriority(const Profile&) {}

  template <typename Candidate>
  Decision Decide(Cycle, const SchedulerTable& table, unsigned, unsigned sendable, Candidate&& candidate) {
    if (sendable == 0) return {};
    const int c = HighestBit(sendable & table.group(table.HighestGroup(sendable)));
    const Outcome outcome = candidate(c).cells == 0 ? Outcome::kWaits : Outcome::kGranted;
    return {outcome, static_cast<std::uint8_t>(c)};
  }
  void Restart(int) {}
  bool unsettled() const { return false; }
  Cycle EligibleFrom(int) const { return 0; }

 private:
  static int HighestBit(unsigned mask) { return 31 - __builtin_clz(mask); }
};

}  // namespace tilefly::golden
