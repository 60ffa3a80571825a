// SPDX-License-Identifier: Apache-2.0
#include "qos/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/errors.h"
#include "support/text.h"

namespace tilefly::qos {
namespace {

struct Quantity {
  double number = 0;
  std::string unit;
};

Quantity Parse(const std::string& text, const std::string& what) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.+-"), text.size());
  const std::size_t unit = std::min(text.find_first_not_of(' ', end), text.size());
  return {ParseReal(text.substr(0, end), what), text.substr(unit)};
}

/// A whole number of at least `least` and at most `most`.
std::int64_t Whole(double number, double least, double most, const std::string& text, const std::string& what) {
  if (!(number >= least && number <= most) || number != std::floor(number))
    throw UsageError(fmt::format("{}: '{}' is not a whole number between {} and {}", what, text, least, most));
  return static_cast<std::int64_t>(number);
}

}  // namespace

std::int64_t ParseRate(const std::string& text, const std::string& what) {
  const Quantity rate = Parse(text, what);
  if (rate.unit != "Gbps" && rate.unit != "Mbps")
    throw UsageError(fmt::format("{}: '{}' is not a rate; write it as 200Gbps or 400Mbps", what, text));
  return Whole(std::round(rate.number * (rate.unit == "Gbps" ? 1e6 : 1e3)) / 1e3, 1, 1e8, text, what);
}

std::int64_t ParseBytes(const std::string& text, const std::string& what) {
  const Quantity size = Parse(text, what);
  if (size.unit != "B" && size.unit != "KiB")
    throw UsageError(fmt::format("{}: '{}' is not a size; write it as 192B or 4KiB", what, text));
  return Whole(size.number * (size.unit == "KiB" ? 1024 : 1), 0, 1e9, text, what);
}

std::int64_t ParseShare(const std::string& text, const Units& units, const std::string& what) {
  const Quantity share = Parse(text, what);
  double part = 0;
  if (share.unit.empty()) {
    part = share.number;
  } else if (share.unit == "%") {
    part = share.number / 100;
  } else if (share.unit == "Gbps" || share.unit == "Mbps") {
    part = share.number * (share.unit == "Gbps" ? 1e3 : 1) / static_cast<double>(units.link_mbps);
  } else {
    throw UsageError(fmt::format("{}: '{}' has no known unit; write it as 9.4%, 0.094 or 18.8Gbps", what, text));
  }
  if (!(part > 0 && part <= 1))
    throw UsageError(
        fmt::format("{}: '{}' is not more than 0 and at most the whole link ({}Mbps)", what, text, units.link_mbps));
  return std::max<std::int64_t>(std::llround(part * static_cast<double>(kWhole)), 1);
}

int ParseCredits(const std::string& text, const Units& units, const std::string& what) {
  const Quantity size = Parse(text, what);
  if (size.unit == "credits" || size.unit == "credit")
    return static_cast<int>(Whole(size.number, 1, kMaxWeight, text, what));
  const std::int64_t bytes = ParseBytes(text, what);
  const std::int64_t credits = (bytes + units.header_bytes + units.credit_bytes - 1) / units.credit_bytes;
  if (bytes < 1 || credits > kMaxWeight)
    throw UsageError(fmt::format("{}: '{}' are {} credits of {} B; 1 to {} are possible", what, text, credits,
                                 units.credit_bytes, kMaxWeight));
  return static_cast<int>(credits);
}

bool ParseSwitch(const std::string& text, const std::string& what) {
  if (text == "on" || text == "true") return true;
  if (text == "off" || text == "false") return false;
  throw UsageError(fmt::format("{}: '{}' is neither on nor off", what, text));
}

std::string ShareText(std::int64_t share) {
  std::string digits = fmt::format("{}.{:07}", share / (kWhole / 100), share % (kWhole / 100));
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits + "%";
}

}  // namespace tilefly::qos
