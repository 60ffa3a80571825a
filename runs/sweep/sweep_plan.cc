// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/sweep_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "runs/common/common_settings.h"
#include "runs/common/digest.h"
#include "runs/common/option_effects.h"
#include "support/errors.h"

namespace tilefly::runs {
namespace {

const SweepKind kNetSweep{"net", true, {"topology", "routing", "traffic"}};
const SweepKind kCosimSweep{"cosim", false, {"profile", "devices", "traffic"}};

bool HasSeveral(const SettingValues& settings) {
  const std::vector<Setting>& table = settings.table();
  return std::any_of(table.begin(), table.end(),
                     [&](const Setting& one) { return IsSeveral(one, settings.Get(one.path)); });
}

/// A value as it stands in the name of a folder: of a file its last name, of other values what shells and links take.
std::string InName(const std::string& value) {
  constexpr std::size_t kLongest = 60;
  std::string name = value.front() == '/' ? std::filesystem::path(value).filename().string() : value;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && std::string("._=:,+-").find(c) == std::string::npos)
      c = '-';
  }
  if (name == value && name.size() <= kLongest) return name;
  return fmt::format("{}~{}", name.substr(0, kLongest), Digest(value).substr(0, 8));
}

/// The settings of a point before and after they are resolved.
template <typename Table>
std::pair<SettingValues, SettingValues> PointSettings(Table settings,
                                                      const std::vector<std::pair<std::string, std::string>>& chosen) {
  for (const auto& [path, value] : chosen) settings.Narrow(path, value);
  SettingValues given = settings;
  settings.Resolve();
  return {std::move(given), std::move(settings)};
}

/// Whether an option is given that a sweep may leave out.
bool GivesNeedless(const char* command, const SettingValues& settings) {
  for (const OptionEffect& row : OptionEffects()) {
    if (row.answer != NoEffect::kLeftOut ||
        std::find(row.commands.begin(), row.commands.end(), command) == row.commands.end())
      continue;
    const auto is_given = [&](const Setting& one) {
      return settings.Get(one.path) != one.initial &&
             std::find(row.options.begin(), row.options.end(), one.option) != row.options.end();
    };
    if (std::any_of(settings.table().begin(), settings.table().end(), is_given)) return true;
  }
  return false;
}

/// Options that have no effect in the run, and may be left out.
std::vector<NeedlessOption> NeedlessIn(const char* command, const SettingValues& given, const SettingValues& resolved) {
  OptionValues run(command);
  run.SetAll(given, resolved);
  return NeedlessOptions(run);
}

}  // namespace

SweptSetting::SweptSetting(const Setting& setting, std::string range, std::vector<std::string> values)
    : setting(&setting), range(std::move(range)), values(std::move(values)) {
  for (const std::string& value : this->values) {
    const std::optional<Quantity> quantity = QuantityOf(value);
    if (!quantity || (!numbers.empty() && quantity->unit != unit)) {
      numbers.clear();
      unit.clear();
      return;
    }
    numbers.push_back(quantity->value);
    unit = quantity->unit;
  }
}

bool IsSweep(const NetSettings& settings) { return HasSeveral(settings) || ReseedsOf(settings) > 1; }
bool IsSweep(const Settings& settings) { return HasSeveral(settings); }

SweepPlan::SweepPlan(NetSettings given) : kind(&kNetSweep), settings((given.ResolveInputs(), given)) {
  Choose();
  AddPoints([&](const Chosen& chosen) {
    auto [before, after] = PointSettings(given, chosen);
    return BothSettings{std::move(before), std::move(after)};
  });
}

SweepPlan::SweepPlan(Settings given) : kind(&kCosimSweep), settings((given.ResolveInputs(), given)) {
  Choose();
  AddPoints([&](const Chosen& chosen) {
    auto [before, after] = PointSettings(given, chosen);
    return BothSettings{std::move(before), std::move(after)};
  });
}

/// The seeds of --reseeds, as if they were a list.
SweptSetting SweepPlan::Reseeds(int runs) const {
  const std::string& seed = settings.Get(kSeed.path);
  if (IsSeveral(kSeed, seed))
    throw UsageError(
        fmt::format("--reseeds {} and --seed {}: each names the seeds; leave one of them out", runs, seed));
  const auto root = static_cast<std::uint32_t>(settings.Integer(kSeed.path, 0, 0xffffffff));
  std::vector<std::string> seeds;
  for (int reseed = 0; reseed < runs; ++reseed) seeds.push_back(std::to_string(SeedOf(root, reseed)));
  return {kSeed, fmt::format("{} of root {}", runs, root), std::move(seeds)};
}

