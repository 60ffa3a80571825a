// SPDX-License-Identifier: Apache-2.0
// Options that runs have in common: one for each setting, files of settings, where to write, how much to say.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cosim/run/setting_values.h"

namespace tilefly::apps {

/// What was given on the command line, in its order.
struct GivenSettings {
  std::vector<std::pair<std::string, std::string>> values;  ///< by path
  std::string config;
  std::vector<std::string> sets;
  std::string output_dir;
  bool json = false;
  bool quiet = false;
};

/// The options; `given` must outlive the parsing.
void AddSettings(CLI::App* command, const std::vector<cosim::Setting>& table, GivenSettings* given);

/// Over the defaults in `settings`: the file, then --set, then options.
void Collect(const GivenSettings& given, cosim::SettingValues* settings);

}  // namespace tilefly::apps
