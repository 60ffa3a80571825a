// SPDX-License-Identifier: Apache-2.0
#include "support/latency.h"

#include <algorithm>
#include <cmath>

namespace tilefly {

void LatencyHistogram::Add(std::int64_t cycles) {
  const auto at = static_cast<std::size_t>(cycles);
  if (cycles < kDense) {
    if (at >= packets_.size()) packets_.resize(std::max(at + 1, 2 * packets_.size()));
    ++packets_[at];
  } else {
    ++far_[cycles];
  }
  ++count_;
  sum_ += cycles;
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  if (other.packets_.size() > packets_.size()) packets_.resize(other.packets_.size());
  for (std::size_t i = 0; i < other.packets_.size(); ++i) packets_[i] += other.packets_[i];
  for (const auto& [cycles, packets] : other.far_) far_[cycles] += packets;
  count_ += other.count_;
  sum_ += other.sum_;
}

std::int64_t LatencyHistogram::Quantile(double share) const {
  const auto rank =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_))));
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < packets_.size(); ++i) {
    seen += packets_[i];
    if (seen >= rank) return static_cast<std::int64_t>(i);
  }
  for (const auto& [cycles, packets] : far_) {
    if ((seen += packets) >= rank) return cycles;
  }
  return 0;
}

std::vector<std::pair<std::int64_t, std::int64_t>> LatencyHistogram::Entries() const {
  std::vector<std::pair<std::int64_t, std::int64_t>> entries;
  for (std::size_t i = 0; i < packets_.size(); ++i) {
    if (packets_[i] > 0) entries.emplace_back(static_cast<std::int64_t>(i), packets_[i]);
  }
  entries.insert(entries.end(), far_.begin(), far_.end());
  return entries;
}

}  // namespace tilefly
