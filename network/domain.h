// SPDX-License-Identifier: Apache-2.0
// Switches that are run together, because what passes between them takes less time than what comes from others: a group
// of a dragonfly. Their state stays in the cache for many slices.
#pragma once

#include <vector>

#include "network/calendar.h"
#include "topology/topology.h"

namespace tilefly::network {

/// Which switches make up which domain.
struct Domains {
  /// The groups of the topology; one domain when there is only one, or when `whole`.
  Domains(const topology::Topology& topology, bool whole);

  int count() const { return static_cast<int>(members.size()); }

  std::vector<std::vector<int>> members;  ///< switches by domain
  std::vector<int> domain_of;             ///< by switch
  std::vector<int> place_of;              ///< by switch: its number in the domain
};

}  // namespace tilefly::network
