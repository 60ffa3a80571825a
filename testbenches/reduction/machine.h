// SPDX-License-Identifier: Apache-2.0
// The reference of the combiners' arithmetic: the machine's own, with its rounding modes, flags and comparisons. What
// docs/blocks/arithmetic.md says otherwise than IEEE 754 (NaNs, flushing) is put around it. The short formats, which
// the machine does not have, are summed as doubles and rounded by adding a number so large that nothing below their
// last place remains.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "testbenches/reduction/trial.h"

namespace tilefly::bench {

/// What the reference knows of a format: widths and the largest value.
template <typename BitsT, typename NumberT, int kFractionBits, int kLowestPower>
struct MachineFormat {
  using Bits = BitsT;
  using Number = NumberT;  ///< of the machine, in which its values are exact
  static constexpr int kFraction = kFractionBits;
  static constexpr int kLowest = kLowestPower;  ///< power of two of the lowest normal value
  static constexpr bool kShort = sizeof(Bits) == 2;
  static constexpr int kExponentBits = static_cast<int>(8 * sizeof(Bits)) - 1 - kFraction;
};
using MachineFloat16 = MachineFormat<std::uint16_t, double, 10, -14>;
using MachineBfloat16 = MachineFormat<std::uint16_t, double, 7, -126>;
using MachineFloat32 = MachineFormat<std::uint32_t, float, 23, -126>;
using MachineFloat64 = MachineFormat<std::uint64_t, double, 52, -1022>;

template <typename To, typename From>
To SameBits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

template <typename M>
typename M::Number Decoded(typename M::Bits bits) {
  if constexpr (M::kShort) {
    const int exponent = bits >> M::kFraction & ((1 << M::kExponentBits) - 1);
    const int fraction = bits & ((1 << M::kFraction) - 1);
    const bool special = exponent == (1 << M::kExponentBits) - 1;
    const double magnitude = special ? (fraction != 0 ? std::nan("") : HUGE_VAL)
                             : exponent == 0
                                 ? std::ldexp(fraction, M::kLowest - M::kFraction)
                                 : std::ldexp(fraction + (1 << M::kFraction), M::kLowest - M::kFraction + exponent - 1);
    return bits >> 15 ? -magnitude : magnitude;
  } else {
    return SameBits<typename M::Number>(bits);
  }
}

/// Bits of a value that the format has.
template <typename M>
typename M::Bits Encoded(typename M::Number value) {
  using Bits = typename M::Bits;
  if constexpr (M::kShort) {
    const auto sign = static_cast<Bits>(std::signbit(value) ? 0x8000 : 0);
    const double magnitude = std::fabs(value);
    if (std::isinf(magnitude)) return static_cast<Bits>(sign | ((1 << M::kExponentBits) - 1) << M::kFraction);
    // A step of the exponent is as many patterns as there are fractions.
    const auto wide = SameBits<std::uint64_t>(magnitude) >> (52 - M::kFraction);
    const auto steps = static_cast<std::uint64_t>(1023 + M::kLowest - 1) << M::kFraction;
    const bool normal = magnitude >= std::ldexp(1.0, M::kLowest);
    return static_cast<Bits>(
        sign |
        (normal ? wide - steps : static_cast<std::uint64_t>(magnitude * std::ldexp(1.0, M::kFraction - M::kLowest))));
  } else {
    return SameBits<Bits>(value);
  }
}

/// The sum as the format has it, were its exponent without an upper end, and whether it is not exact.
struct ShortResult {
  double value;
  bool inexact;
};

/// In the machine's rounding mode.
template <typename M>
inline ShortResult RoundedShortSum(double a, double b) {
  const double sum = a + b;
  // 2^e of sum = 1.f * 2^e, and a number whose last place is that of the result.
  const double power = SameBits<double>(SameBits<std::uint64_t>(sum) & 0x7ff0'0000'0000'0000u);
  const double lowest = M::kLowest == -14 ? 0x1p-14 : 0x1p-126;
  const double large = std::copysign(1.5 * (1ull << (52 - M::kFraction)) * (power > lowest ? power : lowest), sum);
  const double rounded = sum == 0 ? sum : (sum + large) - large;
  return {rounded, rounded != sum || sum - a != b || sum - b != a};
}

/// Largest finite value of a short format.
template <typename M>
constexpr double kLargestShort = M::kLowest == -14 ? 65504.0 : 0x1.fep127;

/// combine(a, b) with `use`.
Combined MachineCombined(const Trial& trial);

}  // namespace tilefly::bench
