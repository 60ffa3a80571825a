// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cosim/class_setup.h"
#include "cosim/run/setting_values.h"
#include "golden/network/network.h"

namespace tilefly::cosim {

/// Everything that determines a run of a system.
struct NetRunOptions {
  std::unique_ptr<topology::Topology> topology;
  std::optional<ClassSetup> classes;
  golden::NetworkOptions network;
};

/// What `tilefly net` is to do, by path.
class NetSettings : public SettingValues {
 public:
  NetSettings();
  /// All settings in the order of the resolved file.
  static const std::vector<Setting>& Table();

  /// Replaces every "auto" and "random" by its value.
  void Resolve();
  /// Typed options; call after Resolve. Throws UsageError.
  NetRunOptions ToRunOptions() const;
};

}  // namespace tilefly::cosim
