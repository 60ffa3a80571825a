// SPDX-License-Identifier: Apache-2.0
// What the registers of the switches of a system are written with: what all have alike, what those have that share a
// VLMAP, and what is a switch's own.
#pragma once

#include <vector>

#include "golden/ingress/registers.h"
#include "network/network_options.h"
#include "network/reduction_trees.h"
#include "network/system_lanes.h"
#include "network/system_routes.h"
#include "network/wiring.h"

namespace tilefly::network {

class SystemWrites {
 public:
  /// `acks`: packets are acknowledged. All must outlive it.
  SystemWrites(const NetworkOptions& options, const Profile& profile, const Wiring& wiring, const SystemRoutes& routes,
               const ReductionTrees& trees, const SystemLanes& lanes, bool acks);

  /// How many VLMAPs there are, numbered from 0.
  int maps() const { return static_cast<int>(maps_.size()); }
  /// That of the switch.
  int MapOf(int node) const { return lanes_.plan().table_of[node]; }
  /// Of all switches with this VLMAP.
  std::vector<Cfg> SharedOf(int map) const;
  /// How many these are.
  Cycle CountShared(int map) const { return static_cast<Cycle>(common_.size() + maps_[map].size()); }
  /// Of the switch, after these.
  std::vector<Cfg> OwnOf(int node) const;
  /// All of the switch.
  std::vector<Cfg> Of(int node) const;
  /// Registers with what all switches have alike.
  golden::Registers Common() const;

 private:
  std::vector<int> UsedLanes() const;
  std::vector<Cfg> OfPorts(int node) const;

  const NetworkOptions& options_;
  const Profile& profile_;
  const Wiring& wiring_;
  const SystemRoutes& routes_;
  const ReductionTrees& trees_;
  const SystemLanes& lanes_;
  const bool acks_;
  const std::vector<int> used_lanes_;
  std::vector<Cfg> common_;
  std::vector<std::vector<Cfg>> maps_;  ///< of all with this VLMAP, after them
};

}  // namespace tilefly::network
