// SPDX-License-Identifier: Apache-2.0
#include "runs/common/option_effects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "support/errors.h"

namespace tilefly::runs {
namespace {

bool Holds(const OptionEffect& row, const OptionValues& run) {
  return std::find(row.commands.begin(), row.commands.end(), run.command()) != row.commands.end() && row.holds(run);
}

}  // namespace

std::string AsTyped(const std::string& option) {
  if (std::isupper(static_cast<unsigned char>(option.front())) != 0) return option;
  return (option.find('.') != std::string::npos ? "--set " : "--") + option;
}

void OptionValues::Set(const std::string& option, const std::string& value, bool given) {
  values_[option] = value;
  if (given) given_.insert(option);
}

void OptionValues::SetAll(const SettingValues& settings, const SettingValues& resolved) {
  for (const Setting& setting : resolved.table()) {
    const std::string& value = settings.Get(setting.path);
    const bool differs = value != setting.initial && value != resolved.OfAuto(setting.path);
    Set(setting.option, resolved.Get(setting.path), differs || Given(setting.option));
  }
}

const std::string& OptionValues::Get(const std::string& option) const {
  static const std::string none;
  const auto found = values_.find(option);
  return found == values_.end() ? none : found->second;
}

bool OptionValues::Off(const std::string& option) const {
  const std::string& value = Get(option);
  if (value.empty() || value == "off" || value == "none") return true;
  char* end = nullptr;
  return std::strtod(value.c_str(), &end) == 0 && *end == '\0';
}

std::vector<NeedlessOption> NeedlessOptions(const OptionValues& run) {
  std::vector<NeedlessOption> needless;
  for (const OptionEffect& row : OptionEffects()) {
    if (row.answer != NoEffect::kLeftOut || !Holds(row, run)) continue;
    for (const std::string& option : row.options) {
      const auto same = [&](const NeedlessOption& one) { return one.option == option; };
      if (run.Given(option) && std::none_of(needless.begin(), needless.end(), same))
        needless.push_back({option, row.why});
    }
  }
  return needless;
}

std::vector<std::string> CheckOptionEffects(const OptionValues& run) {
  std::vector<std::string> warnings;
  std::set<std::string> told;
  for (const OptionEffect& row : OptionEffects()) {
    if (!Holds(row, run)) continue;
    std::vector<std::string> given;
    for (const std::string& option : row.options) {
      if (run.Given(option) && told.insert(option).second)
        given.push_back(AsTyped(option));
    }
    if (given.empty()) continue;
    const std::string said =
        fmt::format("{} {} no effect {}", fmt::join(given, ", "), given.size() == 1 ? "has" : "have", row.why);
    if (row.answer != NoEffect::kWarned) throw UsageError(fmt::format("{}; {}", said, row.remedy));
    warnings.push_back("warning: " + said);
  }
  return warnings;
}

}  // namespace tilefly::runs
