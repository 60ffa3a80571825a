// SPDX-License-Identifier: Apache-2.0
// Which nodes have something due in which window. A node stands in it once, at the earliest window that it was entered
// for.
#pragma once

#include <array>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "golden/common/types.h"

namespace tilefly::golden {

class Calendar {
 public:
  explicit Calendar(int nodes) : window_of_(static_cast<std::size_t>(nodes), kNever) {}

  /// Something is due at the node in `window`, which is not before the next one taken.
  void Enter(int node, Cycle window) {
    if (window >= window_of_[node]) return;
    window_of_[node] = window;
    if (window - first_ < kBuckets) {
      Put(node, window);
    } else {
      far_.push({window, node});
    }
  }

  /// The first window for which a node was entered, kNever without one.
  Cycle Next() {
    for (; near_ > 0; ++first_, Refill()) {
      if (!buckets_[SlotOf(first_)].empty()) return first_;
    }
    if (far_.empty()) return kNever;
    first_ = far_.top().first;
    Refill();
    return first_;
  }

  /// Takes the nodes of window Next(), those out that were entered for an earlier one meanwhile; nodes that are entered
  /// from now on are for later windows.
  void Take(std::vector<int>* nodes) {
    std::vector<int>& bucket = buckets_[SlotOf(first_)];
    near_ -= bucket.size();
    nodes->clear();
    for (const int node : bucket) {
      if (window_of_[node] != first_) continue;
      window_of_[node] = kNever;
      nodes->push_back(node);
    }
    bucket.clear();
    ++first_;
    Refill();
  }

 private:
  static constexpr Cycle kBuckets = 64;
  using Far = std::pair<Cycle, int>;

  static std::size_t SlotOf(Cycle window) { return static_cast<std::size_t>(window % kBuckets); }
  void Put(int node, Cycle window) {
    buckets_[SlotOf(window)].push_back(node);
    ++near_;
  }
  /// What has come within reach.
  void Refill() {
    for (; !far_.empty() && far_.top().first - first_ < kBuckets; far_.pop()) Put(far_.top().second, far_.top().first);
  }

  std::array<std::vector<int>, kBuckets> buckets_;
  std::priority_queue<Far, std::vector<Far>, std::greater<Far>> far_;
  std::vector<Cycle> window_of_;  ///< by node
  std::size_t near_ = 0;          ///< entries in the buckets
  Cycle first_ = 0;
};

}  // namespace tilefly::golden
