// SPDX-License-Identifier: Apache-2.0
// The register writes of the switches of a system: those of all switches, those of the switches with one VLMAP, and
// those of one switch.
#pragma once

#include <vector>

#include "golden/registers/registers.h"
#include "network/network_options.h"
#include "network/planned_faults.h"
#include "network/reduction_trees.h"
#include "network/system_lanes.h"
#include "network/system_routes.h"
#include "network/wiring.h"

namespace tilefly::network {

class SystemWrites {
 public:
  /// `acks`: packets are acknowledged. `flow_mark`: register of the ports with flow channels. All other arguments must
  /// outlive it.
  SystemWrites(const NetworkOptions& options, const Profile& profile, const Wiring& wiring, const PlannedFaults& faults,
               const SystemRoutes& routes, const ReductionTrees& trees, const SystemLanes& lanes, bool acks,
               const FlowMark& flow_mark);

  /// How many VLMAPs there are, numbered from 0.
  int maps() const { return static_cast<int>(maps_.size()); }
  /// The number of the switch's VLMAP.
  int MapOf(int node) const { return lanes_.plan().table_of[node]; }
  /// The writes of all switches with this VLMAP.
  std::vector<Cfg> SharedOf(int map) const;
  /// The number of these writes.
  Cycle CountShared(int map) const { return static_cast<Cycle>(common_.size() + maps_[map].size()); }
  /// The further writes of one switch.
  std::vector<Cfg> OwnOf(int node) const;
  /// All writes of one switch.
  std::vector<Cfg> Of(int node) const;
  /// The registers after the writes of all switches.
  golden::Registers Common() const;

 private:
  std::vector<int> UsedLanes() const;
  std::vector<Cfg> OfPorts(int node) const;

  const NetworkOptions& options_;
  const Profile& profile_;
  const Wiring& wiring_;
  const PlannedFaults& faults_;
  const SystemRoutes& routes_;
  const ReductionTrees& trees_;
  const SystemLanes& lanes_;
  const bool acks_;
  const FlowMark flow_mark_;
  const std::vector<int> used_lanes_;
  std::vector<Cfg> common_;
  std::vector<std::vector<Cfg>> maps_;  ///< by VLMAP: the writes of all switches with it
};

}  // namespace tilefly::network
