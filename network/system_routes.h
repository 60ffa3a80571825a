// SPDX-License-Identifier: Apache-2.0
// Route tables of a system, as register writes of its switches (docs/network.md, Routing).
#pragma once

#include <optional>
#include <vector>

#include "golden/ingress/registers.h"
#include "network/routing_options.h"
#include "network/rule_hops.h"
#include "topology/channel_graph.h"
#include "topology/path_lengths.h"
#include "topology/routes.h"

namespace tilefly::network {

class SystemRoutes {
 public:
  /// Throws UsageError when the system cannot be routed so, with the reason: a rule or a tree that may deadlock with its
  /// cycle.
  SystemRoutes(const topology::Topology& topology, const Profile& profile, const RoutingOptions& options);
  /// Tables that no switch may be able to hold.
  SystemRoutes(const topology::Topology& topology, const RoutingOptions& options);

  /// What all switches are written alike, as far as the mode reads it: SIZE, SEED, LENGTH, BIAS.
  std::vector<Cfg> CommonWrites(std::uint64_t seed) const;
  /// What the switch alone is written: own address and masks.
  std::vector<Cfg> Writes(int node) const;

  /// Ports by which packets to `group` leave the switch, which is not in it.
  golden::PortMask ToGroup(int node, int group) const {
    return masks_[node][to_group_[At(node, group, routes_.domains())]];
  }
  /// Ports by which packets to switch `index` of the own group leave.
  golden::PortMask ToSwitch(int node, int index) const { return masks_[node][to_switch_[At(node, index, kSwitches)]]; }
  /// The paths that packets may take.
  topology::Routing paths() const { return paths_; }
  /// The lanes of a class: the rule's, or the topology's own for the paths.
  topology::LanePlan Plan() const;
  /// What the tables permit, on these lanes.
  topology::DeadlockCheck CheckDeadlock() const;
  /// Switches that the longest of them pass.
  int longest() const;

 private:
  static constexpr int kSwitches = topology::kMaxGroupSwitches;

  static std::size_t At(int node, int index, int size) {
    return static_cast<std::size_t>(node) * static_cast<std::size_t>(size) + static_cast<std::size_t>(index);
  }
  void RequireDeadlockFree() const;
  void CheckHops(const Profile& profile) const;
  void RouteTo(int group, std::vector<std::vector<int>>* next);
  /// Place of the mask among those of the switch.
  std::uint16_t Place(int node, const std::vector<int>& arcs);

  const topology::Topology& topology_;
  RoutingOptions options_;
  topology::Routing paths_;
  topology::Routes routes_;
  std::optional<RuleHops> rule_;  ///< empty: routes_
  topology::PathLengths lengths_;
  int drawn_groups_ = 0;  ///< SIZE
  int drawn_switches_ = 0;
  std::vector<std::vector<golden::PortMask>> masks_;  ///< the different ones of each switch; the first is empty
  std::vector<std::uint16_t> to_group_;       ///< places among them
  std::vector<std::uint16_t> to_switch_;
};

/// The lanes of a class when packets are routed so. Throws as SystemRoutes.
topology::LanePlan PlanLanes(const topology::Topology& topology, const Profile& profile, const RoutingOptions& options);

}  // namespace tilefly::network
