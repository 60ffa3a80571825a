// SPDX-License-Identifier: Apache-2.0
// Routing rules of a user's own, by name (docs/extending.md). A rule becomes the route tables and VLMAP of the
// switches, so golden and RTL route by it alike.
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

/// A rule for one system.
struct RouteRule {
  /// The ports by which a packet for switch `to` may leave another switch `at`; empty when such packets never come to
  /// `at`. They must be the same for all switches `to` of one other address group, because a route table has one entry
  /// for the group.
  std::function<std::vector<int>(int at, int to)> ports;
  /// The lanes. Without tables the lane rises with each link, and stays on the last of 16 for the rest of the way.
  topology::LanePlan lanes{};
};

/// What is registered: how a rule is made for a system, and how packets choose among its ports. `make` may throw
/// UsageError. Keys that it does not ask for are refused.
struct RoutingRule {
  std::function<RouteRule(const topology::Topology& topology, KeyValues* keys)> make;
  /// How packets choose. kMinHash: each packet by a hash of its own. kInOrder: each flow by one hash. kAdaptive0 to
  /// kAdaptive3: by load. kNminHash: through a drawn group, which needs `detours`.
  RouteMode mode = RouteMode::kMinHash;
  /// Whether packets may go through another group, to it and on from it by the rule. Adaptive modes compare loads for
  /// this.
  bool detours = false;
};

/// The registry of rules, for `--routing NAME:key=value,...` of `net` and `--deadlock` of `topo`.
Registry<RoutingRule>& RoutingRules();

}  // namespace tilefly::network
