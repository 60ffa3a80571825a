// SPDX-License-Identifier: Apache-2.0
// Self-clocked fair queueing (Golestani; docs/blocks/scheduler.md, Baselines): of an output, in DeficitTable's place. The head
// whose service would end first in virtual time goes; virtual time is the end of the packet that was granted last.
#pragma once

#include <algorithm>

#include "golden/scheduler/decision.h"
#include "golden/scheduler/scheduler_table.h"

namespace tilefly::golden {

class SelfClockedFairQueueing {
 public:
  explicit SelfClockedFairQueueing(const Profile&) {}

  template <typename Candidate>
  Decision Decide(Cycle, const SchedulerTable& table, unsigned wanted, unsigned sendable, Candidate&& candidate) {
    const unsigned active = sendable & table.bank().served();
    if (active == 0) {
      if ((wanted & backlogged_) == 0) Restart(0);  // else nobody may go, and nobody loses anything
      return {};
    }
    ForEachBit(active & ~backlogged_, [&](int c) { start_[c] = std::max(start_[c], now_); });
    backlogged_ = static_cast<std::uint8_t>(active);
    Virtual earliest = INT64_MAX;
    int chosen = -1;
    ForEachBit(active, [&](int c) {
      const int cells = candidate(c).cells;
      if (cells == 0) return;  // its place in virtual time stays
      const Virtual end = start_[c] + kCell * cells / table.bank().weight(c);
      if (end >= earliest) return;
      earliest = end;
      chosen = c;
    });
    if (chosen < 0) return {Outcome::kWaits, 0};
    candidate(chosen);  // the one granted is asked last
    now_ = start_[chosen] = earliest;
    return {Outcome::kGranted, static_cast<std::uint8_t>(chosen)};
  }
  void Restart(int) {
    start_ = {};
    now_ = 0;
    backlogged_ = 0;
  }
  bool unsettled() const { return backlogged_ != 0; }
  Cycle EligibleFrom(int) const { return 0; }

 private:
  using Virtual = std::int64_t;
  static constexpr Virtual kCell = 1 << 20;  ///< virtual time of a cell of a class with weight 1

  std::array<Virtual, kMaxClasses> start_{};  ///< of each class's head
  Virtual now_ = 0;
  std::uint8_t backlogged_ = 0;
};

}  // namespace tilefly::golden
