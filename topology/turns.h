// SPDX-License-Identifier: Apache-2.0
// Every turn from channel to channel that a routing permits.
#pragma once

#include <functional>
#include <vector>

#include "topology/lanes.h"
#include "topology/routes.h"

namespace tilefly::topology {

/// A lane of one direction of a link; its buffer is at the head of the arc.
struct Channel {
  int arc = 0;
  int lane = 0;
};

/// What becomes of a packet for which a switch has no port: it must not come there, or it is dropped.
enum class NoWay { kRefused, kDropped };

/// Called with a channel that a packet may hold and one that it may wait for meanwhile, at the switch between them. The
/// same turn may come several times.
using TurnVisitor = std::function<void(const Channel& held, const Channel& wanted)>;

/// Class of the port through which an arc leaves its tail, and of the one through which it enters its head.
inline int OutClass(const LanePlan& plan, int arc) { return plan.port_class[arc / 2][arc & 1]; }
inline int InClass(const LanePlan& plan, int arc) { return plan.port_class[arc / 2][(arc & 1) ^ 1]; }

/// Follows all packets of all pairs of switches with endpoints, on every path of the routing, with the lanes of the
/// plan. A Valiant packet goes through any domain (with endpoints) except those of its source and destination. When
/// these are the same domain, it goes through any switch (with endpoints) of that domain except the two. The detour is
/// decided at the source; with progressive routing and a destination in another domain also after a first hop inside
/// the source's domain. A few turns of detours may be visited that no packet makes (back to where the packet came
/// from).
/// `hops` says where packets go on, and `routes` which domains there are. A packet that goes round without end makes a
/// cycle of turns. Throws UsageError when the plan's tables lead beyond its lanes, and when a packet cannot go on, unless
/// such packets are dropped.
void VisitTurns(const Topology& topology, const Routes& routes, const NextHops& hops, const LanePlan& plan,
                Routing routing, const TurnVisitor& visitor, NoWay no_way = NoWay::kRefused);
inline void VisitTurns(const Topology& topology, const Routes& routes, const LanePlan& plan, Routing routing,
                       const TurnVisitor& visitor) {
  VisitTurns(topology, routes, routes, plan, routing, visitor);
}

}  // namespace tilefly::topology
