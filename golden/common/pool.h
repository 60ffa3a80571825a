// SPDX-License-Identifier: Apache-2.0
// Records that refer to one another by 32-bit indices. A released record is the next to be used: it is still in the cache.
#pragma once

#include <vector>

#include "golden/common/delay_line.h"
#include "golden/common/prefetch.h"
#include "golden/common/types.h"

namespace tilefly::golden {

template <typename T>
class Pool {
 public:
  /// Returns the index of a record with undefined contents. References to records become invalid.
  Index Allocate() {
    if (free_.empty()) {
      items_.emplace_back();
      return static_cast<Index>(items_.size() - 1);
    }
    const Index index = free_.back();
    free_.pop_back();
    return index;
  }
  void Release(Index index) { free_.push_back(index); }

  T& operator[](Index index) { return items_[index]; }
  const T& operator[](Index index) const { return items_[index]; }
  /// Asks for the record that the message is about which `line` brings next: some steps before it comes.
  void PrefetchNext(const DelayLine<Index>& line) const {
    if (const Index* const next = line.Front()) golden::Prefetch(&items_[*next], 1);
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
    for (const Index index : free_) is_free[index] = true;
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
  std::vector<Index> free_;
};

}  // namespace tilefly::golden
