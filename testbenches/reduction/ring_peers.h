// SPDX-License-Identifier: Apache-2.0
// Who is behind the ports of a reduction ring.
#pragma once

#include <optional>
#include <vector>

#include "testbenches/reduction/golden_ring.h"
#include "testbenches/reduction/red_arrivals.h"

namespace tilefly::bench {

class RingPeers {
 public:
  virtual ~RingPeers() = default;
  /// A cycle begins; what left the ring in the one before.
  virtual void Step(Cycle, const golden::GoldenRing::Outputs&) {}
  /// The next packet for `port`, if its time has come.
  virtual std::optional<RedArrival> NextPacket(Cycle now, int port) = 0;
  /// A packet leaves, with its last cell in cycle `now`.
  virtual void Received(Cycle, const golden::GoldenRing::Outputs::Leaving&) {}
};

/// A group of a switch as its registers have it.
struct RingTree {
  int group = 0;
  golden::PortMask children = 0;
  golden::PortMask nodes = 0;
  int parent = -1;  ///< port; -1: root
  bool small = false;
  std::uint32_t timeout = 0;

  RedRole RoleOf(int port) const {
    return port == parent ? RedRole::kParent : (children >> port & 1) != 0 ? RedRole::kChild : RedRole::kNone;
  }
  /// Writes that make the group this one, whatever it was: it is not valid in between.
  std::vector<Cfg> Writes(int ports) const;
};

}  // namespace tilefly::bench
