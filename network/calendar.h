// SPDX-License-Identifier: Apache-2.0
// Which nodes have something due when: switches in slices, domains in rounds (docs/network.md, Order of events). A node
// stands in it once, at the earliest of the slices, or rounds, that it was entered for.
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
  explicit Calendar(int nodes) : due_of_(static_cast<std::size_t>(nodes), kNever) {}

  /// Something is due at the node in slice, or round, `due`, which is not before the next one taken.
  void Enter(int node, Cycle due) {
    if (due >= due_of_[node]) return;
    due_of_[node] = due;
    if (due - first_ < kBuckets) {
      Put(node, due);
    } else {
      far_.push({due, node});
    }
  }

  /// The first for which a node was entered, kNever without one.
  Cycle Next() const {
    if (used_ != 0) {
      const int first = static_cast<int>(first_ % kBuckets);
      const std::uint64_t turned = first == 0 ? used_ : used_ >> first | used_ << (kBuckets - first);
      return first_ + golden::LowestBit(turned);
    }
    return far_.empty() ? kNever : far_.top().first;
  }

  /// Takes the nodes of `due` = Next(), those out that were entered for an earlier one meanwhile; nodes that are
  /// entered from now on are for later ones.
  void PopDue(Cycle due, std::vector<int>* nodes) {
    first_ = due;
    Refill();
    std::vector<int>& bucket = buckets_[SlotOf(due)];
    nodes->clear();
    for (const int node : bucket) {
      if (due_of_[node] != due) continue;
      due_of_[node] = kNever;
      nodes->push_back(node);
    }
    bucket.clear();
    used_ &= ~(std::uint64_t{1} << SlotOf(due));
    ++first_;
    Refill();
  }

 private:
  static constexpr Cycle kBuckets = 64;
  using Far = std::pair<Cycle, int>;

  static std::size_t SlotOf(Cycle due) { return static_cast<std::size_t>(due % kBuckets); }
  void Put(int node, Cycle due) {
    buckets_[SlotOf(due)].push_back(node);
    used_ |= std::uint64_t{1} << SlotOf(due);
  }
  /// What has come within reach.
  void Refill() {
    for (; !far_.empty() && far_.top().first - first_ < kBuckets; far_.pop()) Put(far_.top().second, far_.top().first);
  }

  std::array<std::vector<int>, kBuckets> buckets_;
  std::priority_queue<Far, std::vector<Far>, std::greater<Far>> far_;
  std::vector<Cycle> due_of_;  ///< by node
  std::uint64_t used_ = 0;        ///< buckets with an entry, one bit each
  Cycle first_ = 0;
};

}  // namespace tilefly::network
