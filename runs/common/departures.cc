// SPDX-License-Identifier: Apache-2.0
#include "runs/common/departures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "generated/profile_limits.h"
#include "support/errors.h"

namespace tilefly::runs {
namespace {

constexpr std::string_view kSection = "profile.";
constexpr const char* kOwnProfile = "write a profile of your own (docs/profiles.md)";
/// A link keeps what is on its way: with a longer channel it would not fit into memory.
constexpr int kLongestChannel = 1'000'000;

/// Keys that golden and the bench read when they run, and nothing else is made for.
constexpr std::string_view kMayDepart[] = {"flow_deep_requests",
                                           "flow_epoch_cycles",
                                           "cells",
                                           "obuf_cells",
                                           "class_hold",
                                           "request_credits",
                                           "run_limit_cells",
                                           "owner_lead_cycles",
                                           "credit_reserve_cells",
                                           "credit_shared_cells",
                                           "credit_cap_cells",
                                           "load_epoch_cycles",
                                           "neighbour_epochs",
                                           "channel_cycles",
                                           "copy_entries",
                                           "pause_xoff_cells",
                                           "pause_xon_cells"};
/// The first ones of these are the program's only in a system, and the last ones say nothing in one.
constexpr std::size_t kOnlyInSystems = 2, kNotInSystems = 3;
constexpr const char* kNoSystem = "a system has no standard ports, and no frame for several";
constexpr const char* kOneSwitch = "take cosim --devices golden";

constexpr const char* kSystem = "take net --congestion-control on, or write a profile of your own (docs/profiles.md)";

/// Why the others are fixed.
struct Fixed {
  std::string_view key;
  const char* why;
  const char* remedy = kOwnProfile;
};
constexpr Fixed kFixed[] = {
    {"name", "a run departs from a profile that has a name"},
    {"rows", "the shape of the switch: ports, crossbars and topologies are made for it"},
    {"cols", "the shape of the switch: ports, crossbars and topologies are made for it"},
    {"mtu_bytes", "frames, hosts and reductions are made for it, and other keys follow from it"},
    {"min_std_bytes", "it is what a frame is, not how a switch handles it"},
    {"min_enh_bytes", "it is what a frame is, not how a switch handles it"},
    {"vls", "it has one value: header.vl and the register tables have 4 bits of lane"},
    {"classes", "it has one value: header.tc, PAUSE and the register tables have 3 bits of class"},
    {"dtable_entries", "tables are planned and written for it (tilefly qos)"},
    {"mac_sets", "it has one value: a set is the XOR of six address bytes"},
    {"mac_ways", "entries of the exact-match table are numbered by it"},
    {"hop_limit", "paths and headers are made for it"},
    {"red_segments", "the stores of reductions and their numbers follow from it"},
    {"flow_deep_requests", "the bench of one switch has it as the profile has it", kSystem},
    {"flow_epoch_cycles", "the bench of one switch has it as the profile has it", kSystem},
    {"clock_khz", "all times in ns are divided by it; no cycle changes with it"},
    {"copy_entries", kNoSystem, kOneSwitch},
    {"pause_xoff_cells", kNoSystem, kOneSwitch},
    {"pause_xon_cells", kNoSystem, kOneSwitch},
};

const ProfileKey& KeyNamed(std::string_view name) {
  return *std::find_if(kProfileKeys.begin(), kProfileKeys.end(),
                       [&](const ProfileKey& one) { return one.name == name; });
}

/// Text that a table of settings may point to.
struct NamedKey {
  std::string path;
  const ProfileKey* key;
};
const std::vector<NamedKey>& Keys() {
  static const std::vector<NamedKey> keys = [] {
    std::vector<NamedKey> all;
    for (const std::string_view name : kMayDepart)
      all.push_back({fmt::format("{}{}", kSection, name), &KeyNamed(name)});
    return all;
  }();
  return keys;
}

int ValueOf(const SettingValues& settings, const NamedKey& one) {
  const bool is_channel = std::string_view(one.key->name) == "channel_cycles";
  const int most = is_channel ? kLongestChannel : one.key->high;
  return static_cast<int>(settings.Integer(one.path, one.key->low, most));
}

/// Bits of an index below `count`.
int IndexBits(int count) {
  int bits = 0;
  while ((1 << bits) < count) ++bits;
  return bits;
}

/// "--set profile.cells=3000,profile.obuf_cells=400".
std::string AsGiven(const std::vector<Departure>& departures) {
  std::vector<std::string> given;
  for (const Departure& one : departures) given.push_back(fmt::format("--set {}{}={}", kSection, one.key, one.value));
  return fmt::format("{}", fmt::join(given, " "));
}

}  // namespace

std::vector<Setting> WithDepartures(Bench bench, std::vector<Setting> table) {
  const bool system = bench == Bench::kSystem;
  const std::size_t end = Keys().size() - (system ? kNotInSystems : 0);
  for (std::size_t i = system ? 0 : kOnlyInSystems; i < end; ++i) {
    const NamedKey& one = Keys()[i];
    Setting setting{one.path.c_str(), one.path.c_str(), "", one.key->doc};
    setting.by_path = true;
    table.push_back(setting);
  }
  return table;
}

std::string WhyFixed(const std::string& path) {
  if (path.compare(0, kSection.size(), kSection) != 0) return "";
  const std::string key = path.substr(kSection.size());
  const auto* const found =
      std::find_if(std::begin(kFixed), std::end(kFixed), [&](const Fixed& one) { return one.key == key; });
  return found == std::end(kFixed) ? ""
                                   : fmt::format("{} cannot be set for a run: {}; {}", key, found->why, found->remedy);
}

DepartedProfile Depart(const Profile& profile, const SettingValues& settings, const std::string& devices) {
  DepartedProfile departed{std::shared_ptr<const Profile>(&profile, [](const Profile*) {}), {}};
  Profile other = profile;
  for (const NamedKey& one : Keys()) {
    if (!settings.Has(one.path) || settings.Get(one.path).empty()) continue;
    const int value = ValueOf(settings, one);
    if (value == profile.*one.key->value) continue;
    other.*one.key->value = value;
    departed.departures.push_back({one.key->name, profile.*one.key->value, value});
  }
  if (departed.departures.empty()) return departed;
  const std::string given = AsGiven(departed.departures);
  if (!devices.empty())
    throw UsageError(
        fmt::format("{}: only golden departs from its profile, and the run has another device ({}), which "
                    "has the profile's numbers built in; leave one of them out, or {}",
                    given, devices, kOwnProfile));
  if (const std::string misfit = MisfitOf(other); !misfit.empty())
    throw UsageError(fmt::format("{}: {}", given, misfit));
  other.cell_index_w = IndexBits(other.cells);
  departed.profile = std::make_shared<const Profile>(other);
  return departed;
}

nlohmann::ordered_json DeparturesJson(const std::vector<Departure>& departures) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Departure& one : departures)
    json.push_back({{"key", one.key}, {"profile", one.profile}, {"value", one.value}});
  return json;
}

std::string DeparturesText(const DepartedProfile& departed) {
  std::vector<std::string> texts;
  for (const Departure& one : departed.departures)
    texts.push_back(fmt::format("{} {} ({})", one.key, one.value, one.profile));
  return fmt::format("departs from profile {}: {}", departed.profile->name, fmt::join(texts, ", "));
}

}  // namespace tilefly::runs
