// SPDX-License-Identifier: Apache-2.0
#include "support/latency_buckets.h"

#include <cmath>

namespace tilefly {

void LatencyBuckets::operator+=(const LatencyBuckets& other) {
  if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  max_ = std::max(max_, other.max_);
}

std::int64_t LatencyBuckets::LargestOf(std::size_t bucket) {
  constexpr std::size_t kExact = std::size_t{2} << kFineBits;
  if (bucket < kExact) return static_cast<std::int64_t>(bucket);
  const std::size_t shift = (bucket >> kFineBits) - 1;
  const std::size_t value = bucket - (shift << kFineBits);
  return static_cast<std::int64_t>(((std::uint64_t{value} + 1) << shift) - 1);
}

std::int64_t LatencyBuckets::Quantile(double share) const {
  const auto rank =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_))));
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= rank) return std::min(LargestOf(i), max_);
  }
  return 0;
}

}  // namespace tilefly