/// The settings with several values.
void SweepPlan::Choose() {
  std::int64_t count = 1;
  std::vector<std::string> said;
  for (const Setting& setting : settings.table()) {
    const std::string& text = settings.Get(setting.path);
    const bool reseeds = kind->reseeds && setting.path == std::string(kReseeds.path) && ReseedsOf(settings) > 1;
    if (!reseeds && !IsSeveral(setting, text)) continue;
    swept.push_back(reseeds ? Reseeds(ReseedsOf(settings)) : SweptSetting{setting, text, ValuesOf(setting, text)});
    const std::vector<std::string>& values = swept.back().values;
    if (setting.path == std::string(kSeed.path) && std::count(values.begin(), values.end(), "random") > 0)
      throw UsageError(fmt::format("{} {}: random in a list names no seed; give numbers, or --seed random --reseeds {}",
                                   OptionOf(setting), text, values.size()));
    said.push_back(fmt::format("{} {}", OptionOf(setting), text));
    count *= static_cast<std::int64_t>(swept.back().values.size());
    if (count > kMostPoints) {
      throw UsageError(fmt::format("{}: more than {} runs; take larger steps, or give fewer settings several values",
                                   fmt::join(said, " "), kMostPoints));
    }
  }
}

/// The combinations of the swept settings' values.
void SweepPlan::ForEachChoice(const std::function<void(const std::vector<std::string>&)>& visit) const {
  std::vector<std::size_t> at(swept.size(), 0);
  for (bool more = true; more;) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < swept.size(); ++i) values.push_back(swept[i].values[at[i]]);
    visit(values);
    more = false;
    for (std::size_t i = swept.size(); i-- > 0 && !more;) {
      more = ++at[i] < swept[i].values.size();
      if (!more) at[i] = 0;
    }
  }
}

SweepPlan::Chosen SweepPlan::ChosenOf(const std::vector<std::string>& values) const {
  Chosen chosen;
  for (std::size_t i = 0; i < swept.size(); ++i) chosen.emplace_back(swept[i].setting->path, values[i]);
  if (kind->reseeds) chosen.emplace_back(kReseeds.path, "1");
  return chosen;
}

/// Settings that have no effect at some points, and one at others, are swept: the table says where they are left out.
void SweepPlan::ChooseLeftOut(const Resolved& resolved) {
  if (!GivesNeedless(kind->command, settings)) return;
  std::size_t choices = 0;
  std::map<std::string, std::pair<std::size_t, std::string>> needless;  // by option: at how many points, and why
  ForEachChoice([&](const std::vector<std::string>& values) {
    ++choices;
    const BothSettings settings = resolved(ChosenOf(values));
    for (const NeedlessOption& one : NeedlessIn(kind->command, settings.given, settings.resolved)) {
      auto& [points, why] = needless[one.option];
      ++points;
      why = one.why;
    }
  });
  for (const auto& [option, found] : needless) {
    if (found.first == choices) continue;
    const auto is_it = [option = &option](const SweptSetting& one) { return one.setting->option == *option; };
    auto own = std::find_if(swept.begin(), swept.end(), is_it);
    if (own == swept.end()) {
      const auto setting = std::find_if(settings.table().begin(), settings.table().end(),
                                        [option = &option](const Setting& one) { return one.option == *option; });
      const std::string& value = settings.Get(setting->path);
      own = swept.insert(swept.end(), {*setting, value, {value}});
    }
    own->left_out = found.second;
  }
}

/// The same run may be found again, with another value of a setting that it leaves out.
void SweepPlan::AddPoint(std::vector<std::string> values, const Resolved& resolved) {
  Chosen chosen = ChosenOf(values);
  const BothSettings settings = resolved(chosen);
  std::vector<bool> left_out(swept.size(), false);
  const bool any =
      std::any_of(swept.begin(), swept.end(), [](const SweptSetting& one) { return !one.left_out.empty(); });
  for (const NeedlessOption& one :
       any ? NeedlessIn(kind->command, settings.given, settings.resolved) : std::vector<NeedlessOption>()) {
    for (std::size_t i = 0; i < swept.size(); ++i) {
      if (swept[i].setting->option != one.option || swept[i].left_out.empty()) continue;
      left_out[i] = true;
      values[i].clear();
      chosen[i].second = swept[i].setting->initial;
    }
  }
  const bool leaves_out = std::count(left_out.begin(), left_out.end(), true) > 0;
  std::string name;
  for (std::size_t i = 0; i < swept.size(); ++i) {
    if (left_out[i]) continue;
    name += fmt::format("{}{}={}", name.empty() ? "" : ",", swept[i].setting->option,
                        values[i].empty() ? "" : InName(values[i]));
  }
  const auto is_known = [&](const SweepPoint& one) { return one.name == name; };
  if (leaves_out && std::any_of(points.begin(), points.end(), is_known)) return;
  points.push_back({{std::move(name), leaves_out ? resolved(chosen).resolved : settings.resolved},
                    std::move(values),
                    std::move(left_out)});
}

void SweepPlan::AddPoints(const Resolved& resolved) {
  ChooseLeftOut(resolved);
  ForEachChoice([&](const std::vector<std::string>& values) { AddPoint(values, resolved); });
}

std::vector<std::string> SweepPlan::Warnings() const {
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < swept.size(); ++i) {
    if (swept[i].left_out.empty()) continue;
    const auto count =
        std::count_if(points.begin(), points.end(), [&](const SweepPoint& one) { return one.LeavesOut(i); });
    warnings.push_back(fmt::format("warning: {} is left out at {} of the {} points: it has no effect {}",
                                   AsTyped(swept[i].setting->option), count, points.size(), swept[i].left_out));
  }
  return warnings;
}

}  // namespace tilefly::runs
