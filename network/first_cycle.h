// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tilefly::network {

/// Finds the first cycle of a graph in depth-first order. Returns nodes of which each leads to the next, and the last
/// to the first; empty: the graph has no cycle. `next`: by node, the nodes to which it leads.
std::vector<int> FirstCycle(const std::vector<std::vector<int>>& next);

}  // namespace tilefly::network
