// SPDX-License-Identifier: Apache-2.0
// A calendar says which nodes have something due, and when: switches in slices, domains in rounds (docs/network.md,
// Order of events). A node is in it once, at the earliest of the slices (or rounds) for which it was entered.
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

  /// Enters the node: something is due at it in slice (or round) `due`, which must not be before the next one to be
  /// taken.
  void Enter(int node, Cycle due) {
    if (due >= due_of_[node]) return;
    due_of_[node] = due;
    if (due - first_ < kBuckets) {
      Put(node, due);
    } else {
      far_.push({due, node});
    }
  }

  /// The first slice (or round) for which a node was entered; kNever: there is none.
  Cycle Next() const {
    if (used_ != 0) {
      const int first = static_cast<int>(first_ % kBuckets);
      const std::uint64_t turned = first == 0 ? used_ : used_ >> first | used_ << (kBuckets - first);
      return first_ + golden::LowestBit(turned);
    }
    return far_.empty() ? kNever : far_.top().first;
  }

  /// Takes the nodes of `due` = Next() out of the calendar. Leaves out nodes that were entered for an earlier one
  /// meanwhile. Nodes that are entered from now on must be for later ones.
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
  /// Moves entries that have come within reach of the buckets into them.
  void Refill() {
    for (; !far_.empty() && far_.top().first - first_ < kBuckets; far_.pop()) Put(far_.top().second, far_.top().first);
  }

  std::array<std::vector<int>, kBuckets> buckets_;
  std::priority_queue<Far, std::vector<Far>, std::greater<Far>> far_;
  std::vector<Cycle> due_of_;  ///< by node: the slice or round of its entry
  std::uint64_t used_ = 0;        ///< one bit for each bucket that has an entry
  Cycle first_ = 0;
};

}  // namespace tilefly::network
