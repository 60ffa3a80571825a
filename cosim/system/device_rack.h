// SPDX-License-Identifier: Apache-2.0
// Which switches of a system are devices of words, and how these are made.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cosim/device_factory.h"
#include "cosim/system/device_node.h"
#include "network/network.h"

namespace tilefly::cosim {

/// Devices by the number of their switch: "rtl", or "rtl+golden" for a device that is compared with another in every
/// cycle.
using SystemDevices = std::map<int, std::string>;

/// Reads "all=rtl,4-7=golden,2=rtl+golden": switches by number, by range, or all; a later entry wins. A switch that is
/// "golden" is no device of words. Throws UsageError.
SystemDevices ParseSystemDevices(const std::string& text, int switches);

/// The names of the one device, or of the two devices.
std::vector<std::string> NamesOf(const std::string& devices);
/// The shortest text of the devices, in the order of the switches: "0-35=rtl,7=rtl+golden".
std::string ToText(const SystemDevices& devices);

/// The switch whose waves or cycles are recorded.
struct WatchedSwitch {
  int number = -1;  ///< -1: none
  DeviceWatch watch;
  WaveWriter* waves = nullptr;  ///< traces the switch's inner signals
};

/// Makes the devices of a system, for NetworkOptions.make_node. `seed`: seed of the packets' bytes.
network::NodeMaker MakeDevices(const SystemDevices& devices, std::uint64_t seed, const DeviceOptions& options,
                              const WatchedSwitch& watched = {});

}  // namespace tilefly::cosim
