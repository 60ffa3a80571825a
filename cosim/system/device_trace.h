// SPDX-License-Identifier: Apache-2.0
// The waves of a device inside a system.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cosim/system/device_rack.h"
#include "cosim/waves/story_finder.h"
#include "cosim/waves/wave_files.h"

namespace tilefly::cosim {

/// Waves of one device. Make it before the system, which it must outlive.
class DeviceTrace {
 public:
  /// Traces switch `node`, which must be one of `devices`. Throws UsageError when it is not.
  DeviceTrace(const Profile& profile, const SystemDevices& devices, int node, const WaveOptions& wave_window);

  /// The switch that is watched, for the making of the devices.
  WatchedSwitch watched();
  /// Starts the trace, before the devices are made, because their registers are written then. The files are
  /// `folder`/s17.fst and so on.
  void Begin(const std::filesystem::path& folder);
  /// Ends the trace. With `failed`, the waves open on the failure instead of a packet that was seen. Returns the paths
  /// of the files written.
  std::vector<std::filesystem::path> End(const FailurePoint* failed = nullptr);

 private:
  int node_;
  WaveFiles files_;
  StoryFinder finder_;
  std::optional<Story> packet_;  ///< what `finder_` has found, with its stages
};

}  // namespace tilefly::cosim
