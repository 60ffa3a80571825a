// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cosim/run/run_options.h"

namespace tilefly::cosim {

/// One thing that a user can set: its path in the configuration, its option, its default.
struct Setting {
  const char* path;
  const char* option;   ///< without the dashes
  const char* initial;  ///< "auto": derived from other settings
  const char* help;
};

/// What `tilefly cosim` is to do, by path. The same table serves the command line, configuration files and --set.
class Settings {
 public:
  Settings();
  /// All settings in the order of the resolved file.
  static const std::vector<Setting>& Table();

  /// `origin` ("run.yaml:7", "--set") goes into the message of a UsageError about an unknown path.
  void Set(const std::string& path, const std::string& value, const std::string& origin);
  const std::string& Get(const std::string& path) const { return values_.at(path); }
  /// Reads a YAML file strictly: an unknown or repeated key is a UsageError with file, line and nearest known key.
  void Load(const std::filesystem::path& file);
  /// Replaces every "auto" and "random" by its value.
  void Resolve();
  /// The files that the run reads, as they are named after Resolve.
  std::vector<std::string> InputFiles() const;
  /// As YAML, one line a setting with its meaning. Loading it gives the same settings.
  std::string ToYaml() const;

  /// Typed options of a switch run; call after Resolve. Throws UsageError.
  RunOptions ToRunOptions() const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace tilefly::cosim
