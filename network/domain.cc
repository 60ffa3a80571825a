// SPDX-License-Identifier: Apache-2.0
#include "network/domain.h"

#include <map>

namespace tilefly::network {

Domains::Domains(const topology::Topology& topology, bool whole) {
  std::map<int, int> domain_of_group;
  const bool groups = !whole && (topology.family == "dragonfly" || topology.family == "aries");
  for (std::size_t s = 0; s < topology.switches.size(); ++s) {
    const topology::Switch& one = topology.switches[s];
    const int group = !groups ? 0 : one.place.empty() ? one.group : one.place.front();
    const int domain = domain_of_group.emplace(group, static_cast<int>(domain_of_group.size())).first->second;
    members.resize(domain_of_group.size());
    domain_of.push_back(domain);
    place_of.push_back(static_cast<int>(members[domain].size()));
    members[domain].push_back(static_cast<int>(s));
  }
}

}  // namespace tilefly::network
