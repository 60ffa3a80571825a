// SPDX-License-Identifier: Apache-2.0
// Records that refer to one another by indices. A released record is the next to be used: it is still in the cache.
#pragma once

#include <stdexcept>
#include <vector>

#include "golden/common/delay_line.h"
#include "golden/common/prefetch.h"
#include "golden/common/types.h"

namespace tilefly::golden {

/// `Number` is the unsigned type of an index.
template <typename T, typename Number = Index>
class Pool {
 public:
  /// Most records at a time.
  static constexpr std::size_t kMost = static_cast<Number>(-1);

  /// Returns the index of a record with undefined contents. References to records become invalid.
  Number Allocate() {
    if (free_.empty()) {
      if (items_.size() == kMost) throw std::length_error("golden: too many records of a kind in a switch");
      items_.emplace_back();
      return static_cast<Number>(items_.size() - 1);
    }
    const Number index = free_.back();
    free_.pop_back();
    return index;
  }
  void Release(Number index) { free_.push_back(index); }

  T& operator[](Number index) { return items_[index]; }
  const T& operator[](Number index) const { return items_[index]; }
  /// Asks for the record that the message is about which `line` brings next: some steps before it comes.
  void PrefetchNext(const DelayLine<Number>& line) const {
    if (const Number* const next = line.Front()) golden::Prefetch(&items_[*next], 1);
  }
  /// Prefetches the records, and those that will be taken next.
  void Prefetch() const {
    golden::Prefetch(items_);
    if (!free_.empty()) golden::Prefetch(&free_.back(), 1);
  }
  /// Calls `visit(record)` for each record in use.
  template <typename Visit>
  void ForEach(Visit&& visit) {
    std::vector<bool> is_free(items_.size());
    for (const Number index : free_) is_free[index] = true;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!is_free[i]) visit(items_[i]);
    }
  }
  /// Number of records in use.
  std::size_t size() const { return items_.size() - free_.size(); }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(items_, free_);
  }

 private:
  std::vector<T> items_;
  std::vector<Number> free_;
};

}  // namespace tilefly::golden
