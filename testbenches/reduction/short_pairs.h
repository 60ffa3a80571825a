// SPDX-License-Identifier: Apache-2.0
// All pairs of a short format, 16 in a word, with their results: sums by the machine's doubles, minima and maxima from
// the place of each pattern in the order of all (docs/blocks/arithmetic.md, Tests).
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "testbenches/bench/settings.h"
#include "testbenches/reduction/machine.h"

namespace tilefly::bench {

/// Every so-manieth b that a tier puts to each a.
inline int ShortPairsStride(Tier tier) { return tier == Tier::kFull ? 1 : tier == Tier::kCi ? 256 : 4096; }

template <typename M>
class ShortPairs {
 public:
  static constexpr int kPatterns = 1 << 16;
  static constexpr int kLanes = 16;

  ShortPairs(RedOp op, int stride)
      : op_(op), stride_(stride), numbers_(kPatterns), patterns_(kPatterns), rank_(kPatterns) {
    for (int i = 0; i < kPatterns; ++i) numbers_[At(i)] = Decoded<M>(static_cast<std::uint16_t>(i));
    RankPatterns();
  }

  /// Words of 16 pairs.
  std::int64_t words() const { return std::int64_t{kPatterns} * (kPatterns / stride_) / kLanes; }

  Trial At(std::int64_t word) const {
    Trial trial;
    trial.operation.op = op_;
    trial.operation.type = M::kFraction == 10 ? RedType::kFloat16 : RedType::kBfloat16;
    const std::int64_t per_a = kPatterns / stride_;
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::int64_t pair = word * kLanes + static_cast<std::int64_t>(i);
      const auto a = static_cast<std::uint64_t>(pair / per_a);
      // Where the stride leaves most out, each a meets others.
      const std::uint64_t phase =
          stride_ == 1 ? 0 : Mix64(static_cast<std::uint64_t>(pair)) % static_cast<std::uint64_t>(stride_);
      PutLane(&trial.a, i, static_cast<std::uint16_t>(a));
      PutLane(&trial.b, i, static_cast<std::uint16_t>(pair % per_a * stride_ + static_cast<std::int64_t>(phase)));
    }
    return trial;
  }

  Combined Expected(const Trial& trial) const {
    Combined result;
    for (std::size_t i = 0; i < kLanes; ++i) {
      const auto a = GetLane<std::uint16_t>(trial.a, i), b = GetLane<std::uint16_t>(trial.b, i);
      if (Signalling(a) || Signalling(b)) result.flags |= golden::kInvalidFlag;
      PutLane(&result.y, i, op_ == RedOp::kSum ? Sum(a, b, &result.flags) : Chosen(a, b));
    }
    return result;
  }

 private:
  static constexpr int kQuietNan = ((1 << (M::kExponentBits + 1)) - 1) << (M::kFraction - 1);
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  bool Signalling(std::uint16_t bits) const {
    return std::isnan(numbers_[bits]) && (bits & (1 << (M::kFraction - 1))) == 0;
  }

  /// Sorts all patterns by their numbers, zeros by their sign; MIN has NaNs before all, MAX behind.
  void RankPatterns() {
    std::iota(patterns_.begin(), patterns_.end(), 0);
    const auto key = [&](int pattern) {
      const double number = numbers_[At(pattern)];
      if (std::isnan(number)) return std::pair(op_ == RedOp::kMin ? -HUGE_VAL : HUGE_VAL, op_ == RedOp::kMin ? -1 : 2);
      return std::pair(number, std::signbit(number) ? 0 : 1);
    };
    std::sort(patterns_.begin(), patterns_.end(), [&](int a, int b) { return key(a) < key(b); });
    for (int i = 0; i < kPatterns; ++i) rank_[At(patterns_[At(i)])] = i;
  }

  std::uint16_t Chosen(std::uint16_t a, std::uint16_t b) const {
    const std::uint16_t chosen = (op_ == RedOp::kMin) == (rank_[a] < rank_[b]) ? a : b;
    return std::isnan(numbers_[chosen]) ? static_cast<std::uint16_t>(kQuietNan) : chosen;
  }

  std::uint16_t Sum(std::uint16_t a, std::uint16_t b, std::uint8_t* flags) const {
    const double x = numbers_[a], y = numbers_[b];
    const double any = x + y;
    if (std::isnan(any)) {
      if (!std::isnan(x) && !std::isnan(y)) *flags |= golden::kInvalidFlag;
      return static_cast<std::uint16_t>(kQuietNan);
    }
    if (std::isinf(any)) return Encoded<M>(any);
    const ShortResult sum = RoundedShortSum<M>(x, y);
    if (sum.inexact) *flags |= golden::kInexactFlag;
    if (std::fabs(sum.value) <= kLargestShort<M>) return Encoded<M>(sum.value);
    *flags |= golden::kOverflowFlag | golden::kInexactFlag;
    return Encoded<M>(std::copysign(HUGE_VAL, sum.value));
  }

  RedOp op_;
  int stride_;
  std::vector<double> numbers_;
  std::vector<int> patterns_;
  std::vector<int> rank_;
};

}  // namespace tilefly::bench
