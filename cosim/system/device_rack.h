// SPDX-License-Identifier: Apache-2.0
// Which switches of a system are devices of words, and their making.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cosim/device_factory.h"
#include "cosim/system/device_node.h"
#include "network/network.h"

namespace tilefly::cosim {

/// Devices by switch: "rtl", or "rtl+golden" for one that is compared with another in every cycle.
using SystemDevices = std::map<int, std::string>;

/// Reads "all=rtl,4-7=golden,2=rtl+golden": switches by number, by range, or all; the later wins. A switch that is
/// "golden" is none of words. Throws UsageError.
SystemDevices ParseSystemDevices(const std::string& text, int switches);

/// The names of the one device, or of the two.
std::vector<std::string> NamesOf(const std::string& devices);
/// "0-35=rtl,7=rtl+golden": as short as it can be said, in the order of the switches.
std::string ToText(const SystemDevices& devices);

/// A switch that is watched.
struct WatchedSwitch {
  int number = -1;  ///< -1: none
  DeviceWatch watch;
  WaveWriter* waves = nullptr;  ///< traces its inner signals
};

/// For NetworkOptions.make_node. `seed`: of the packets' bytes.
network::NodeMaker MakeDevices(const SystemDevices& devices, std::uint64_t seed, const DeviceOptions& options,
                              const WatchedSwitch& watched = {});

}  // namespace tilefly::cosim
