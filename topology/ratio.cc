// SPDX-License-Identifier: Apache-2.0
#include "topology/ratio.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "support/errors.h"
#include "support/text.h"

namespace tilefly::topology {
namespace {

constexpr std::int64_t kLargest = 1'000'000;

bool AllDigits(const std::string& text) {
  return !text.empty() && text.size() <= 7 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

Ratio MakeRatio(std::int64_t numerator, std::int64_t denominator) {
  if (numerator < 0 || denominator <= 0) {
    throw UsageError("ratio " + std::to_string(numerator) + "/" + std::to_string(denominator) +
                     ": use a numerator of at least 0 and a denominator above 0");
  }
  const std::int64_t common = std::gcd(numerator, denominator);
  return {numerator / common, denominator / common};
}

Ratio ParseRatio(const std::string& text, const std::string& what) {
  const std::string remedy =
      what + " '" + text + "': use a number such as 2, 1.25 or 5/4, with parts of at most 1000000";
  std::string numerator = text;
  std::int64_t denominator = 1;
  if (const auto slash = text.find('/'); slash != std::string::npos) {
    const std::string below = text.substr(slash + 1);
    if (!AllDigits(below)) throw UsageError(remedy);
    denominator = ParseInteger(below, what);
    numerator = text.substr(0, slash);
  } else if (const auto point = text.find('.'); point != std::string::npos) {
    const std::string fraction = text.substr(point + 1);
    if (!AllDigits(fraction) || fraction.size() > 6) throw UsageError(remedy);
    for (std::size_t i = 0; i < fraction.size(); ++i) denominator *= 10;
    numerator = (point == 0 ? "0" : text.substr(0, point)) + fraction;
    numerator.erase(0, std::min(numerator.find_first_not_of('0'), numerator.size() - 1));
  }
  if (!AllDigits(numerator)) throw UsageError(remedy);
  const std::int64_t value = ParseInteger(numerator, what);
  if (denominator == 0 || denominator > kLargest || value > kLargest) throw UsageError(remedy);
  return MakeRatio(value, denominator);
}

std::string ToText(const Ratio& ratio) {
  const std::string numerator = std::to_string(ratio.numerator);
  return ratio.denominator == 1 ? numerator : numerator + "/" + std::to_string(ratio.denominator);
}

}  // namespace tilefly::topology
