// SPDX-License-Identifier: Apache-2.0
// Summands for reproducible sums.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "golden/reduction/repsum.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

/// Finite doubles of one sum: exponents over the whole range, over some bins, or all alike; some are the opposite of
/// others, zeros, or whole powers of two.
inline std::vector<double> SummandsOf(const Stimulus& random, Cycle sum) {
  const auto count = 1 + random.Below(random.Chance(32, "many", sum) ? 400 : 12, "count", sum);
  constexpr std::array<std::uint64_t, 5> kSpreads = {2047, 300, 130, 41, 1};
  const std::uint64_t spread = kSpreads[random.Below(kSpreads.size(), "spread", sum)];
  const std::uint64_t lowest = random.Below(2048 - spread, "lowest", sum);
  std::vector<double> summands;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t bits = random.Bits("summand", sum, i);
    const std::uint64_t exponent = lowest + random.Below(spread, "exponent", sum, i);
    const std::uint64_t fraction = random.Chance(32, "power of two", sum, i) ? 0 : bits >> 12;
    std::uint64_t summand = (bits & 1) << 63 | exponent << 52 | fraction;
    if (random.Chance(8, "zero", sum, i)) summand &= std::uint64_t{1} << 63;
    double value;
    std::memcpy(&value, &summand, sizeof value);
    if (i > 0 && random.Chance(48, "opposite", sum, i)) value = -summands[random.Below(i, "of which", sum, i)];
    summands.push_back(value);
  }
  return summands;
}

/// A partial sum that a host might have made by itself: any bins, any M and flags.
inline golden::RepSum AnyRepSum(const Stimulus& random, Cycle number, std::uint32_t index) {
  golden::RepSum sum;
  for (std::uint32_t i = 0; i < sum.t.size(); ++i) {
    const int bits = std::min(64, random.Between(0, 90, "bits of a bin", number, 4 * index + i));
    const std::uint64_t any = random.Bits("bin", number, 4 * index + i);
    sum.t[i] = bits == 0 ? 0 : static_cast<std::uint64_t>(static_cast<std::int64_t>(any) >> (64 - bits));
  }
  const int around = random.Between(-26, 25, "around", number);
  const int kind = random.Between(0, 15, "kind of m", number, index);
  sum.m = static_cast<std::int8_t>(kind == 0   ? random.Between(-128, 127, "any m", number, index)
                                   : kind == 1 ? random.Between(124, 127, "special m", number, index)
                                   : kind == 2 ? random.Between(-27, 26, "far m", number, index)
                                               : around + random.Between(0, 4, "near m", number, index));
  sum.low = static_cast<std::uint8_t>(random.Below(8, "low", number, index));
  sum.ovfl = static_cast<std::uint8_t>(
      random.Chance(32, "wrapped", number, index) ? random.Below(4, "ovfl", number, index) : 0);
  return sum;
}

}  // namespace tilefly::bench
