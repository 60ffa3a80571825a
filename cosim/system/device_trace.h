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

/// Make it before the system, which it must outlive.
class DeviceTrace {
 public:
  /// Traces `node`, which is one of `devices`. Throws UsageError.
  DeviceTrace(const Profile& profile, const SystemDevices& devices, int node, const WaveOptions& wave_window);

  /// For the making of the devices.
  WatchedSwitch watched();
  /// The files are `folder`/s17.fst and so on. Before the devices are made: their registers are written then.
  void Begin(const std::filesystem::path& folder);
  /// `failed`: they open on the failure instead of a packet that was seen. Returns the paths of those written.
  std::vector<std::filesystem::path> End(const FailurePoint* failed = nullptr);

 private:
  int node_;
  WaveFiles files_;
  StoryFinder finder_;
  std::optional<Story> packet_;  ///< what `finder_` has found, with its stages
};

}  // namespace tilefly::cosim
