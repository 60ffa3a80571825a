// SPDX-License-Identifier: Apache-2.0
// Parameters that a run of golden switches has otherwise than its profile: settings profile.KEY (docs/profiles.md).
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "generated/profile.h"
#include "runs/common/setting_values.h"

namespace tilefly::runs {

/// A key of the profile, its value there, and the run's.
struct Departure {
  std::string key;
  int profile;
  int value;
};

/// Where golden switches run: one by itself, or in a system, which has no standard ports and no frame for several.
enum class Bench { kSwitch, kSystem };

/// A command's table with these settings. They have no options, and are empty where nothing departs.
std::vector<Setting> WithDepartures(Bench bench, std::vector<Setting> table);

/// Of a path "profile.KEY" that is none of these settings, why the key cannot depart; empty: there is no such key.
std::string WhyFixed(const std::string& path);

/// The profile of a run, and how it departs from the one of its name.
struct DepartedProfile {
  std::shared_ptr<const Profile> profile;
  std::vector<Departure> departures;  ///< in the order of the keys
};
/// `devices`: what the run's devices are, as the user said it, where one is not golden; else empty. `profile` must
/// outlive what is returned. Throws UsageError for values that are out of range or do not fit together, and for a
/// departure beside such a device.
DepartedProfile Depart(const Profile& profile, const SettingValues& settings, const std::string& devices);

/// `departures` of results.json.
nlohmann::ordered_json DeparturesJson(const std::vector<Departure>& departures);
/// "departs from profile tile8: run_limit_cells 96 (48), obuf_cells 511 (356)".
std::string DeparturesText(const DepartedProfile& departed);

}  // namespace tilefly::runs
