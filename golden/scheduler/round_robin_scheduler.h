// SPDX-License-Identifier: Apache-2.0
// Round-robin over the active classes, a packet each (docs/blocks/scheduler.md, Baselines): of an output, in DeficitTable's
// place.
#pragma once

#include "golden/arbiter/round_robin.h"
#include "golden/scheduler/decision.h"
#include "golden/scheduler/scheduler_table.h"

namespace tilefly::golden {

class RoundRobinScheduler {
 public:
  explicit RoundRobinScheduler(const Profile&) {}

  template <typename Candidate>
  Decision Decide(Cycle, const SchedulerTable&, unsigned, unsigned sendable, Candidate&& candidate) {
    if (sendable == 0) return {};
    const int c = RoundRobin(sendable, pointer_);
    if (candidate(c).cells == 0) return {Outcome::kWaits, static_cast<std::uint8_t>(c)};
    pointer_ = PointerAfter(c, kMaxClasses);
    return {Outcome::kGranted, static_cast<std::uint8_t>(c)};
  }
  void Restart(int) { pointer_ = 0; }
  bool unsettled() const { return false; }
  Cycle EligibleFrom(int) const { return 0; }

 private:
  std::uint8_t pointer_ = 0;
};

}  // namespace tilefly::golden
