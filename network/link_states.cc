// SPDX-License-Identifier: Apache-2.0
#include "network/link_states.h"

#include <algorithm>

namespace tilefly::network {

LinkStates::LinkStates(const topology::Topology& topology) {
  for (int link = 0; link < static_cast<int>(topology.links.size()); ++link) {
    const topology::Link& one = topology.links[static_cast<std::size_t>(link)];
    for (const topology::Port& end : {one.a, one.b}) link_at_[{end.at, end.port}] = link;
  }
}

int LinkStates::LinkAt(int node, int port) const {
  const auto found = link_at_.find({node, port});
  return found == link_at_.end() ? -1 : found->second;
}

Cycle LinkStates::NextChange(Cycle cycle) const {
  Cycle next = kNever;
  for (const auto& [link, downs] : downs_) next = std::min(next, downs.NextChange(cycle));
  return next;
}

std::vector<int> LinkStates::ChangedIn(Cycle cycle) const {
  std::vector<int> changed;
  for (const auto& [link, downs] : downs_) {
    if (downs.NextChange(cycle) == cycle) changed.push_back(link);
  }
  return changed;
}

std::set<int> LinkStates::DownIn(Cycle cycle) const {
  std::set<int> down;
  for (const auto& [link, downs] : downs_) {
    if (!downs.IsUp(cycle)) down.insert(link);
  }
  return down;
}

}  // namespace tilefly::network
