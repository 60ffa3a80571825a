// SPDX-License-Identifier: Apache-2.0
// How the packets of a run are routed, and what a system needs for it (docs/network.md, Routing).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "generated/registers.h"
#include "network/routing_rules.h"
#include "topology/lanes.h"
#include "topology/path_lengths.h"
#include "workload/app_aware.h"

namespace tilefly::network {

struct RoutingOptions {
  static constexpr int kMostFlows = 1024;  ///< header.flow has 10 bits
  static constexpr int kFewFlows = 16;
  static constexpr int kMostBias = 4095;
  /// BIAS of ADAPTIVE_0 to ADAPTIVE_3, in cells of load times links: none; none at injection; low; high.
  static constexpr std::array<int, 4> kBiases = {0, 264, 88, 660};

  /// Options for a name of kRouteNames, or of RoutingRules() with its keys. With `min`, `valiant` and rules that choose
  /// by hashes every packet has a flow of its own, as far as the width of the field goes. With the others a source's
  /// packets have 16 flows in turn. `app_aware` chooses between ADAPTIVE_0 and ADAPTIVE_3. Throws UsageError for
  /// another name.
  static RoutingOptions Named(const std::string& name);

  /// Whether packets may leave their minimal paths, or the paths of the rule.
  bool Detours() const {
    if (rule != nullptr) return rule->detours;
    return mode != RouteMode::kMinHash && mode != RouteMode::kInOrder;
  }
  /// The adaptive mode whose bias can be set; with `app_aware` the one with high bias.
  std::size_t biased() const { return static_cast<std::size_t>(app_aware ? RouteMode::kAdaptive3 : mode); }
  bool Adaptive() const { return static_cast<int>(mode) <= static_cast<int>(RouteMode::kAdaptive3); }
  /// Whether the loads of minimal and other paths are compared, so that a bias has an effect.
  bool Compares() const { return Adaptive() && (rule == nullptr || rule->detours); }

  std::string name = "min";
  const RoutingRule* rule = nullptr;  ///< null: routes are the topology's own
  RouteMode mode = RouteMode::kMinHash;
  int flows = kMostFlows;
  bool any_flow = true;                                ///< true: no flow has to keep to a path
  std::array<int, 4> biases = kBiases;                 ///< by adaptive mode
  std::optional<workload::AppAwareOptions> app_aware;  ///< NICs choose the mode of each message
};

/// The paths for which lanes must be planned. On a torus adaptive modes choose among minimal paths only.
topology::Routing PathsOf(const RoutingOptions& options, const topology::Topology& topology);

/// The register LENGTH: links that a packet has still to go, by the class of the port that it takes first.
SwitchLength LengthRegister(const topology::Topology& topology, const RoutingOptions& options,
                            const topology::PathLengths& lengths);
/// The register BIAS.
SwitchBias BiasRegister(const RoutingOptions& options);

}  // namespace tilefly::network
