// SPDX-License-Identifier: Apache-2.0
#include "topology/links_left.h"

#include <vector>

namespace tilefly::topology {
namespace {

template <typename T>
std::vector<T> Without(const std::vector<T>& of_links, const std::set<int>& links) {
  std::vector<T> left;
  for (int link = 0; link < static_cast<int>(of_links.size()); ++link) {
    if (links.count(link) == 0) left.push_back(of_links[static_cast<std::size_t>(link)]);
  }
  return left;
}

}  // namespace

Topology WithoutLinks(const Topology& topology, const std::set<int>& links) {
  Topology left = topology;
  left.links = Without(topology.links, links);
  return left;
}

LanePlan WithoutLinks(const LanePlan& plan, const std::set<int>& links) {
  LanePlan left = plan;
  left.port_class = Without(plan.port_class, links);
  return left;
}

}  // namespace tilefly::topology
