// SPDX-License-Identifier: Apache-2.0
// Events that are rare and may be far ahead, in the order of their cycles. Events of one cycle keep the order in which
// they were entered.
#pragma once

#include <algorithm>
#include <vector>

#include "golden/common/types.h"

namespace tilefly::golden {

template <typename T>
class Agenda {
 public:
  void Enter(Cycle due, const T& value) {
    entries_.push_back({due, sequence_++, value});
    std::push_heap(entries_.begin(), entries_.end(), Later);
    next_ = entries_.front().due;
  }
  /// Calls `visit(value)` for all events that are due. `visit` may enter further events.
  template <typename Visit>
  void Drain(Cycle now, Visit&& visit) {
    while (next_ <= now) {
      std::pop_heap(entries_.begin(), entries_.end(), Later);
      const T value = entries_.back().value;
      entries_.pop_back();
      next_ = entries_.empty() ? kNever : entries_.front().due;
      visit(value);
    }
  }
  /// Cycle of the next event, kNever when there is none.
  Cycle Next() const { return next_; }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(entries_, sequence_, next_);
  }

 private:
  struct Entry {
    Cycle due;
    std::uint64_t sequence;
    T value;
  };
  static bool Later(const Entry& a, const Entry& b) {
    return a.due != b.due ? a.due > b.due : a.sequence > b.sequence;
  }

  std::vector<Entry> entries_;
  std::uint64_t sequence_ = 0;
  Cycle next_ = kNever;
};

}  // namespace tilefly::golden
