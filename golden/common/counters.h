// SPDX-License-Identifier: Apache-2.0
// Counters of the ports (docs/reference/counters.md).
#pragma once

#include <array>
#include <vector>

#include "generated/registers.h"
#include "golden/common/prefetch.h"
#include "golden/common/types.h"

namespace tilefly::golden {

class Counters {
 public:
  explicit Counters(int ports) : counts_(ports) {}

  void Count(int port, Drop reason) { ++counts_[port][static_cast<int>(reason)]; }
  void Count(int port, Counter counter) { ++counts_[port][static_cast<int>(counter)]; }
  void Prefetch() const { golden::Prefetch(counts_); }
  /// Counter `index` of the port: a counter_e, or a drop reason. Returns 0 for a counter that does not exist.
  std::uint64_t Read(int port, int index) const {
    return index >= 0 && index < kSize ? counts_[port][index] : 0;
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(counts_);
  }

 private:
  static constexpr int kSize = static_cast<int>(kCounterValues.back()) + 1;
  std::vector<std::array<std::uint64_t, kSize>> counts_;
};

}  // namespace tilefly::golden
