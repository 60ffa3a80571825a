// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/value_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>

#include "support/errors.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

std::string Trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// Whether a value may begin here: "adversarial:1", "alltoall+barrier", "torus:x=4", and not "bytes=64KiB", "5:0.5",
/// "b.yaml".
bool BeginsWithName(const std::string& text) {
  const auto end = std::find_if(text.begin(), text.end(),
                                [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '-'; });
  const bool letter = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0;
  return letter && (end == text.end() || *end == ':' || *end == '+');
}

/// A value, or a list without braces, in its parts.
std::vector<std::string> SplitByCommas(const Setting& setting, const std::string& text) {
  if (setting.commas == Commas::kWithin || text.find(',') == std::string::npos) return {text};
  std::vector<std::string> values;
  for (const std::string& part : Split(text, ',')) {
    if (setting.commas == Commas::kNames && !values.empty() && !Trimmed(part).empty() &&
        !BeginsWithName(Trimmed(part))) {
      values.back() += "," + part;
    } else {
      values.push_back(Trimmed(part));
    }
    if (values.back().empty()) {
      throw UsageError(fmt::format("{} {}: a value of the list is empty; leave a comma out, or name it in braces: {}",
                                   OptionOf(setting), text, "'{a;b}'"));
    }
  }
  return values;
}

/// The parts of a list, ranges as they are.
std::vector<std::string> PartsOf(const Setting& setting, const std::string& text) {
  const std::vector<std::string> items = InBraces(text);
  if (items.empty() && !text.empty() && text.front() == '{') {
    throw UsageError(
        fmt::format("{} {}: the brace of the list is not closed; write '{}', in quotes, for the shell "
                    "ends commands at ;",
                    OptionOf(setting), text, "{a;b}"));
  }
  if (items.empty()) return SplitByCommas(setting, text);
  std::vector<std::string> parts;
  for (const std::string& item : items) {
    for (std::string& part : SplitByCommas(setting, item)) parts.push_back(std::move(part));
  }
  return parts;
}

/// The same for "0.5" and "0.50".
std::string KeyOf(const std::string& value) {
  const std::optional<Quantity> quantity = QuantityOf(value);
  return quantity ? fmt::format("{:.17g}{}", quantity->value, quantity->unit) : value;
}

}  // namespace

bool IsSeveral(const Setting& setting, const std::string& text) {
  const std::vector<std::string> parts = PartsOf(setting, text);
  for (const std::string& part : parts) {
    if (IsHalfRange(part))
      throw UsageError(fmt::format(
          "{} {}: '{}' is no range; write FROM:TO:STEP, three numbers with the same unit, such as 0.1:0.9:0.1 or "
          "0ns:400ns:100ns",
          OptionOf(setting), text, part));
  }
  return !InBraces(text).empty() || parts.size() > 1 || IsRange(text);
}

std::vector<std::string> ValuesOf(const Setting& setting, const std::string& text) {
  std::vector<std::string> values;
  std::set<std::string> known;
  for (const std::string& part : PartsOf(setting, text)) {
    for (const std::string& value : IsRange(part) ? ValuesOfRange(part, OptionOf(setting)) : std::vector{part}) {
      if (value.empty() && *setting.initial != '\0')
        throw UsageError(fmt::format("{} {}: a value of the list is empty; leave it out", OptionOf(setting), text));
      if (!known.insert(KeyOf(value)).second)
        throw UsageError(fmt::format("{} {}: {} is named twice; give each value once", OptionOf(setting), text,
                                     value.empty() ? "an empty value" : value));
      values.push_back(IsRange(part) || setting.commas != Commas::kWithin ? PlainNumber(value) : value);
    }
    if (static_cast<std::int64_t>(values.size()) > kMostPoints)
      throw UsageError(fmt::format("{} {}: more than {} values; name fewer", OptionOf(setting), text, kMostPoints));
  }
  return values;
}

std::optional<Quantity> QuantityOf(const std::string& text) {
  if (text.find_first_of("0123456789.-+") != 0) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  const bool letters = std::all_of(unit.begin(), unit.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
  if (end == text.c_str() || !std::isfinite(value) || !letters) return std::nullopt;
  return Quantity{value, unit};
}

}  // namespace tilefly::runs
