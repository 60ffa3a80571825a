// SPDX-License-Identifier: Apache-2.0
// Integers of 2304 bits in units of 2^-1216: sums of doubles without any rounding, the reference of reproducible sums.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace tilefly::bench {

class ExactNumber {
 public:
  static constexpr int kUnit = -1216;  ///< power of two

  /// Adds value * 2^power, for the powers from kUnit on for which nothing is lost at the top.
  void Add(std::int64_t value, int power) {
    const int at = power - kUnit;
    __extension__ using Wide = __int128;
    Wide carry = Wide{value} * (std::int64_t{1} << (at % 32));
    for (std::size_t i = static_cast<std::size_t>(at / 32); i < words_.size(); ++i) {
      carry += words_[i];
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  void Add(const ExactNumber& other) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      carry += std::uint64_t{words_[i]} + other.words_[i];
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  /// A finite double.
  void Add(double value) {
    int power = 0;
    const double fraction = std::frexp(value, &power);
    Add(static_cast<std::int64_t>(std::ldexp(fraction, 53)), power - 53);
  }

  bool negative() const { return words_.back() >> 31 != 0; }
  /// Rounded to nearest even; +0 for zero.
  double Rounded() const {
    if (negative()) return -Negated().Rounded();
    int top = kBits - 1;
    while (top >= 0 && !Bit(top)) --top;
    if (top < 0) return 0;
    const int last = std::max(top - 52, -1074 - kUnit);  // the last place that is kept
    std::uint64_t kept = 0;
    for (int i = top; i >= last; --i) kept = 2 * kept + Bit(i);
    bool behind = false;
    for (int i = last - 2; i >= 0; --i) behind |= Bit(i);
    if (Bit(last - 1) && (behind || kept % 2 != 0)) ++kept;
    return std::ldexp(static_cast<double>(kept), last + kUnit);
  }
  ExactNumber Negated() const {
    ExactNumber result;
    std::uint64_t carry = 1;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      carry += static_cast<std::uint32_t>(~words_[i]);
      result.words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return result;
  }

 private:
  static constexpr int kBits = 2304;
  bool Bit(int at) const { return words_[static_cast<std::size_t>(at / 32)] >> (at % 32) & 1; }
  std::array<std::uint32_t, kBits / 32> words_{};
};

}  // namespace tilefly::bench
