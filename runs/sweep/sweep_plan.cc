// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/sweep_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "runs/common/common_settings.h"
#include "runs/common/digest.h"
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

/// The settings of a point.
template <typename Table>
SettingValues PointSettings(Table settings, const std::vector<std::pair<std::string, std::string>>& chosen) {
  for (const auto& [path, value] : chosen) settings.Narrow(path, value);
  settings.Resolve();
  return settings;
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
  AddPoints([&](const Chosen& chosen) { return PointSettings(given, chosen); });
}

SweepPlan::SweepPlan(Settings given) : kind(&kCosimSweep), settings((given.ResolveInputs(), given)) {
  Choose();
  AddPoints([&](const Chosen& chosen) { return PointSettings(given, chosen); });
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

void SweepPlan::AddPoints(const Resolved& resolved) {
  std::vector<std::size_t> at(swept.size(), 0);
  for (bool more = true; more;) {
    std::string name;
    std::vector<std::string> values;
    Chosen chosen;
    for (std::size_t i = 0; i < swept.size(); ++i) {
      const std::string& value = swept[i].values[at[i]];
      name += fmt::format("{}{}={}", i > 0 ? "," : "", swept[i].setting->option, value.empty() ? "" : InName(value));
      chosen.emplace_back(swept[i].setting->path, value);
      values.push_back(value);
    }
    if (kind->reseeds) chosen.emplace_back(kReseeds.path, "1");
    points.push_back({{std::move(name), resolved(chosen)}, std::move(values)});
    more = false;
    for (std::size_t i = swept.size(); i-- > 0 && !more;) {
      more = ++at[i] < swept[i].values.size();
      if (!more) at[i] = 0;
    }
  }
}

}  // namespace tilefly::runs
