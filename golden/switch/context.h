// SPDX-License-Identifier: Apache-2.0
// What the blocks of one switch share.
#pragma once

#include <vector>

#include "golden/common/counters.h"
#include "golden/common/generated/wire.h"
#include "golden/common/wheel.h"
#include "golden/ingress/packet.h"
#include "golden/ingress/registers.h"
#include "golden/routing/load_ring.h"
#include "golden/routing/route_books.h"

namespace tilefly::golden {

/// Observation record of a cycle: its events, and the levels after them (docs/blocks/tile.md).
struct SwitchObservation {
  std::vector<Portobs> ports;
  std::vector<Turnobs> turns;
};

/// A packet that was dropped at an input: `payload` is the caller's again.
struct DropRecord {
  Payload payload;
  std::uint8_t port;
  Drop reason;
};

struct Context {
  explicit Context(const Profile& p)
      : profile(p), geometry(p), registers(p), counters(p.ports), loads(p.ports, p.load_epoch_cycles) {}

  /// Counts a drop at an input; of two in a cycle the admission's is the one observed.
  void CountDrop(int port, Drop reason, bool at_admission) {
    counters.Count(port, reason);
    if (observed == nullptr) return;
    Portobs& obs = observed->ports[port];
    if (obs.drop_valid && !at_admission) return;
    obs.drop_valid = true;
    obs.drop_reason = static_cast<std::uint8_t>(reason);
  }

  const Profile profile;
  const Geometry geometry;
  Registers registers;
  Counters counters;
  LoadRing loads;  ///< of the outputs
  PacketStore packets;
  DueCycles due;  ///< of all wheels of the switch
  PortMask links_up = ~PortMask{0};
  PortMask sending_pause = 0;  ///< ports that send PAUSE
  SwitchObservation* observed = nullptr;  ///< null: nobody looks
  RouteBooks* route_books = nullptr;      ///< null: nobody looks
};

}  // namespace tilefly::golden
