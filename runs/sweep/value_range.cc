// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/value_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <limits>
#include <optional>

#include "support/errors.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

/// Of a number in a range, so that it is exact in 64 bits.
constexpr std::size_t kMostDigits = 15;

/// A number as it is written: digits without point, and how many of them stand behind it.
struct Decimal {
  std::int64_t digits = 0;
  int decimals = 0;
};

std::optional<Decimal> ParseDecimal(const std::string& text) {
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string::npos) {  // "1e4" and "1e-1" are the numbers that their digits and zeros are
    std::optional<Decimal> number = ParseDecimal(text.substr(0, e));
    const bool signed_power = text.find_first_of("+-", e) == e + 1;
    const std::string power = text.substr(e + (signed_power ? 2 : 1));
    if (!number || power.empty() || power.size() > 2 || power.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    const bool down = text[e + 1] == '-';
    for (int left = std::stoi(power); left > 0; --left) {
      if (down || number->decimals > 0) {
        number->decimals += down ? 1 : -1;
      } else if (__builtin_mul_overflow(number->digits, std::int64_t{10}, &number->digits)) {
        return std::nullopt;
      }
    }
    if (number->decimals > static_cast<int>(kMostDigits)) return std::nullopt;
    return number;
  }
  Decimal number;
  std::string digits;
  bool point = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      digits += c;
      number.decimals += point;
    } else if (i != 0 || c != '-') {
      return std::nullopt;
    }
  }
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  number.digits = std::strtoll(digits.c_str(), nullptr, 10) * (text.front() == '-' ? -1 : 1);
  return number;
}

struct Range {
  std::vector<Decimal> numbers;  ///< FROM, TO, STEP; empty: it is none
  std::string unit;              ///< behind each of them
};

/// "ns" of "100ns". An exponent without digits is none.
std::string UnitOf(const std::string& text) {
  std::size_t begin = text.size();
  while (begin > 0 && std::isalpha(static_cast<unsigned char>(text[begin - 1])) != 0) --begin;
  const std::string unit = text.substr(begin);
  return unit == "e" || unit == "E" ? "" : unit;
}

Range ParseRange(const std::string& text) {
  Range range;
  for (const std::string& part : Split(text, ':')) {
    const std::string unit = UnitOf(part);
    const std::optional<Decimal> number = ParseDecimal(part.substr(0, part.size() - unit.size()));
    if (!number || (!range.numbers.empty() && unit != range.unit)) return {};
    range.numbers.push_back(*number);
    range.unit = unit;
  }
  return range.numbers.size() == 3 ? range : Range{};
}

std::string TextOf(std::int64_t digits, int decimals) {
  if (decimals == 0) return std::to_string(digits);
  std::string text = fmt::format("{:0{}}", std::abs(digits), decimals + 1);
  text.insert(text.size() - static_cast<std::size_t>(decimals), ".");
  return (digits < 0 ? "-" : "") + text;
}

}  // namespace

bool IsRange(const std::string& text) { return !ParseRange(text).numbers.empty(); }

bool IsHalfRange(const std::string& text) {
  const std::string first = text.substr(0, text.find(':'));
  return first.size() < text.size() && ParseDecimal(first.substr(0, first.size() - UnitOf(first).size())) &&
         !IsRange(text);
}

std::string PlainNumber(const std::string& text) {
  const std::string unit = UnitOf(text);
  std::optional<Decimal> number = ParseDecimal(text.substr(0, text.size() - unit.size()));
  if (!number) return text;
  for (; number->decimals > 0 && number->digits % 10 == 0; --number->decimals) number->digits /= 10;
  return TextOf(number->digits, number->decimals) + unit;
}

std::vector<std::string> ValuesOfRange(const std::string& text, const std::string& option) {
  const Range range = ParseRange(text);
  int decimals = 0;
  for (const Decimal& number : range.numbers) decimals = std::max(decimals, number.decimals);
  __int128 scaled[3];
  for (int i = 0; i < 3; ++i) {
    scaled[i] = range.numbers[i].digits;
    for (int d = range.numbers[i].decimals; d < decimals; ++d) scaled[i] *= 10;
  }
  const auto [from, to, step] = scaled;
  if (step == 0 || (to - from) / step < 0 || (to != from && (to > from) != (step > 0))) {
    throw UsageError(fmt::format("{} {}: a step of {} does not lead from {} to {}; write FROM:TO:STEP, such as {}",
                                 option, text, Split(text, ':')[2], Split(text, ':')[0], Split(text, ':')[1],
                                 to < from ? "0.9:0.1:-0.1" : "0.1:0.9:0.1"));
  }
  if ((to - from) / step >= kMostPoints) {
    throw UsageError(fmt::format("{} {}: more than {} values; take a larger step", option, text, kMostPoints));
  }
  constexpr __int128 kMost = std::numeric_limits<std::int64_t>::max();
  if (std::max({from, to, -from, -to}) > kMost)
    throw UsageError(
        fmt::format("{} {}: its values have more digits than a number holds; write fewer", option, text));
  std::vector<std::string> values;
  for (__int128 i = 0; i <= (to - from) / step; ++i) {
    values.push_back(TextOf(static_cast<std::int64_t>(from + i * step), decimals) + range.unit);
  }
  return values;
}

}  // namespace tilefly::runs
