// SPDX-License-Identifier: Apache-2.0
// The floating-point sum of two lanes (docs/blocks/arithmetic.md, SUM), by the machine's IEEE arithmetic: it rounds to
// nearest, and what it lost is a number too, which tells of the other roundings and of exactness. So neither its
// rounding mode nor its flags are touched. float32 and float64 are the machine's own; the short formats are summed as
// doubles and rounded to odd there, which a second rounding does not show.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "golden/reduction/arithmetic.h"
#include "golden/reduction/float_format.h"

namespace tilefly::golden {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);

/// a + b = sum + error, exactly; no step overflows unless `sum` does (Dekker's, of the larger and the smaller).
template <typename T>
struct ExactSum {
  ExactSum(T a, T b) {
    const bool ordered = std::fabs(a) >= std::fabs(b);
    sum = a + b;
    error = (ordered ? b : a) - (sum - (ordered ? a : b));
  }
  T sum;
  T error;
};

/// Magnitude of the sum rounded towards zero.
template <typename F, typename T>
typename F::Bits Truncated(const ExactSum<T>& exact) {
  const auto magnitude = F::Magnitude(BitCast<typename F::Bits>(exact.sum));
  const bool beyond = exact.error != 0 && std::signbit(exact.error) != std::signbit(exact.sum);
  return static_cast<typename F::Bits>(magnitude - beyond);
}

/// Sum of finite numbers that is not zero, in one of the machine's formats.
template <typename F, typename T>
Rounded MachineSum(T a, T b, RedRnd rnd) {
  ExactSum<T> exact(a, b);
  std::uint64_t raise = 0;
  if (!std::isfinite(exact.sum)) {  // the halves are exact: neither is small
    exact = ExactSum<T>(a / 2, b / 2);
    raise = F::kLowestNormal;
  }
  const bool negative = std::signbit(exact.sum);
  const bool inexact = exact.error != 0;
  const auto magnitude = rnd == RedRnd::kNearest ? F::Magnitude(BitCast<typename F::Bits>(exact.sum))
                                                 : Truncated<F>(exact) + (inexact && AwayFromZero(rnd, negative));
  return {negative, inexact, magnitude + raise};
}

/// The number that `bits` of a short format stand for.
template <typename F>
double Widened(typename F::Bits bits) {
  constexpr int kShift = Float64::kFraction - F::kFraction;
  constexpr std::uint64_t kRebias = static_cast<std::uint64_t>(F::kLowestExponent - Float64::kLowestExponent);
  // A subnormal is read as a normal one of the lowest exponent, which has a one too much.
  const bool subnormal = F::Magnitude(bits) < F::kLowestNormal;
  const std::uint64_t magnitude = F::Magnitude(bits) + (subnormal ? F::kLowestNormal : 0u);
  const double value = BitCast<double>((magnitude << kShift) + (kRebias << Float64::kFraction));
  const double right = subnormal ? value - BitCast<double>((kRebias + 1) << Float64::kFraction) : value;
  return F::IsNegative(bits) ? -right : right;
}

/// The same in a short format.
template <typename F>
Rounded ShortSum(double a, double b, RedRnd rnd) {
  const ExactSum<double> exact(a, b);
  const std::uint64_t magnitude = Truncated<Float64>(exact) | (exact.error != 0);
  const int exponent = static_cast<int>(magnitude >> Float64::kFraction) - 1 + Float64::kLowestExponent;
  const std::uint64_t significand = (magnitude << 11) | std::uint64_t{1} << 63;
  return Round<F>(std::signbit(exact.sum), significand, exponent, rnd);
}

template <typename F>
Rounded SumOfNumbers(typename F::Bits a, typename F::Bits b, RedRnd rnd) {
  if constexpr (sizeof(typename F::Bits) == 2) {
    return ShortSum<F>(Widened<F>(a), Widened<F>(b), rnd);
  } else {
    using T = std::conditional_t<sizeof(typename F::Bits) == 4, float, double>;
    return MachineSum<F, T>(BitCast<T>(a), BitCast<T>(b), rnd);
  }
}

/// The sum, where an operand is infinite or a NaN. Sets flags.
template <typename F>
typename F::Bits SumOfOthers(typename F::Bits a, typename F::Bits b, std::uint8_t* flags) {
  if (F::IsNan(a) || F::IsNan(b)) {
    if (F::IsSignalling(a) || F::IsSignalling(b)) *flags |= kInvalidFlag;
    return F::kNan;
  }
  if (F::IsFinite(a)) return b;
  if (F::IsFinite(b) || a == b) return a;
  *flags |= kInvalidFlag;
  return F::kNan;
}

/// One lane of SUM. Sets flags.
template <typename F>
typename F::Bits SumLane(typename F::Bits a, typename F::Bits b, RedRnd rnd, bool ftz, std::uint8_t* flags) {
  using Bits = typename F::Bits;
  if (ftz) {
    a = F::Flushed(a);
    b = F::Flushed(b);
  }
  if (!F::IsFinite(a) || !F::IsFinite(b)) return SumOfOthers<F>(a, b, flags);
  if (static_cast<Bits>(a ^ b) == F::kSign) return rnd == RedRnd::kDown ? F::kSign : Bits{0};
  if (F::Magnitude(a) == 0 && F::Magnitude(b) == 0) return a;
  const Rounded sum = SumOfNumbers<F>(a, b, rnd);
  const Bits sign = sum.negative ? F::kSign : Bits{0};
  if (sum.inexact) *flags |= kInexactFlag;
  if (sum.magnitude >= F::kInfinity) {
    *flags |= kOverflowFlag | kInexactFlag;
    const bool infinite = rnd == RedRnd::kNearest || AwayFromZero(rnd, sum.negative);
    return static_cast<Bits>(sign | (infinite ? F::kInfinity : F::kInfinity - 1));
  }
  if (ftz && sum.magnitude < F::kLowestNormal) {  // not zero
    *flags |= kInexactFlag;
    return sign;
  }
  return static_cast<Bits>(sign | sum.magnitude);
}

}  // namespace tilefly::golden
