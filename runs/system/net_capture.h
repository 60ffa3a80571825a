// SPDX-License-Identifier: Apache-2.0
// The frames of a capture as traffic of a system's endpoints (docs/network.md, Captures).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cosim/capture/capture_source.h"
#include "cosim/setup/class_setup.h"
#include "network/traffic.h"
#include "topology/topology.h"

namespace tilefly::runs {

/// What a capture was like, and what became of its frames; counts are of one repetition.
struct NetCapture {
  /// Object `capture` of results.json.
  nlohmann::ordered_json ToJson() const;
  /// For the terminal, a line each.
  std::string Text(int mtu_bytes) const;

  cosim::Capture file;             ///< without frames
  bool back_to_back = false;  ///< without its pace: no offered load
  std::int64_t hosts = 0;   ///< source addresses
  std::int64_t frames = 0;  ///< packets that they make
  std::int64_t local = 0;   ///< not sent: the host that they are for sits where they come from
  std::int64_t nobody = 0;  ///< not sent: to a group, or to a host that sends nothing
};

/// Puts the packets into the plan of `traffic`. `tc` is their class, -1: as the frames' marks say. Throws UsageError.
NetCapture PlanCapture(const cosim::CaptureOptions& options, const topology::Topology& topology, const Profile& profile,
                       const std::optional<cosim::ClassSetup>& classes, int tc, network::TrafficOptions* traffic);

}  // namespace tilefly::runs
