// SPDX-License-Identifier: Apache-2.0
// What a fifo's user may do and what comes out of it (docs/blocks/common.md, FIFO-1 and FIFO-2): the reference of
// `tilefly_fifo`. Golden's own queues are linked lists without a depth.
#pragma once

#include <deque>

#include "golden/common/audit.h"

namespace tilefly::golden {

template <typename T>
class FifoChecker {
 public:
  explicit FifoChecker(std::size_t depth) : depth_(depth) {}

  bool empty() const { return entries_.empty(); }
  bool full() const { return entries_.size() == depth_; }
  std::size_t size() const { return entries_.size(); }
  const T& head() const { return entries_.front(); }

  /// One cycle: what is done to the fifo, and its head as the device shows it.
  void Step(bool push, const T& data, bool pop, const T& shown, Audit* audit) {
    const auto held = static_cast<std::int64_t>(entries_.size());
    audit->Require("FIFO-1", !(push && full() && !pop), 0, held);
    audit->Require("FIFO-1", !(pop && empty()), 0, held);
    if (pop && !empty()) {
      audit->Require("FIFO-2", shown == entries_.front(), 0, static_cast<std::int64_t>(shown));
      entries_.pop_front();
    }
    if (push && !full()) entries_.push_back(data);
  }

 private:
  std::size_t depth_;
  std::deque<T> entries_;
};

}  // namespace tilefly::golden
