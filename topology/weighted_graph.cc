// SPDX-License-Identifier: Apache-2.0
#include "topology/weighted_graph.h"

#include <algorithm>

namespace tilefly::topology {

WeightedGraph MakeWeightedGraph(const Topology& topology, const Ratio& alpha) {
  std::vector<std::vector<WeightedGraph::Arc>> rows(topology.switches.size());
  for (const Link& link : topology.links) {
    const std::int64_t weight = link.kind == LinkKind::kGlobal ? alpha.numerator : alpha.denominator;
    if (link.a.at == link.b.at || weight == 0) continue;
    rows[link.a.at].push_back({link.b.at, weight});
    rows[link.b.at].push_back({link.a.at, weight});
  }
  WeightedGraph graph;
  graph.size = static_cast<int>(rows.size());
  graph.first.push_back(0);
  for (auto& row : rows) {
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.to < b.to; });
    for (const WeightedGraph::Arc& arc : row) {
      const bool again = static_cast<int>(graph.arcs.size()) > graph.first.back() && graph.arcs.back().to == arc.to;
      if (again) {
        graph.arcs.back().weight += arc.weight;
      } else {
        graph.arcs.push_back(arc);
      }
    }
    graph.first.push_back(static_cast<int>(graph.arcs.size()));
  }
  return graph;
}

std::int64_t CutWeight(const WeightedGraph& graph, const std::vector<std::uint8_t>& side) {
  std::int64_t twice = 0;
  for (int v = 0; v < graph.size; ++v) {
    for (const auto* arc = graph.begin(v); arc != graph.end(v); ++arc) {
      if (side[v] != side[arc->to]) twice += arc->weight;
    }
  }
  return twice / 2;
}

}  // namespace tilefly::topology
