// SPDX-License-Identifier: Apache-2.0
// The register writes for the switches of a system with traffic of one class: golden's routes, lanes and credits.
#pragma once

#include <vector>

#include "network/system_lanes.h"
#include "network/system_routes.h"
#include "network/wiring.h"

namespace tilefly::systemc {

class SystemRegisters {
 public:
  /// Throws UsageError when the system cannot be routed so. `nic_lanes`: lanes of a NIC's link, 2 or 4. `repeats`: links
  /// between switches send damaged packets again.
  SystemRegisters(const topology::Topology& topology, const Profile& profile, const network::Wiring& wiring,
                  const network::RoutingOptions& routing, int tc, int nic_lanes, std::uint64_t seed,
                  bool repeats);

  /// Register writes of switch `node`.
  std::vector<Cfg> Writes(int node) const;
  /// Virtual lane of the packets on a NIC's link.
  int first_lane() const { return lanes_.of_class(tc_).front(); }

 private:
  void AddPort(int node, int port, std::vector<Cfg>* writes) const;

  const Profile& profile_;
  const network::Wiring& wiring_;
  int tc_;
  int nic_lanes_;
  std::uint64_t seed_;
  bool repeats_;
  network::SystemRoutes routes_;
  network::SystemLanes lanes_;
  bool acks_;
};

}  // namespace tilefly::systemc
