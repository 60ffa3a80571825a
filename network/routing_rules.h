// SPDX-License-Identifier: Apache-2.0
// Routing rules of one's own, by name (docs/extending.md): what a rule says becomes the route tables and VLMAP of the
// switches, so that golden and RTL alike route by it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "generated/registers.h"
#include "support/key_values.h"
#include "support/registry.h"
#include "topology/lanes.h"
#include "topology/topology.h"

namespace tilefly::network {

/// What a rule says of a system.
struct RouteRule {
  /// The ports by which a packet for switch `to` may leave switch `at`, another one; none where such packets never come.
  /// Towards the switches of another address group they have to be the same for all: a route table has one entry for it.
  std::function<std::vector<int>(int at, int to)> ports;
  /// Without tables: a lane more with each link, on the last of 16 for the rest of the way.
  topology::LanePlan lanes{};
};

/// What is registered: how a rule is made for a system, and how packets choose among its ports. `make` may throw
/// UsageError; keys that it does not ask for are refused.
struct RoutingRule {
  std::function<RouteRule(const topology::Topology& topology, KeyValues* keys)> make;
  /// kMinHash: each packet by a hash of its own; kAdaptive0 to kAdaptive3: by load; kInOrder: each flow by one hash;
  /// kNminHash: through a drawn group, which needs detours.
  RouteMode mode = RouteMode::kMinHash;
  /// Packets may go through another group, to it and on from it by the rule: adaptive modes compare loads for it.
  bool detours = false;
};

/// `--routing NAME:key=value,...` of `net`, `--deadlock` of `topo`.
Registry<RoutingRule>& RoutingRules();

}  // namespace tilefly::network
