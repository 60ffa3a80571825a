// SPDX-License-Identifier: Apache-2.0
// Binary floating-point formats as integers: sign, exponent, fraction (docs/blocks/arithmetic.md, Floating point). A
// *magnitude* is exponent and fraction as one integer, in which the next value away from zero is one more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "generated/registers.h"

namespace tilefly::golden {

template <typename BitsT, int kFractionBits>
struct FloatFormat {
  using Bits = BitsT;
  static constexpr bool kFloat = true;
  static constexpr int kFraction = kFractionBits;
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  static constexpr Bits kLowestNormal = static_cast<Bits>(Bits{1} << kFraction);
  static constexpr Bits kInfinity = static_cast<Bits>(kSign - kLowestNormal);
  static constexpr Bits kQuiet = static_cast<Bits>(Bits{1} << (kFraction - 1));
  static constexpr Bits kNan = kInfinity | kQuiet;  ///< the canonical one
  /// Power of two of the lowest normal value.
  static constexpr int kLowestExponent = 2 - static_cast<int>(kInfinity >> (kFraction + 1)) - 1;

  static constexpr Bits Magnitude(Bits bits) { return static_cast<Bits>(bits & ~kSign); }
  static constexpr bool IsNegative(Bits bits) { return (bits & kSign) != 0; }
  static constexpr bool IsFinite(Bits bits) { return Magnitude(bits) < kInfinity; }
  static constexpr bool IsNan(Bits bits) { return Magnitude(bits) > kInfinity; }
  static constexpr bool IsSignalling(Bits bits) { return IsNan(bits) && (bits & kQuiet) == 0; }
  /// Zero of its sign for a subnormal number.
  static constexpr Bits Flushed(Bits bits) { return Magnitude(bits) < kLowestNormal ? bits & kSign : bits; }
};

using Float16 = FloatFormat<std::uint16_t, 10>;
using Bfloat16 = FloatFormat<std::uint16_t, 7>;
using Float32 = FloatFormat<std::uint32_t, 23>;
using Float64 = FloatFormat<std::uint64_t, 52>;

/// The same bits as another type of the same size.
template <typename To, typename From>
To BitCast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// A value of a format F before it is known to have a place in it.
struct Rounded {
  bool negative;
  bool inexact;
  std::uint64_t magnitude;  ///< F::kInfinity or more: beyond the largest finite value
};

/// Whether `rnd` takes an inexact value of this sign away from zero. NEAREST does not say.
constexpr bool AwayFromZero(RedRnd rnd, bool negative) { return rnd == (negative ? RedRnd::kDown : RedRnd::kUp); }

/// Rounds significand * 2^(exponent - 63), whose bit 63 is set, once. Bit 0 may stand for any bits lost behind it.
template <typename F>
Rounded Round(bool negative, std::uint64_t significand, int exponent, RedRnd rnd) {
  constexpr std::uint64_t kOne = 1;
  const int below = std::max(0, F::kLowestExponent - exponent);
  int shift = 63 - F::kFraction + below;
  if (shift > 63) {  // no bit has a place; those behind a half count together
    const int far = std::min(shift - 63, 63);
    significand = significand >> far | ((significand & ((kOne << far) - 1)) != 0);
    shift = 63;
  }
  const std::uint64_t kept = significand >> shift;
  const std::uint64_t lost = significand - (kept << shift);
  const std::uint64_t half = kOne << (shift - 1);
  const bool up = rnd == RedRnd::kNearest ? lost > half || (lost == half && (kept & 1) != 0)
                                          : lost != 0 && AwayFromZero(rnd, negative);
  // The leading one of a normal value counts as one step of the exponent.
  const auto steps = static_cast<std::uint64_t>(exponent + below - F::kLowestExponent);
  return {negative, lost != 0, (steps << F::kFraction) + kept + up};
}

}  // namespace tilefly::golden
