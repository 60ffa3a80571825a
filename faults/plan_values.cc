// SPDX-License-Identifier: Apache-2.0
#include "faults/plan_values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "support/errors.h"
#include "support/text.h"

namespace tilefly::faults {
namespace {

constexpr double kNsPerCycle = 1.28;
constexpr std::int64_t kMostCycles = std::int64_t{1} << 40;
constexpr double kLeastRate = 1e-15, kMostRate = 1e-3, kMostShare = 0.5;

std::int64_t Cycles(const std::string& text, const std::string& origin) {
  double cycles = -1;
  if (const std::optional<double> nanoseconds = NanosecondsOf(text)) {
    cycles = std::ceil(*nanoseconds / kNsPerCycle - 1e-9);
  } else {
    const char* const end = text.data() + text.size();
    double value = -1;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stop == end && value == std::floor(value)) cycles = value;
  }
  if (!(cycles >= 0 && cycles <= static_cast<double>(kMostCycles)))
    throw UsageError(fmt::format("{}: '{}' is not a time; write cycles (5000), or ns, us or ms (20us), up to {} cycles", origin,
                                 text, kMostCycles));
  return static_cast<std::int64_t>(cycles);
}

}  // namespace

std::int64_t ReadWhole(YamlMap* map, const std::string& key, std::int64_t initial, std::int64_t low, std::int64_t high) {
  const std::string text = map->Text(key, std::to_string(initial));
  const std::int64_t value = ParseInteger(text, map->Origin(key));
  if (value < low || value > high)
    throw UsageError(fmt::format("{}: {} is not between {} and {}", map->Origin(key), text, low, high));
  return value;
}

std::uint64_t ReadBits(YamlMap* map, const std::string& key) {
  const std::string text = map->Text(key);
  const bool hex = text.rfind("0x", 0) == 0;
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + (hex ? 2 : 0), end, value, hex ? 16 : 10);
  if (error != std::errc{} || stop != end)
    throw UsageError(fmt::format("{}: '{}' is no value of 64 bits; write it as 48 or 0x30", map->Origin(key), text));
  return value;
}

double ReadBitErrorRate(YamlMap* map, const std::string& key, double initial) {
  if (!map->Find(key).IsDefined()) return initial;
  const std::string text = map->Text(key);
  const double value = ParseReal(text, map->Origin(key));
  if (value != 0 && !(value >= kLeastRate && value <= kMostRate))
    throw UsageError(fmt::format("{}: {} is no bit error rate of a link; write 0, or {} to {}", map->Origin(key), text,
                                 kLeastRate, kMostRate));
  return value;
}

double ReadShare(YamlMap* map, const std::string& key, double initial) {
  if (!map->Find(key).IsDefined()) return initial;
  const std::string text = map->Text(key);
  const double value = ParseReal(text, map->Origin(key));
  if (!(value >= 0 && value <= kMostShare))
    throw UsageError(fmt::format("{}: {} is not between 0 and {}: a link must bring most of its words", map->Origin(key), text,
                                 kMostShare));
  return value;
}

std::int64_t ReadTime(YamlMap* map, const std::string& key) {
  map->Require(key, "write a time from the begin of traffic, such as 20us or 5000 (cycles)");
  return Cycles(map->Text(key), map->Origin(key));
}

std::optional<std::int64_t> ReadDuration(YamlMap* map, const std::string& key) {
  const std::string text = map->Text(key, "ever");
  if (text == "ever") return std::nullopt;
  const std::int64_t cycles = Cycles(text, map->Origin(key));
  if (cycles == 0) throw UsageError(fmt::format("{}: nothing lasts for 0 cycles; write a longer time, or ever", map->Origin(key)));
  return cycles;
}

}  // namespace tilefly::faults
