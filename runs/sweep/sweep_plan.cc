// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/sweep_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

#include "runs/common/common_settings.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

constexpr std::int64_t kMostPoints = 10000;
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

/// The numbers of FROM:TO:STEP; empty when the text is something else.
std::vector<Decimal> ParseRange(const std::string& text) {
  std::vector<Decimal> numbers;
  for (const std::string& part : Split(text, ':')) {
    const std::optional<Decimal> number = ParseDecimal(part);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers.size() == 3 ? numbers : std::vector<Decimal>{};
}

std::string TextOf(std::int64_t digits, int decimals) {
  if (decimals == 0) return std::to_string(digits);
  std::string text = fmt::format("{:0{}}", std::abs(digits), decimals + 1);
  text.insert(text.size() - static_cast<std::size_t>(decimals), ".");
  return (digits < 0 ? "-" : "") + text;
}

}  // namespace

bool IsRange(const std::string& text) { return !ParseRange(text).empty(); }

std::vector<std::string> ValuesOfRange(const std::string& text, const std::string& option) {
  std::vector<Decimal> numbers = ParseRange(text);
  int decimals = 0;
  for (const Decimal& number : numbers) decimals = std::max(decimals, number.decimals);
  __int128 scaled[3];
  for (int i = 0; i < 3; ++i) {
    scaled[i] = numbers[i].digits;
    for (int d = numbers[i].decimals; d < decimals; ++d) scaled[i] *= 10;
  }
  const auto [from, to, step] = scaled;
  if (step == 0 || (to - from) / step < 0 || (to != from && (to > from) != (step > 0))) {
    throw UsageError(fmt::format("--{} {}: a step of {} does not lead from {} to {}; write FROM:TO:STEP, such as {}",
                                 option, text, Split(text, ':')[2], Split(text, ':')[0], Split(text, ':')[1],
                                 to < from ? "0.9:0.1:-0.1" : "0.1:0.9:0.1"));
  }
  if ((to - from) / step >= kMostPoints) {
    throw UsageError(fmt::format("--{} {}: more than {} values; take a larger step", option, text, kMostPoints));
  }
  constexpr __int128 kMost = std::numeric_limits<std::int64_t>::max();
  if (std::max({from, to, -from, -to}) > kMost)
    throw UsageError(fmt::format("--{} {}: its values have more digits than a number holds; write fewer", option, text));
  std::vector<std::string> values;
  for (__int128 i = 0; i <= (to - from) / step; ++i) {
    values.push_back(TextOf(static_cast<std::int64_t>(from + i * step), decimals));
  }
  return values;
}

bool IsSweep(const NetSettings& settings) {
  const std::vector<Setting>& table = NetSettings::Table();
  return ReseedsOf(settings) > 1 ||
         std::any_of(table.begin(), table.end(), [&](const Setting& one) { return IsRange(settings.Get(one.path)); });
}

/// The seeds of --reseeds, as if they were a range.
SweptSetting SweepPlan::Reseeds(const NetSettings& settings, int runs) {
  if (IsRange(settings.Get(kSeed.path)))
    throw UsageError(fmt::format("--reseeds {} and --seed {}: each names the seeds; leave one of them out", runs,
                                 settings.Get(kSeed.path)));
  const auto root = static_cast<std::uint32_t>(settings.Integer(kSeed.path, 0, 0xffffffff));
  SweptSetting seeds{&kSeed, fmt::format("{} of root {}", runs, root), {}};
  for (int reseed = 0; reseed < runs; ++reseed) seeds.values.push_back(std::to_string(SeedOf(root, reseed)));
  return seeds;
}

SweepPlan::SweepPlan(const NetSettings& settings) {
  std::int64_t count = 1;
  std::vector<std::string> said;
  for (const Setting& setting : NetSettings::Table()) {
    const std::string& text = settings.Get(setting.path);
    const bool reseeds = setting.path == std::string(kReseeds.path) && ReseedsOf(settings) > 1;
    if (!reseeds && !IsRange(text)) continue;
    swept.push_back(reseeds ? Reseeds(settings, ReseedsOf(settings))
                            : SweptSetting{&setting, text, ValuesOfRange(text, setting.option)});
    said.push_back(fmt::format("--{} {}", setting.option, text));
    count *= static_cast<std::int64_t>(swept.back().values.size());
    if (count > kMostPoints) {
      throw UsageError(fmt::format("{}: more than {} runs; take larger steps, or make fewer settings ranges",
                                   fmt::join(said, " "), kMostPoints));
    }
  }
  AddPoints(settings);
}

void SweepPlan::AddPoints(const NetSettings& settings) {
  std::vector<std::size_t> at(swept.size(), 0);
  for (bool more = true; more;) {
    SweepPoint point{{"", settings}, {}};
    for (std::size_t i = 0; i < swept.size(); ++i) {
      const std::string& value = swept[i].values[at[i]];
      point.values.push_back(value);
      point.name += fmt::format("{}{}={}", i > 0 ? "," : "", swept[i].setting->option, value);
      point.settings.Narrow(swept[i].setting->path, value);
    }
    point.settings.Narrow(kReseeds.path, "1");
    point.settings.Resolve();
    points.push_back(std::move(point));
    more = false;
    for (std::size_t i = swept.size(); i-- > 0 && !more;) {
      more = ++at[i] < swept[i].values.size();
      if (!more) at[i] = 0;
    }
  }
}

}  // namespace tilefly::runs
