// SPDX-License-Identifier: Apache-2.0
#include "topology/graph.h"

#include <cstddef>
#include <utility>

namespace tilefly::topology {

SwitchGraph MakeGraph(const Topology& topology) {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  edges.reserve(2 * topology.links.size());
  for (const Link& link : topology.links) {
    edges.emplace_back(link.a.at, link.b.at);
    edges.emplace_back(link.b.at, link.a.at);
  }
  return SwitchGraph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), topology.switches.size());
}

std::vector<int> GroupsOf(const Topology& topology) {
  std::vector<int> groups;
  if (topology.family == "tree" || topology.family == "torus") return groups;
  const bool built = topology.family == "dragonfly" || topology.family == "aries";
  for (const Switch& one : topology.switches) groups.push_back(built ? one.place.front() : one.group);
  return groups;
}

}  // namespace tilefly::topology
