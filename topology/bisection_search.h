// SPDX-License-Identifier: Apache-2.0
// Light bisections by local search (Fiduccia and Mattheyses, with restarts): upper bounds of the minimum.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/weighted_graph.h"

namespace tilefly::topology {

/// The best split into halves of floor(n/2) and ceil(n/2) vertices that was found. Starts: vertices in their order,
/// every second vertex, and `restarts` times a random split and one grown breadth first from a random vertex. A pass
/// moves each vertex once, from the fuller side, the one with the highest gain first, and keeps the best prefix that is
/// even; passes repeat while they gain. Deterministic: the same seed gives the same split.
std::vector<std::uint8_t> SearchCut(const WeightedGraph& graph, int restarts, std::uint64_t seed);

}  // namespace tilefly::topology
