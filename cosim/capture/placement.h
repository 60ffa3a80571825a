// SPDX-License-Identifier: Apache-2.0
// At which places the frames of a capture come in, and at which places its hosts are.
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
/// Reads "mac", "interface" or "round-robin". Throws UsageError for any other text.
PortsBy ParsePortsBy(const std::string& text);

/// Places are numbers from 0 on: ports of a switch, or endpoints of a system.
struct Placement {
  std::vector<int> of_frame;  ///< by frame of the capture
  std::map<Mac, int> hosts;   ///< source addresses, each with the place where its first frame comes in
};

/// The place that has this fabric address, -1: none.
using PlaceOf = std::function<int(std::uint32_t address)>;

/// Places the frames. By source address, hosts with an algorithmic address sit at the place that it names; the other
/// hosts are spread over the rest, in the order in which they first appear.
Placement PlaceFrames(const Capture& capture, PortsBy by, int places, const PlaceOf& place_of);

/// The same places as ports of the switch that the first algorithmic address names.
struct PortPlacement : Placement {
  std::uint64_t used_ports = 0;
  std::optional<std::uint32_t> address;  ///< of the switch, when a host has an algorithmic address
};
PortPlacement PlaceAtPorts(const Capture& capture, PortsBy by, int ports);

}  // namespace tilefly::cosim
