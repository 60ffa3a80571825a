// SPDX-License-Identifier: Apache-2.0
// Minimum bisection by branch and bound.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/weighted_graph.h"

namespace tilefly::topology {

struct ExactCut {
  bool finished = false;  ///< the whole tree was searched: `weight` is the minimum
  std::int64_t weight = 0;
  std::vector<std::uint8_t> side;
  std::int64_t nodes = 0;  ///< nodes of the tree that were visited
};

/// The lightest split of the vertices into halves of floor(n/2) and ceil(n/2). `start` is any such split, the first
/// upper bound. Gives up, with the best split so far, after `max_steps` visits of a vertex in a node.
///
/// A node fixes the sides of some vertices. Its lower bound: the cut among fixed vertices, plus for every free vertex
/// its links to fixed ones of the other side under the cheapest way of filling both halves (links among free vertices
/// count nothing). The free vertex with the heaviest links to fixed ones is branched on, its heavier side first.
ExactCut BranchAndBound(const WeightedGraph& graph, const std::vector<std::uint8_t>& start, std::int64_t max_steps);

}  // namespace tilefly::topology
