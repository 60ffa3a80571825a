// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runs/common/setting_values.h"
#include "runs/switch/run_options.h"

namespace tilefly::runs {

/// What `tilefly cosim` is to do, by path. The same table serves the command line, configuration files and --set.
class Settings : public SettingValues {
 public:
  Settings() : SettingValues(Table(), {"capture.file", "qos.file", "faults.plan"}) { NamesDevices("devices"); }
  /// All settings in the order of the resolved file.
  static const std::vector<Setting>& Table();

  /// Replaces names of files by absolute ones and a random seed by a drawn one.
  void ResolveInputs() { ResolveFilesAndSeed(); }
  /// Replaces every "auto" and "random" by its value.
  void Resolve();
  /// Never null. Throws UsageError.
  const Profile* KnownProfile() const;
  /// Typed options of a switch run; call after Resolve. Throws UsageError.
  RunOptions ToRunOptions() const;

 private:
  void RequirePattern() const;
};

}  // namespace tilefly::runs
