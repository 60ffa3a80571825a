// SPDX-License-Identifier: Apache-2.0
// What a reproducible sum must be, bin by bin, without adding partial sums (docs/blocks/arithmetic.md, Reproducible
// sum).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "golden/reduction/repsum.h"

namespace tilefly::bench {

/// Highest bin of a double: floor(e / 40) of its exponent, that of the lowest normal number for what is lower.
inline int HighestBin(double value) {
  const int exponent = value == 0 ? -1022 : std::max(std::ilogb(value), -1022);
  return static_cast<int>(std::floor(exponent / 40.0));
}

/// Of finite summands, all together: each is cut at the last window.
inline golden::RepSum SumOfWindows(const std::vector<double>& summands) {
  golden::RepSum sum;
  sum.m = golden::RepSum::kLowestM;
  for (const double value : summands) sum.m = static_cast<std::int8_t>(std::max<int>(sum.m, HighestBin(value)));
  for (const double value : summands) {
    double rest = std::fabs(value);
    int lowest = -100;  // bin of the last piece
    for (int bin = HighestBin(value); rest != 0; --bin) {
      // The bin's weight may be less than any double: the last ones are taken by the power of two.
      const double piece = std::floor(std::ldexp(rest, -40 * bin));
      rest -= std::ldexp(piece, 40 * bin);
      if (piece != 0) lowest = bin;
      const int at = 3 - (sum.m - bin);
      if (at < 0) continue;
      const auto digit = static_cast<std::uint64_t>(piece);
      sum.t[static_cast<std::size_t>(at)] += value < 0 ? -digit : digit;
    }
    if (value != 0) sum.low = static_cast<std::uint8_t>(std::max<int>(sum.low, std::min(5, 1 + sum.m - lowest)));
  }
  return sum;
}

}  // namespace tilefly::bench
