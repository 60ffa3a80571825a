// SPDX-License-Identifier: Apache-2.0
#include "support/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "support/errors.h"

namespace tilefly {
namespace {

std::size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

template <typename Number>
Number Parse(const std::string& text, const std::string& what, const char* kind) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) throw UsageError(fmt::format("{}: '{}' is not {}", what, text, kind));
  return value;
}

/// The value of a whole number with an exponent: "1e4", "2.5e3"; nothing when it is no such number, or too large.
std::optional<std::int64_t> WithExponent(const std::string& text) {
  constexpr int kMostDigits = 18;
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string::npos || e + 1 == text.size()) return std::nullopt;
  std::string digits = text.substr(0, e);
  const std::size_t point = digits.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : digits.size() - point - 1;
  if (point != std::string::npos) digits.erase(point, 1);
  std::int64_t value = 0;
  int exponent = 0;
  const char *const end = digits.data() + digits.size(), *const text_end = text.data() + text.size();
  const auto mantissa = std::from_chars(digits.data(), end, value);
  const auto power = std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text_end, exponent);
  const bool whole =
      mantissa.ec == std::errc{} && mantissa.ptr == end && power.ec == std::errc{} && power.ptr == text_end;
  if (!whole || exponent < static_cast<int>(decimals) || exponent > kMostDigits) return std::nullopt;
  for (int zeros = exponent - static_cast<int>(decimals); zeros > 0; --zeros) {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return std::nullopt;
  }
  return value;
}

}  // namespace

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find(separator, from)) != std::string::npos; from = at + 1)
    parts.push_back(text.substr(from, at - from));
  parts.push_back(text.substr(from));
  return parts;
}

std::int64_t ParseInteger(const std::string& text, const std::string& what) {
  if (const std::optional<std::int64_t> value = WithExponent(text)) return *value;
  double real = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, real);
  if (error == std::errc{} && stop == end && std::abs(real) >= 0x1p63 && std::isfinite(real)) {
    throw UsageError(fmt::format("{}: {} is too large; the largest number is {}", what, text,
                                 std::numeric_limits<std::int64_t>::max()));
  }
  return Parse<std::int64_t>(text, what, "a whole number");
}

std::int64_t ParseBytes(const std::string& text, const std::string& what) {
  const std::size_t unit = std::min(text.find_last_of("0123456789.") + 1, text.size());
  const std::string name = text.substr(unit);
  constexpr std::pair<const char*, int> kUnits[] = {{"", 0},     {"B", 0},    {"KiB", 10},
                                                    {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};
  const auto* const known =
      std::find_if(std::begin(kUnits), std::end(kUnits), [&](const auto& one) { return name == one.first; });
  if (known == std::end(kUnits))
    throw UsageError(fmt::format("{}: '{}' is not a size; write bytes, such as 4096, 4KiB, 1MiB or 1GiB", what, text));
  std::int64_t bytes = ParseInteger(text.substr(0, unit), what);
  if (__builtin_mul_overflow(bytes, std::int64_t{1} << known->second, &bytes))
    throw UsageError(fmt::format("{}: '{}' is too large", what, text));
  return bytes;
}

std::optional<double> NanosecondsOf(const std::string& text) {
  for (const auto& [suffix, factor] : {std::pair{"ns", 1.0}, std::pair{"us", 1e3}, std::pair{"ms", 1e6}}) {
    if (text.size() <= 2 || text.compare(text.size() - 2, 2, suffix) != 0) continue;
    double value = 0;
    const char* const end = text.data() + text.size() - 2;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || !(value >= 0)) break;
    return value * factor;
  }
  return std::nullopt;
}

double ParseReal(const std::string& text, const std::string& what) { return Parse<double>(text, what, "a number"); }

double ParseWeight(const std::string& text, const std::string& what) {
  constexpr double kMost = 1e9;
  const double weight = ParseReal(text, what);
  if (!(weight >= 1 / kMost && weight <= kMost))
    throw UsageError(fmt::format("{}: weight {} is not between {} and {}", what, text, 1 / kMost, kMost));
  return weight;
}

std::string Nearest(const std::string& name, const std::vector<std::string>& known) {
  return *std::min_element(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
    return EditDistance(name, a) < EditDistance(name, b);
  });
}

std::string Resembling(const std::string& name, const std::vector<std::string>& known) {
  if (known.empty()) return "";
  const std::string nearest = Nearest(name, known);
  return 5 * EditDistance(name, nearest) <= 2 * name.size() ? nearest : "";
}

void ThrowUnknown(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  throw UsageError(fmt::format("unknown {} '{}'; did you mean '{}'? Known: {}", what, name, Nearest(name, known),
                               fmt::join(known, ", ")));
}

}  // namespace tilefly
