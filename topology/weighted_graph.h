// SPDX-License-Identifier: Apache-2.0
// The graph of the switches with whole-number weights, parallel links merged: what bisections are computed on.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/ratio.h"
#include "topology/topology.h"

namespace tilefly::topology {

/// Adjacency in compressed rows: the arcs of vertex v are first[v] .. first[v + 1] - 1.
struct WeightedGraph {
  struct Arc {
    int to = 0;
    std::int64_t weight = 0;
  };

  int size = 0;
  std::vector<int> first;
  std::vector<Arc> arcs;

  const Arc* begin(int v) const { return arcs.data() + first[v]; }
  const Arc* end(int v) const { return arcs.data() + first[v + 1]; }
};

/// Switches of a topology. A global link weighs alpha, any other 1; both times alpha's denominator, so that weights are
/// whole. Links of a switch to itself carry nothing across a cut and are left out.
WeightedGraph MakeWeightedGraph(const Topology& topology, const Ratio& alpha);

/// Weight of the links between the two sides; `side` holds 0 or 1 for each vertex.
std::int64_t CutWeight(const WeightedGraph& graph, const std::vector<std::uint8_t>& side);

}  // namespace tilefly::topology
