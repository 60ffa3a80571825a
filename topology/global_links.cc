// SPDX-License-Identifier: Apache-2.0
#include "topology/global_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "support/errors.h"

namespace tilefly::topology {

const std::vector<std::string>& ArrangementNames() {
  static const std::vector<std::string> names = {"absolute", "relative", "circulant"};
  return names;
}

int PeerGroup(Arrangement arrangement, int i, int k, int g) {
  switch (arrangement) {
    case Arrangement::kAbsolute:
      return k < i ? k : k + 1;
    case Arrangement::kRelative:
      return (i + k + 1) % g;
    case Arrangement::kCirculant:
      break;
  }
  const int distance = k / 2 + 1;
  return k % 2 == 0 ? (i + distance) % g : (i - distance + g) % g;
}

int PortTowards(Arrangement arrangement, int i, int j, int g) {
  const int ahead = (j - i + g) % g;
  switch (arrangement) {
    case Arrangement::kAbsolute:
      return j < i ? j : j - 1;
    case Arrangement::kRelative:
      return ahead - 1;
    case Arrangement::kCirculant:
      break;
  }
  return 2 * ahead <= g ? 2 * (ahead - 1) : 2 * (g - ahead) - 1;
}

GlobalLinks::GlobalLinks(Arrangement arrangement, int groups, int ports, int links)
    : arrangement_(arrangement), groups_(groups), ports_(ports), links_(links) {}

int GlobalLinks::Port(int from, int to, int copy) const {
  const std::int64_t used = static_cast<std::int64_t>(links_) * (groups_ - 1);
  const int connection = copy * (groups_ - 1) + PortTowards(arrangement_, from, to, groups_);
  return static_cast<int>(connection * static_cast<std::int64_t>(ports_) / used);
}

GlobalKeys ReadGlobalKeys(Parameters* parameters, int ports, int default_groups, int most_groups,
                          const std::string& why_most, LinksDefault links_default) {
  GlobalKeys keys;
  keys.groups = parameters->Integer("g", default_groups, 1, most_groups, why_most);
  const int peers = keys.groups - 1;
  const int fit = peers == 0 ? 1 : ports / peers;
  if (fit == 0)
    throw UsageError(
        fmt::format("{}: g={} groups need {} global ports a group, and there are {}; give more h, more switches a "
                    "group, or at most g={}",
                    parameters->origin(), keys.groups, peers, ports, ports + 1));
  const std::string why = fmt::format("a group has {} global ports for its links to {} other groups", ports, peers);
  keys.links = parameters->Integer("links", links_default == LinksDefault::kOne ? 1 : fit, 1, fit, why);
  const std::vector<std::string>& names = ArrangementNames();
  const std::string arrangement = parameters->Choice("arrangement", names.front(), names);
  keys.arrangement = static_cast<Arrangement>(std::find(names.begin(), names.end(), arrangement) - names.begin());
  return keys;
}

void AddGlobalLinks(const GlobalKeys& keys, const GlobalPorts& ports, double metres, Topology* topology) {
  const GlobalLinks rule(keys.arrangement, keys.groups, ports.group_switches * ports.count, keys.links);
  const auto port = [&](int from, int to, int copy) {
    const int k = rule.Port(from, to, copy);
    return Port{from * ports.group_switches + k / ports.count, ports.first + k % ports.count};
  };
  for (int i = 0; i < keys.groups; ++i) {
    for (int j = i + 1; j < keys.groups; ++j) {
      for (int copy = 0; copy < keys.links; ++copy)
        topology->links.push_back({port(i, j, copy), port(j, i, copy), LinkKind::kGlobal, metres});
    }
  }
}

}  // namespace tilefly::topology
