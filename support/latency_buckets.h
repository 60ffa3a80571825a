// SPDX-License-Identifier: Apache-2.0
// Latencies of one interval of a time series. There are many such intervals at a time, so latencies are kept by classes
// of a bounded relative width: exact below 128 cycles, within 1/64 above.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilefly {

class LatencyBuckets {
 public:
  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(counts_, count_, sum_);
    archive.Largest(max_);
  }

  /// `cycles` is not below 0.
  void Add(std::int64_t cycles) {
    const std::size_t bucket = BucketOf(cycles);
    if (bucket >= counts_.size()) counts_.resize(bucket + 1);
    ++counts_[bucket];
    ++count_;
    sum_ += cycles;
    max_ = std::max(max_, cycles);
  }
  void operator+=(const LatencyBuckets& other);

  std::int64_t count() const { return count_; }
  std::int64_t sum() const { return sum_; }
  /// 0 when empty.
  std::int64_t max() const { return max_; }
  double Mean() const { return count_ > 0 ? static_cast<double>(sum_) / static_cast<double>(count_) : 0; }
  /// A latency that at least this share (0 to 1) of the packets does not exceed: the smallest, or one that is above it by
  /// less than a 64th of it. 0 when empty.
  std::int64_t Quantile(double share) const;

 private:
  static constexpr int kFineBits = 6;  ///< buckets of an octave: 2^kFineBits

  static std::size_t BucketOf(std::int64_t cycles) {
    const auto value = static_cast<std::uint64_t>(cycles);
    if (value < std::uint64_t{2} << kFineBits) return static_cast<std::size_t>(value);
    const int shift = 63 - __builtin_clzll(value) - kFineBits;
    return (static_cast<std::size_t>(shift) << kFineBits) + static_cast<std::size_t>(value >> shift);
  }
  static std::int64_t LargestOf(std::size_t bucket);

  std::vector<std::uint32_t> counts_;
  std::int64_t count_ = 0;
  std::int64_t sum_ = 0;
  std::int64_t max_ = 0;
};

}  // namespace tilefly
