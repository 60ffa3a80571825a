// SPDX-License-Identifier: Apache-2.0
// Counters of the ports (docs/reference/counters.md). Those of a kind are neighbours in memory, because a switch counts
// few kinds, at all of its ports.
#pragma once

#include <array>
#include <vector>

#include "generated/registers.h"
#include "golden/common/prefetch.h"
#include "golden/common/types.h"

namespace tilefly::golden {

class Counters {
 public:
  explicit Counters(int ports) : ports_(ports), counts_(static_cast<std::size_t>(kSize * ports)) {}

  void Count(int port, Drop reason) { ++counts_[At(static_cast<int>(reason), port)]; }
  void Count(int port, Counter counter) { ++counts_[At(static_cast<int>(counter), port)]; }
  void Add(int port, Counter counter, int times) {
    counts_[At(static_cast<int>(counter), port)] += static_cast<std::uint64_t>(times);
  }
  /// Asks for those that every packet counts.
  void Prefetch() const {
    for (const Counter counter : {Counter::kRxPackets, Counter::kTxPackets})
      golden::Prefetch(&counts_[At(static_cast<int>(counter), 0)], ports_ * sizeof(std::uint64_t));
  }
  /// Counter `index` of the port: a counter_e, or a drop reason. Returns 0 for a counter that does not exist.
  std::uint64_t Read(int port, int index) const {
    return index >= 0 && index < kSize ? counts_[At(index, port)] : 0;
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(counts_);
  }

 private:
  static constexpr int kSize = static_cast<int>(kCounterValues.back()) + 1;

  std::size_t At(int index, int port) const { return static_cast<std::size_t>(index * ports_ + port); }

  int ports_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace tilefly::golden
