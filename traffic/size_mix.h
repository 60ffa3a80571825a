// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilefly {

/// A mix of frame sizes (bytes, FCS included), written as `64,1024*0.5,4096`: weights are shares of the frames,
/// default 1.
class SizeMix {
 public:
  /// Throws UsageError, which begins with `option`, for what is not a size in [least, most] or a positive weight.
  SizeMix(const std::string& text, int least, int most, const std::string& option = "--size");
  /// The size for 64 random bits.
  int Pick(std::uint64_t bits) const;
  /// The largest size.
  int largest() const;
  /// Mean of `value(size)` over the frames.
  template <typename Function>
  double Mean(Function value) const {
    double sum = 0;
    for (const Entry& entry : entries_) sum += entry.share * value(entry.size);
    return sum;
  }

 private:
  struct Entry {
    int size;
    double share;
    double up_to;  ///< cumulative share
  };
  std::vector<Entry> entries_;
};

}  // namespace tilefly
