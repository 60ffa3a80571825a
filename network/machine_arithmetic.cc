// SPDX-License-Identifier: Apache-2.0
#include "network/machine_arithmetic.h"

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace tilefly::network {
namespace {

/// A floating format: significant bits, exponents of the smallest and largest normal numbers.
struct Format {
  int precision;
  int least;
  int most;
};
constexpr Format kFloat16{11, -14, 15}, kBfloat16{8, -126, 127};

const Format& FormatOf(RedType type) { return type == RedType::kFloat16 ? kFloat16 : kBfloat16; }

}  // namespace

Element MachineArithmetic::Drawn(std::uint64_t bits) const {
  const int width = 8 * golden::LaneBytes(type_);
  Element element;
  if (is_float()) {
    const auto significand = static_cast<double>(1 + bits % 127);
    const int exponent = static_cast<int>(bits >> 8 & 7) - 4;
    element.real = std::ldexp((bits >> 16 & 1) != 0 ? -significand : significand, exponent);
  } else {
    element.whole = static_cast<std::int64_t>(bits) >> (64 - width);
  }
  // Few values of an index, so that equal ones meet.
  element.index = (bits >> 20) & 0xff;
  return element;
}

/// Of a pair of records that meet, whether the smaller value wins.
bool MachineArithmetic::TakesLeast(int number) const {
  if (op_ == RedOp::kMinmaxloc || op_ == RedOp::kMinmaxnumloc) return number % 2 == 0;
  return op_ == RedOp::kMin || op_ == RedOp::kMinloc || op_ == RedOp::kMinnum;
}

Element MachineArithmetic::Combined(const Element& a, const Element& b, int number) const {
  Element result = a;
  switch (op_) {
    case RedOp::kSum: {
      if (is_float()) {
        result.real = Rounded(a.real + b.real);
        return result;
      }
      const int unused = 64 - 8 * golden::LaneBytes(type_);
      const std::uint64_t sum = static_cast<std::uint64_t>(a.whole) + static_cast<std::uint64_t>(b.whole);
      result.whole = static_cast<std::int64_t>(sum << unused) >> unused;
      return result;
    }
    case RedOp::kAnd:
      result.whole = a.whole & b.whole;
      return result;
    case RedOp::kOr:
      result.whole = a.whole | b.whole;
      return result;
    case RedOp::kXor:
      result.whole = a.whole ^ b.whole;
      return result;
    default:
      break;
  }
  const bool equal = is_float() ? a.real == b.real : a.whole == b.whole;
  if (equal) return a.index <= b.index ? a : b;
  const bool a_is_less = is_float() ? a.real < b.real : a.whole < b.whole;
  return a_is_less == TakesLeast(number) ? a : b;
}

/// The machine rounds a sum once, to the nearest, ties to even. A double has more than twice the bits of the narrower
/// formats and two, so that rounding its sum again is rounding the exact one (Figueroa, 1995).
double MachineArithmetic::Rounded(double value) const {
  if (type_ == RedType::kFloat64) return value;
  if (type_ == RedType::kFloat32) return static_cast<float>(value);
  if (value == 0 || !std::isfinite(value)) return value;
  const Format& format = FormatOf(type_);
  int exponent;
  std::frexp(value, &exponent);
  const int quantum = std::max(exponent, format.least + 1) - format.precision;
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
  return std::abs(rounded) < std::ldexp(1, format.most + 1) ? rounded : std::copysign(INFINITY, value);
}

std::uint64_t MachineArithmetic::BitsOf(double value) const {
  std::uint64_t bits = 0;
  if (type_ == RedType::kFloat64) {
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
  const auto single = static_cast<float>(value);
  if (type_ == RedType::kFloat32) {
    std::memcpy(&bits, &single, sizeof single);
    return bits;
  }
  const Format& format = FormatOf(type_);
  const int fraction_bits = format.precision - 1;
  const std::uint64_t sign = std::signbit(value) ? std::uint64_t{1} << 15 : 0;
  if (!std::isfinite(value)) return sign | static_cast<std::uint64_t>(2 * format.most + 1) << fraction_bits;
  int exponent = format.least + 1;
  if (value != 0) std::frexp(value, &exponent);
  exponent = std::max(exponent, format.least + 1);
  // Of a subnormal number the exponent field is 0, and there is no hidden bit to count into it.
  const auto fraction = static_cast<std::uint64_t>(std::ldexp(std::abs(value), format.precision - exponent));
  return sign | ((static_cast<std::uint64_t>(exponent - 1 - format.least) << fraction_bits) + fraction);
}

void MachineArithmetic::PutBits(std::uint64_t bits, std::vector<std::uint8_t>* bytes) const {
  for (int i = 0; i < golden::LaneBytes(type_); ++i) bytes->push_back(static_cast<std::uint8_t>(bits >> 8 * i));
}

void MachineArithmetic::Put(const Element& element, std::vector<std::uint8_t>* bytes) const {
  PutBits(is_float() ? BitsOf(element.real) : static_cast<std::uint64_t>(element.whole), bytes);
  if (golden::HasRecords(op_)) PutBits(element.index, bytes);
}

}  // namespace tilefly::network
