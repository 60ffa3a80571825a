// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topology/topology.h"

namespace tilefly::topology {

/// What `Topology::family` may be: by it systems are routed and get their lanes. A system that says none is of the first.
const std::vector<std::string>& FamilyKinds();

/// Throws UsageError, its message beginning with `origin` (a file, a family), unless: the family is one of
/// FamilyKinds(); the profile is known and the radix its own; addresses are in range and no two switches share one;
/// each end of a link or endpoint is a port that the switch has, used once; no link leads from a switch to itself;
/// nodes are numbered without holes; all switches are connected, and those of a group also within it (a switch looks
/// at the switch field of an address only in its own group); coordinates are those of the family.
void Validate(const Topology& topology, const std::string& origin);

}  // namespace tilefly::topology
