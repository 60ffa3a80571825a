// SPDX-License-Identifier: Apache-2.0
// Minimal routes and lanes of a system, as register writes of its switches (docs/network.md, Configuration).
#pragma once

#include <array>
#include <vector>

#include "golden/ingress/registers.h"
#include "golden/network/wiring.h"

namespace tilefly::golden {

/// The lanes that a packet of a class takes, by the global links it has passed.
struct LanePlan {
  /// Class c on the lanes c and c + 8, as VL_CLASS has them at power-up.
  static LanePlan AtPowerUp();

  std::array<std::array<std::uint8_t, 2>, kMaxClasses> lanes{};  ///< by class
  bool rises = false;                                            ///< the second one is taken behind a global link
};

/// Whether minimal routes of the system need a second lane: it has global links.
bool NeedsSecondLane(const topology::Topology& topology);

class SystemRoutes {
 public:
  /// Throws UsageError when the system cannot be routed, with the reason.
  SystemRoutes(const topology::Topology& topology, const Wiring& wiring, const Profile& profile, const LanePlan& lanes);

  /// What all switches are written alike, whose tables are `before`: VLMAP.
  std::vector<Cfg> CommonWrites(const Tables& before) const;
  /// What the switch alone is written: own address and routes.
  std::vector<Cfg> Writes(int node) const;
  /// Port by which packets to `group` leave the switch, which is not in it.
  int PortToGroup(int node, int group) const { return to_group_[At(node, group, groups_)]; }
  /// Port by which packets to switch `index` of the own group leave.
  int PortToSwitch(int node, int index) const { return to_switch_[At(node, index, kSwitches)]; }

 private:
  static constexpr int kGroups = 512;
  static constexpr int kSwitches = 32;
  static constexpr std::uint8_t kNoPort = 255;

  static std::size_t At(int node, int index, int size) {
    return static_cast<std::size_t>(node) * static_cast<std::size_t>(size) + static_cast<std::size_t>(index);
  }
  void CheckAddresses();
  void RouteToGroup(const Wiring& wiring, int group, std::vector<int>* distance);
  int RouteInside(const Wiring& wiring, int group, int target, std::vector<int>* distance);
  std::uint8_t Choose(const Wiring& wiring, int node, std::uint32_t target, const std::vector<int>& distance) const;

  const topology::Topology& topology_;
  LanePlan lanes_;
  int groups_ = 0;
  std::vector<std::vector<int>> members_;  ///< switches by group
  std::vector<std::uint8_t> to_group_;
  std::vector<std::uint8_t> to_switch_;
};

}  // namespace tilefly::golden
