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

namespace tilefly::network {

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
  Cycle Next() const {
    if (used_ != 0) {
      const int first = static_cast<int>(first_ % kBuckets);
      const std::uint64_t turned = first == 0 ? used_ : used_ >> first | used_ << (kBuckets - first);
      return first_ + golden::LowestBit(turned);
    }
    return far_.empty() ? kNever : far_.top().first;
  }

  /// Takes the nodes of `window` = Next(), those out that were entered for an earlier one meanwhile; nodes that are
  /// entered from now on are for later windows.
  void PopDue(Cycle window, std::vector<int>* nodes) {
    first_ = window;
    Refill();
    std::vector<int>& bucket = buckets_[SlotOf(window)];
    nodes->clear();
    for (const int node : bucket) {
      if (window_of_[node] != window) continue;
      window_of_[node] = kNever;
      nodes->push_back(node);
    }
    bucket.clear();
    used_ &= ~(std::uint64_t{1} << SlotOf(window));
    ++first_;
    Refill();
  }

 private:
  static constexpr Cycle kBuckets = 64;
  using Far = std::pair<Cycle, int>;

  static std::size_t SlotOf(Cycle window) { return static_cast<std::size_t>(window % kBuckets); }
  void Put(int node, Cycle window) {
    buckets_[SlotOf(window)].push_back(node);
    used_ |= std::uint64_t{1} << SlotOf(window);
  }
  /// What has come within reach.
  void Refill() {
    for (; !far_.empty() && far_.top().first - first_ < kBuckets; far_.pop()) Put(far_.top().second, far_.top().first);
  }

  std::array<std::vector<int>, kBuckets> buckets_;
  std::priority_queue<Far, std::vector<Far>, std::greater<Far>> far_;
  std::vector<Cycle> window_of_;  ///< by node
  std::uint64_t used_ = 0;        ///< buckets with an entry, one bit each
  Cycle first_ = 0;
};

}  // namespace tilefly::network
