// SPDX-License-Identifier: Apache-2.0
// A lower bound of the minimum bisection from traffic between all pairs that is spread over the links as evenly as it
// can.
#pragma once

#include <cstdint>

#include "topology/weighted_graph.h"

namespace tilefly::topology {

/// Every pair of vertices sends one unit, over paths of any length; no link carries more than c units for each unit of
/// its weight. A bisection is crossed by floor(n/2) * ceil(n/2) units: it weighs at least that over c, rounded up to a
/// whole weight. The traffic is improved step by step (block-coordinate Frank-Wolfe on the exponential potential of the
/// links: each vertex in turn moves a part of its units to a tree of shortest paths, a link being the longer the more
/// it carries); whatever it has become, the bound holds. Stops at `enough` or after `sweeps` over the vertices. 0 for a
/// graph in parts.
std::int64_t FlowBound(const WeightedGraph& graph, int sweeps, std::int64_t enough);

}  // namespace tilefly::topology
