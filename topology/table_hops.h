// SPDX-License-Identifier: Apache-2.0
// Next hops as the route tables of switches have them, whatever wrote them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "topology/routes.h"

namespace tilefly::topology {

/// Masks of ports.
struct PortTables {
  std::function<std::uint64_t(int at, int group)> of_group;   ///< ROUTE_GROUP, for packets to another group
  std::function<std::uint64_t(int at, int index)> of_switch;  ///< ROUTE_SWITCH, for packets to the own group
};

class TableHops final : public NextHops {
 public:
  TableHops(const Topology& topology, const Wiring& wiring, const PortTables& tables);

  /// Both throw UsageError for a port without a link.
  void Towards(int domain, std::vector<std::vector<int>>* next) const override;
  void Inside(int from, int to, std::vector<int>* arcs) const override;

 private:
  void Append(int at, std::uint64_t mask, std::vector<int>* arcs) const;

  const Topology& topology_;
  const PortTables& tables_;
  std::vector<int> arc_of_;  ///< by switch and port, -1: none
};

}  // namespace tilefly::topology
