// SPDX-License-Identifier: Apache-2.0
// Messages on a path of fixed latency: what is pushed in order comes out in order, each in its cycle. Idle costs nothing.
#pragma once

#include <vector>

#include "golden/common/prefetch.h"
#include "golden/common/types.h"

namespace tilefly::golden {

template <typename T>
class DelayLine {
 public:
  DelayLine() : items_(kFirstSize) {}

  /// `value` comes out in cycle `due`. Values must be pushed in the order of their cycles.
  void Push(Cycle due, const T& value) {
    if (tail_ - head_ > mask_) Grow();
    items_[tail_++ & mask_] = {due, value};
  }
  /// Calls `visit(value)` for all values that are due.
  template <typename Visit>
  void Drain(Cycle now, Visit&& visit) {
    while (head_ != tail_ && items_[head_ & mask_].due <= now) {
      const T value = items_[head_++ & mask_].value;
      visit(value);
    }
  }
  void Prefetch() const { golden::Prefetch(items_); }
  /// The next message, null without one.
  const T* Front() const { return head_ == tail_ ? nullptr : &items_[head_ & mask_].value; }
  /// Cycle of the next message, kNever when there is none.
  Cycle Next() const { return head_ == tail_ ? kNever : items_[head_ & mask_].due; }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(items_, mask_, head_, tail_);
  }

 private:
  static constexpr std::size_t kFirstSize = 8;
  struct Item {
    Cycle due;
    T value;
  };

  void Grow() {
    std::vector<Item> larger(2 * items_.size());
    for (std::size_t i = head_; i != tail_; ++i) larger[i & (larger.size() - 1)] = items_[i & mask_];
    items_.swap(larger);
    mask_ = items_.size() - 1;
  }

  std::vector<Item> items_;
  std::size_t mask_ = kFirstSize - 1;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

}  // namespace tilefly::golden
