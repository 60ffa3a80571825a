// SPDX-License-Identifier: Apache-2.0
// Where the frames of a capture come in and its hosts are.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cosim/capture/capture_reader.h"

namespace tilefly::cosim {

/// What chooses the place at which a frame comes in.
enum class PortsBy { kMac, kInterface, kRoundRobin };
/// mac | interface | round-robin. Throws UsageError.
PortsBy ParsePortsBy(const std::string& text);

/// Places are numbers from 0 on: ports of a switch, or endpoints of a system.
struct Placement {
  std::vector<int> of_frame;  ///< by frame of the capture
  std::map<Mac, int> hosts;   ///< source addresses, each where its first frame comes in
};

/// The place whose fabric address this is, -1: none has it.
using PlaceOf = std::function<int(std::uint32_t address)>;

/// By source address: hosts with an algorithmic address sit at the place that it names, the others in order of first
/// appearance are spread over the rest.
Placement PlaceFrames(const Capture& capture, PortsBy by, int places, const PlaceOf& place_of);

/// The same at the ports of the switch that the first algorithmic address names.
struct PortPlacement : Placement {
  std::uint64_t used_ports = 0;
  std::optional<std::uint32_t> address;  ///< of the switch, when a host has an algorithmic address
};
PortPlacement PlaceAtPorts(const Capture& capture, PortsBy by, int ports);

}  // namespace tilefly::cosim
