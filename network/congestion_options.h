// SPDX-License-Identifier: Apache-2.0
// Congestion control of a system: flow channels at the ports to NICs, and NICs that obey pauses
// (docs/blocks/flow_channel.md).
#pragma once

#include <algorithm>

#include "generated/registers.h"
#include "golden/common/types.h"

namespace tilefly::network {

struct CongestionOptions {
  static constexpr int kMostAside = 1024;

  static constexpr int kMtuCells = 89;

  CongestionOptions() {
    mark.full = 0;
    channel.first = kMtuCells;
  }
  /// Cycles after which a generation of cells that no ack names is lost.
  Cycle Deadline() const { return Cycle{1024} * std::max<Cycle>(1, channel.deadline); }

  bool on = false;
  FlowMark mark;                ///< of all ports to NICs; `full` 0: chosen for the system
  tilefly::FlowChannel channel;  ///< of all ports to NICs
  int worst_flows = 20;         ///< flows that are listed in the results: those whose packets were held longest
  int most_aside = kMostAside;  ///< most packets, or messages of a host, that a NIC puts aside
};

}  // namespace tilefly::network
