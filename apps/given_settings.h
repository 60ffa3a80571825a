// SPDX-License-Identifier: Apache-2.0
// Options that runs have in common: one for each setting, files of settings, where to write, how much to say.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/command.h"
#include "runs/common/option_effects.h"
#include "runs/common/setting_values.h"

namespace tilefly::apps {

/// What was given on the command line, in its order.
struct GivenSettings {
  Command command{nullptr};
  std::vector<std::pair<std::string, std::string>> values;  ///< by path
  std::string config;
  std::vector<std::string> sets;
  std::string output_dir;
  std::string color = "auto";
  bool json = false;
  bool quiet = false;
  int verbose = 0;
};

/// The options; `given` must outlive the parsing.
void AddSettings(const Command& command, const std::vector<runs::Setting>& table, GivenSettings* given);

/// Over the defaults in `settings`: the file, then --set, then options.
void Collect(const GivenSettings& given, runs::SettingValues* settings);

/// The options that were given to a command, as typed; `name`: "cosim", "qos show".
runs::OptionValues OptionsOf(const std::string& name, const Command& command);

/// Of a command without settings: says which options have no effect. Throws UsageError for those that are refused.
void CheckOptions(const std::string& name, const Command& command);

/// Commands that write a file, and have no folder of a run, refuse -o and name --output.
void RefuseFolder(const Command& command);

/// The session's options but for warnings.
runs::SessionOptions SessionOf(const Common& common, const GivenSettings& given);

}  // namespace tilefly::apps
