// SPDX-License-Identifier: Apache-2.0
// A queue that holds nothing until its first use, and gives back the room of what has left when it is empty.
#pragma once

#include <cstddef>
#include <vector>

namespace tilefly::workload {

template <typename T>
class Fifo {
 public:
  bool empty() const { return head_ == items_.size(); }
  std::size_t size() const { return items_.size() - head_; }
  const T& front() const { return items_[head_]; }
  /// The i-th after the oldest.
  const T& operator[](std::size_t i) const { return items_[head_ + i]; }
  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(items_, head_);
  }
  void Push(const T& value) { items_.push_back(value); }
  void Pop() {
    if (++head_ < items_.size()) return;
    items_.clear();
    head_ = 0;
  }

 private:
  std::vector<T> items_;
  std::size_t head_ = 0;
};

}  // namespace tilefly::workload
