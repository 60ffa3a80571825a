// SPDX-License-Identifier: Apache-2.0
// The reproducible sum: a sum of doubles that is the same for any order and any tree (docs/blocks/arithmetic.md,
// Reproducible sum).
#pragma once

#include <array>
#include <cstdint>

namespace tilefly::golden {

/// A partial sum.
struct RepSum {
  static constexpr int kLowestM = -26;
  static constexpr int kHighestM = 25;
  static constexpr int kMinusInfinity = 125;
  static constexpr int kInfinity = 126;
  static constexpr int kNan = 127;

  std::array<std::uint64_t, 4>
      t{};                ///< bins, two's complement; t[3] has the weight 2^(40 m), each lower one 2^-40 of it
  std::int8_t m = 0;      ///< highest bin, or a special value
  std::uint8_t ovfl = 0;  ///< some bin wrapped
  std::uint8_t low = 0;   ///< 1 + distance of the lowest bin used from m, 5: bits were lost; 0: none used

  friend bool operator==(const RepSum& a, const RepSum& b) {
    return a.t == b.t && a.m == b.m && a.ovfl == b.ovfl && a.low == b.low;
  }
};

/// Makes a partial sum of a double (a host does it).
RepSum FromDouble(double value);
/// Makes a double of a partial sum (a host does it): the exact value, rounded once to nearest even.
double ToDouble(const RepSum& sum);
RepSum Add(const RepSum& a, const RepSum& b);
/// What `tilefly_repsum` makes with `use`: bit 0 says that a counts, bit 1 that b counts.
RepSum Add(int use, const RepSum& a, const RepSum& b);

}  // namespace tilefly::golden
