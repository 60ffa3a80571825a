// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tilefly {

/// Exact distribution of latencies in cycles.
class LatencyHistogram {
 public:
  void Add(std::int64_t cycles);
  void Merge(const LatencyHistogram& other);
  std::int64_t count() const { return count_; }
  /// Smallest latency that at least this share (0 to 1) of the packets does not exceed. 0 when empty.
  std::int64_t Quantile(double share) const;
  double Mean() const { return count_ > 0 ? static_cast<double>(sum_) / static_cast<double>(count_) : 0; }
  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(packets_, far_, count_, sum_);
  }
  /// (cycles, packets), increasing, without empty entries.
  std::vector<std::pair<std::int64_t, std::int64_t>> Entries() const;

 private:
  static constexpr std::int64_t kDense = std::int64_t{1} << 20;

  std::vector<std::int64_t> packets_;         ///< by latency below kDense
  std::map<std::int64_t, std::int64_t> far_;  ///< of the others
  std::int64_t count_ = 0;
  std::int64_t sum_ = 0;
};

}  // namespace tilefly
