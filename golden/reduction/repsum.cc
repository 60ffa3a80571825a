// SPDX-License-Identifier: Apache-2.0
#include "golden/reduction/repsum.h"

#include <algorithm>

#include "golden/reduction/float_format.h"

namespace tilefly::golden {
namespace {

constexpr int kBinBits = 40;
constexpr int kBins = 4;
constexpr std::uint64_t kBinMask = (std::uint64_t{1} << kBinBits) - 1;
/// Of `low`: bits lay below the lowest bin.
constexpr int kBelow = 5;

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

RepSum Special(int m) {
  RepSum sum;
  sum.m = static_cast<std::int8_t>(m);
  return sum;
}

/// M, where what means nothing is a NaN.
int MeaningOf(const RepSum& sum) {
  const bool number = sum.m >= RepSum::kLowestM && sum.m <= RepSum::kHighestM;
  return number || sum.m >= RepSum::kMinusInfinity ? sum.m : RepSum::kNan;
}

int LowOf(const RepSum& sum) {
  for (int i = 0; i < kBins; ++i) {
    if (sum.t[static_cast<std::size_t>(i)] != 0) return std::max<int>(sum.low, kBins - i);
  }
  return sum.low;
}

/// Bin `i` of the window that begins `shift` bins higher.
std::uint64_t BinOf(const RepSum& sum, int i, int shift) {
  return i + shift < kBins ? sum.t[static_cast<std::size_t>(i + shift)] : 0;
}

/// The absolute value of the bins as digits of 40 bits, the highest first and larger.
struct Digits {
  explicit Digits(const std::array<std::uint64_t, 4>& t) {
    Carry(t, 1);
    negative = top < 0;
    if (negative) Carry(t, -1);
  }
  void Carry(const std::array<std::uint64_t, 4>& t, int sign) {
    SignedWide carry = 0;
    for (std::size_t i = 0; i < kBins; ++i) {
      carry += SignedWide{static_cast<std::int64_t>(t[i])} * sign;
      if (i + 1 == kBins) break;
      lower[i] = static_cast<std::uint64_t>(carry) & kBinMask;
      carry >>= kBinBits;
    }
    top = carry;
  }
  bool negative;
  SignedWide top;
  std::array<std::uint64_t, 3> lower;
};

}  // namespace

RepSum FromDouble(double value) {
  const auto bits = BitCast<std::uint64_t>(value);
  const bool negative = Float64::IsNegative(bits);
  if (Float64::IsNan(bits)) return Special(RepSum::kNan);
  if (!Float64::IsFinite(bits)) return Special(negative ? RepSum::kMinusInfinity : RepSum::kInfinity);
  const int biased = static_cast<int>(Float64::Magnitude(bits) >> Float64::kFraction);
  const std::uint64_t fraction = bits & (Float64::kLowestNormal - 1);
  const std::uint64_t significand = biased > 0 ? fraction | Float64::kLowestNormal : fraction;
  const int exponent = std::max(biased, 1) - 1023;
  const int m = (exponent + 1040) / kBinBits + RepSum::kLowestM;  // 1040 = 26 * 40: divides what is not negative
  const int offset = exponent - kBinBits * m;
  RepSum sum = Special(m);
  // Two bins of bits behind the point of t[3].
  const Wide spread = Wide{significand} << (offset + 2 * kBinBits - Float64::kFraction);
  for (int i = 1; i < kBins; ++i) {
    const auto piece =
        static_cast<std::uint64_t>(spread >> (kBinBits * (i - 1))) & (i < 3 ? kBinMask : ~std::uint64_t{0});
    sum.t[static_cast<std::size_t>(i)] = negative ? -piece : piece;
  }
  return sum;
}

double ToDouble(const RepSum& sum) {
  const int m = MeaningOf(sum);
  if (m == RepSum::kNan) return BitCast<double>(Float64::kNan);
  if (m > RepSum::kHighestM) {
    return BitCast<double>(Float64::kInfinity | (m == RepSum::kMinusInfinity ? Float64::kSign : 0));
  }
  const Digits digits(sum.t);
  // As many digits as make more than 64 bits; of the others only whether there is anything counts.
  auto value = static_cast<Wide>(digits.top);
  int exponent = kBinBits * m;
  bool more = false;
  for (int i = kBins - 2; i >= 0; --i) {
    const std::uint64_t digit = digits.lower[static_cast<std::size_t>(i)];
    if (value >> 66 != 0) {
      more |= digit != 0;
    } else {
      value = value << kBinBits | digit;
      exponent -= kBinBits;
    }
  }
  if (value == 0) return 0;
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const int zeros = high != 0 ? __builtin_clzll(high) : 64 + __builtin_clzll(static_cast<std::uint64_t>(value));
  value <<= zeros;
  const auto significand = static_cast<std::uint64_t>(value >> 64);
  more |= static_cast<std::uint64_t>(value) != 0;
  const Rounded rounded = Round<Float64>(digits.negative, significand | more, exponent + 127 - zeros, RedRnd::kNearest);
  const std::uint64_t magnitude = std::min<std::uint64_t>(rounded.magnitude, Float64::kInfinity);
  return BitCast<double>(magnitude | (rounded.negative ? Float64::kSign : 0));
}

RepSum Add(const RepSum& a, const RepSum& b) {
  const int of_a = MeaningOf(a), of_b = MeaningOf(b);
  const int most = std::max(of_a, of_b);
  if (most > RepSum::kHighestM) {
    const bool opposite = most == RepSum::kInfinity && std::min(of_a, of_b) == RepSum::kMinusInfinity;
    return Special(opposite ? RepSum::kNan : most);
  }
  RepSum sum = Special(most);
  const int shift_a = most - of_a, shift_b = most - of_b;
  bool wrapped = a.ovfl != 0 || b.ovfl != 0;
  for (int i = 0; i < kBins; ++i) {
    std::int64_t bin;
    wrapped |= __builtin_add_overflow(static_cast<std::int64_t>(BinOf(a, i, shift_a)),
                                      static_cast<std::int64_t>(BinOf(b, i, shift_b)), &bin);
    sum.t[static_cast<std::size_t>(i)] = static_cast<std::uint64_t>(bin);
  }
  const int low_a = LowOf(a), low_b = LowOf(b);
  sum.low = static_cast<std::uint8_t>(
      std::max(low_a == 0 ? 0 : std::min(kBelow, low_a + shift_a), low_b == 0 ? 0 : std::min(kBelow, low_b + shift_b)));
  sum.ovfl = wrapped;
  return sum;
}

RepSum Add(int use, const RepSum& a, const RepSum& b) {
  if (use == 3) return Add(a, b);
  return use == 0 ? RepSum{} : use == 1 ? a : b;
}

}  // namespace tilefly::golden
