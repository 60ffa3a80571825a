// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/setup/class_setup.h"
#include "cosim/system/device_rack.h"
#include "cosim/waves/wave_writer.h"
#include "network/network.h"
#include "runs/common/departures.h"
#include "runs/common/setting_values.h"
#include "runs/system/net_capture.h"

namespace tilefly::runs {

/// Everything that determines a run of a system.
struct NetRunOptions {
  std::unique_ptr<topology::Topology> topology;
  DepartedProfile profile;  ///< of the switches
  std::optional<cosim::ClassSetup> classes;
  network::NetworkOptions network;
  std::optional<NetCapture> capture;  ///< whose frames are the traffic
  std::vector<std::string> warnings;  ///< of what the run does otherwise than was asked for
  bool until_converged = false;       ///< traffic ends with a verdict
  std::string background;             ///< as given; empty: none runs
  cosim::SystemDevices devices;              ///< switches that are no golden ones
  bool lockstep = false;              ///< compared with the golden system
  cosim::WaveOptions waves;                  ///< window and scope
  std::size_t fault_lines = 0;        ///< most lines of damaged words in faults.csv
  std::string waves_mode = "off";
  int waves_switch = -1;  ///< -1: none
};

/// What `tilefly net` is to do, by path.
class NetSettings : public SettingValues {
 public:
  NetSettings();
  /// All settings in the order of the resolved file.
  static const std::vector<Setting>& Table();

  /// Replaces names of files by absolute ones and a random seed by a drawn one.
  void ResolveInputs();
  /// Replaces every "auto" and "random" by its value, with what ResolveInputs does.
  void Resolve();
  /// Typed options; call after Resolve. Throws UsageError.
  NetRunOptions ToRunOptions() const;
  /// Texts of the jobs, in the order of their numbers.
  std::vector<std::string> JobTexts() const;
  /// Endpoints execute jobs.
  bool HasJobs() const;
  /// They send the frames of a capture.
  bool HasCapture() const { return !Get("capture.file").empty(); }
  /// The pattern, or the capture's name.
  std::string TrafficName() const;

 private:
  void ReadUntil(NetRunOptions* options) const;
  void ReadDevices(NetRunOptions* options) const;
  static std::vector<Setting> WithFlowKeys(std::vector<Setting> table);
  void ReadCongestion(NetRunOptions* options) const;
  void ReadNics(int clock_khz, network::NetworkOptions* network) const;
  void AddPattern(const Profile& profile, NetRunOptions* options) const;
  void AddCapture(const Profile& profile, NetRunOptions* options) const;
  void AddJobs(const Profile& profile, NetRunOptions* options) const;
  void AddBackground(const Profile& profile, NetRunOptions* options) const;
  std::int64_t AutoWarmup() const;
};

}  // namespace tilefly::runs
