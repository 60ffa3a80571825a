// SPDX-License-Identifier: Apache-2.0
// The switches of a system as a graph of the Boost Graph Library.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <vector>

#include "topology/topology.h"

namespace tilefly::topology {

/// Vertices are switches; each link is an edge in either direction, parallel links are parallel edges.
using SwitchGraph = boost::compressed_sparse_row_graph<boost::directedS>;
SwitchGraph MakeGraph(const Topology& topology);

/// Groups as they are built and drawn: those of a dragonfly or of Aries (whose address has a group for each chassis),
/// of any graph the groups of its addresses. One number for each switch; empty for trees and tori, which have none.
std::vector<int> GroupsOf(const Topology& topology);

}  // namespace tilefly::topology
