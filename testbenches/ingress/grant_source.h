// SPDX-License-Identifier: Apache-2.0
// The outputs as an input sees them: every request is granted at some time, not before a grant could be back.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "golden/common/types.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

class GrantSource {
 public:
  struct Queue {
    int output;
    int vl;
  };
  /// From a request's leave cycle to the arrival of its grant when nothing is in the way (docs/timing.md).
  static constexpr Cycle kRoundTrip = 20;

  void Request(Cycle leave, Queue queue) { requests_.push_back({leave, queue}); }
  /// The grant that arrives in cycle `now` with a chance of `level` of 256; any of the older requests may be meant.
  std::optional<Queue> Next(const Stimulus& random, Cycle now, int level) {
    std::size_t due = 0;
    while (due < requests_.size() && due < kReordered && requests_[due].leave + kRoundTrip <= now) ++due;
    if (due == 0 || !random.Chance(level, "grant", now)) return std::nullopt;
    const std::size_t chosen = random.Below(due, "grant: which", now);
    const Queue queue = requests_[chosen].queue;
    // Requests of a queue are granted in order; they are all alike here, so the first of the queue goes.
    const auto first = std::find_if(requests_.begin(), requests_.end(), [&](const Pending& pending) {
      return pending.queue.output == queue.output && pending.queue.vl == queue.vl;
    });
    requests_.erase(first);
    return queue;
  }
  std::size_t outstanding() const { return requests_.size(); }

 private:
  static constexpr std::size_t kReordered = 32;
  struct Pending {
    Cycle leave;
    Queue queue;
  };
  std::deque<Pending> requests_;
};

}  // namespace tilefly::bench
