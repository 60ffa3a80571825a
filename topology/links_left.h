// SPDX-License-Identifier: Apache-2.0
// What is left of a system when links between its switches are down.
#pragma once

#include <set>

#include "topology/lanes.h"
#include "topology/topology.h"

namespace tilefly::topology {

/// The system without the links of these numbers. Switches, endpoints and the order of the other links stay.
Topology WithoutLinks(const Topology& topology, const std::set<int>& links);
/// The plan for it: that of the whole system without the ends of these links.
LanePlan WithoutLinks(const LanePlan& plan, const std::set<int>& links);

}  // namespace tilefly::topology
