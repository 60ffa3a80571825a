// SPDX-License-Identifier: Apache-2.0
// A fifo that grows by doubling and holds nothing until its first use.
#pragma once

#include <cstddef>
#include <vector>

#include "golden/common/prefetch.h"

namespace tilefly::network {

template <typename T>
class Ring {
 public:
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }
  /// The oldest value. The ring must not be empty.
  const T& front() const { return items_[head_ & mask_]; }
  /// The latest value. The ring must not be empty.
  const T& back() const { return items_[(tail_ - 1) & mask_]; }
  void Push(const T& value) {
    if (size() == items_.size()) Grow();
    items_[tail_++ & mask_] = value;
  }
  void Pop() { ++head_; }
  /// Calls `visit(value)` for all values, the oldest first.
  template <typename Visit>
  void ForEach(Visit&& visit) {
    for (std::size_t i = head_; i != tail_; ++i) visit(items_[i & mask_]);
  }
  /// Prefetches the place of the next push.
  void PrefetchTail() const { golden::Prefetch(items_.data() + (tail_ & mask_), 1); }
  /// Prefetches the oldest two values.
  void Prefetch() const {
    golden::Prefetch(items_.data() + (head_ & mask_), 1);
    golden::Prefetch(items_.data() + ((head_ + 1) & mask_), 1);
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(items_, mask_, head_, tail_);
  }

 private:
  static constexpr std::size_t kFirstSize = 4;

  void Grow() {
    std::vector<T> larger(items_.empty() ? kFirstSize : 2 * items_.size());
    for (std::size_t i = head_; i != tail_; ++i) larger[i & (larger.size() - 1)] = items_[i & mask_];
    items_.swap(larger);
    mask_ = items_.size() - 1;
  }

  std::vector<T> items_;
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

}  // namespace tilefly::network
