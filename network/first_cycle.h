// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tilefly::network {

/// The first cycle of a graph in depth-first order: nodes of which each leads to the next, the last to the first; empty
/// without one. `next`: by node.
std::vector<int> FirstCycle(const std::vector<std::vector<int>>& next);

}  // namespace tilefly::network
