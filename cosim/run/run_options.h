// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/capture/capture_source.h"
#include "cosim/device_factory.h"
#include "cosim/endpoint/stalls.h"
#include "cosim/switch_setup.h"
#include "cosim/traffic/generator.h"

namespace tilefly::cosim {

/// Everything that determines a run of a switch.
struct RunOptions {
  const Profile* profile = nullptr;
  std::vector<std::string> devices = {"rtl", "golden"};
  std::vector<PortKind> kinds;  ///< one a port
  int lanes = 4;
  bool eth_header = true;  ///< enhanced IP frames get an Ethernet header at standard ports; else they are dropped there
  GeneratorOptions generator;
  std::string capture_file;  ///< empty: synthetic traffic
  PortsBy ports_by = PortsBy::kMac;
  Pace pace;
  int repeat = 1;
  StallOptions stalls;
  std::uint32_t seed = 1;
  Cycle max_cycles = 20000;  ///< cycles of traffic, then the switch is drained; 0: until the capture is over
  bool chip_timing = true;   ///< latencies include the calibrated channel
  DeviceOptions device;
};

/// Kinds of all ports: one kind for all, or "mixed": fabric, enhanced, standard in turn. Throws UsageError.
std::vector<PortKind> ParsePortKinds(const std::string& text, int ports);

}  // namespace tilefly::cosim
