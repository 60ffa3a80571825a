// SPDX-License-Identifier: Apache-2.0
// A domain is a set of switches that are run together, such as a group of a dragonfly. What passes between them takes
// less time than what comes from other domains. Their state stays in the cache for many slices.
#pragma once

#include <vector>

#include "network/calendar.h"
#include "topology/topology.h"

namespace tilefly::network {

/// Which switches belong to which domain.
struct Domains {
  /// The domains are the groups of the topology. There is one domain when there is only one group, or when `whole`.
  Domains(const topology::Topology& topology, bool whole);

  int count() const { return static_cast<int>(members.size()); }

  std::vector<std::vector<int>> members;  ///< by domain: its switches
  std::vector<int> domain_of;             ///< by switch: its domain
  std::vector<int> place_of;              ///< by switch: its number in the domain
};

}  // namespace tilefly::network
