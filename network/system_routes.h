// SPDX-License-Identifier: Apache-2.0
// Route tables of a system, as register writes of its switches (docs/network.md, Routing).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "golden/registers/registers.h"
#include "network/routing_options.h"
#include "network/rule_hops.h"
#include "topology/channel_graph.h"
#include "topology/living_hops.h"
#include "topology/path_lengths.h"
#include "topology/routes.h"

namespace tilefly::network {

class SystemRoutes {
 public:
  /// Throws UsageError when the system cannot be routed in this way. The message has the reason; for a rule or a tree
  /// that may deadlock it has the cycle.
  SystemRoutes(const topology::Topology& topology, const Profile& profile, const RoutingOptions& options);
  /// Makes the tables even when no switch is able to hold them.
  SystemRoutes(const topology::Topology& topology, const RoutingOptions& options) : SystemRoutes(topology, options, false) {}
  /// Makes tables for what is left of a system when links are down: without a way, a table has no ports. Throws what a
  /// routing rule of the user's own throws.
  static std::unique_ptr<const SystemRoutes> OfLinksLeft(const topology::Topology& left, const RoutingOptions& options) {
    return std::unique_ptr<const SystemRoutes>(new SystemRoutes(left, options, true));
  }

  /// The writes that are the same for all switches, as far as the mode reads the registers: SIZE, SEED, LENGTH, BIAS.
  std::vector<Cfg> CommonWrites(std::uint64_t seed) const;
  /// The writes of one switch: own address and masks.
  std::vector<Cfg> Writes(int node) const;

  /// Entries of the tables of a switch: groups, and switches of the own group.
  int groups() const { return routes_.domains(); }
  static constexpr int kSwitches = topology::kMaxGroupSwitches;
  /// The ports by which packets to another group `group` leave the switch.
  golden::PortMask ToGroup(int node, int group) const {
    return masks_[node][to_group_[At(node, group, routes_.domains())]];
  }
  /// The ports by which packets to switch `index` of the own group leave.
  golden::PortMask ToSwitch(int node, int index) const { return masks_[node][to_switch_[At(node, index, kSwitches)]]; }
  /// The kind of paths that packets may take.
  topology::Routing paths() const { return paths_; }
  /// The lanes of a class: those of the rule, or the topology's own for these paths.
  topology::LanePlan Plan() const;
  /// The same with at least so many lanes, where more of them are of use.
  topology::LanePlan Plan(int least) const;
  /// Checks for deadlock what the tables permit, on these lanes.
  topology::DeadlockCheck CheckDeadlock() const;
  /// The same on the lanes of `plan`, where packets without a way are dropped.
  bool IsDeadlockFree(const topology::LanePlan& plan) const;
  /// See topology::CountCutPairs.
  std::int64_t CountCutPairs() const { return topology::CountCutPairs(routes_, Hops()); }
  /// The most switches that a path passes.
  int longest() const;

 private:
  SystemRoutes(const topology::Topology& topology, const RoutingOptions& options, bool links_left);
  const topology::NextHops& Hops() const;
  topology::PortTables Tables() const;
  static std::size_t At(int node, int index, int size) {
    return static_cast<std::size_t>(node) * static_cast<std::size_t>(size) + static_cast<std::size_t>(index);
  }
  void RequireDeadlockFree() const;
  void CheckHops(const Profile& profile) const;
  void RouteTo(int group, std::vector<std::vector<int>>* next);
  /// The place of the mask among those of the switch.
  std::uint16_t Place(int node, const std::vector<int>& arcs);

  const topology::Topology& topology_;
  RoutingOptions options_;
  topology::Routing paths_;
  topology::Routes routes_;
  std::optional<RuleHops> rule_;               ///< empty: routes_ is used, or
  std::optional<topology::LivingHops> living_;  ///< of what is left of a system
  topology::PathLengths lengths_;
  int drawn_groups_ = 0;  ///< value of SIZE
  int drawn_switches_ = 0;
  std::vector<std::vector<golden::PortMask>> masks_;  ///< by switch: its different masks, the first of which is empty
  std::vector<std::uint16_t> to_group_;       ///< places among the masks
  std::vector<std::uint16_t> to_switch_;
};

/// The lanes that a class needs when packets are routed in this way. Throws as SystemRoutes.
topology::LanePlan PlanLanes(const topology::Topology& topology, const Profile& profile, const RoutingOptions& options);

}  // namespace tilefly::network
