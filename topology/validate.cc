// SPDX-License-Identifier: Apache-2.0
#include "topology/validate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <map>
#include <utility>
#include <vector>

#include "generated/profile.h"
#include "support/errors.h"

namespace tilefly::topology {
namespace {

[[noreturn]] void Refuse(const std::string& origin, const std::string& message) {
  throw UsageError(fmt::format("{}: {}", origin, message));
}

void CheckProfile(const Topology& topology, const std::string& origin) {
  const Profile* const profile = FindProfile(topology.profile);
  if (profile == nullptr) Refuse(origin, fmt::format("profile '{}' is not known", topology.profile));
  if (profile->ports != topology.radix)
    Refuse(origin, fmt::format("radix {} is not that of profile {}, {} ports", topology.radix, topology.profile,
                               profile->ports));
  if (topology.switches.empty()) Refuse(origin, "there is no switch");
}

void CheckFamily(const Topology& topology, const std::string& origin) {
  const std::vector<std::string>& known = FamilyKinds();
  if (std::find(known.begin(), known.end(), topology.family) == known.end())
    Refuse(origin, fmt::format("family '{}' has no routes and lanes; it is one of {}, or left empty for a graph",
                               topology.family, fmt::join(known, ", ")));
}

void CheckAddresses(const Topology& topology, const std::string& origin) {
  std::map<std::pair<int, int>, std::size_t> owners;
  for (std::size_t s = 0; s < topology.switches.size(); ++s) {
    const Switch& one = topology.switches[s];
    if (one.group < 0 || one.group >= kMaxGroups)
      Refuse(origin,
             fmt::format("switch {}: group {} is not between 0 and {} (9 bits, group 511 is kept for all ones); "
                         "give several switches a group",
                         s, one.group, kMaxGroups - 1));
    if (one.index < 0 || one.index >= kMaxGroupSwitches)
      Refuse(origin,
             fmt::format("switch {}: index {} is not between 0 and {} (5 bits)", s, one.index, kMaxGroupSwitches - 1));
    const auto [owner, first] = owners.emplace(std::pair(one.group, one.index), s);
    if (!first)
      Refuse(origin, fmt::format("switch {}: group {} index {} is switch {}'s address; give it another index", s,
                                 one.group, one.index, owner->second));
  }
}

/// "link 7".
struct User {
  const char* kind = nullptr;  ///< null: a free port
  std::size_t index = 0;
};

/// Who uses each port of each switch: one at most.
class PortUseChecker {
 public:
  PortUseChecker(const Topology& topology, const std::string& origin)
      : switches_(static_cast<int>(topology.switches.size())),
        radix_(topology.radix),
        origin_(origin),
        users_(topology.switches.size() * topology.radix) {}

  void Use(const Port& port, const char* kind, std::size_t index) {
    if (port.at < 0 || port.at >= switches_)
      Refuse(origin_,
             fmt::format("{} {}: there is no switch {}; switches are 0 to {}", kind, index, port.at, switches_ - 1));
    if (port.port < 0 || port.port >= radix_)
      Refuse(origin_, fmt::format("{} {}: switch {} has no port {}; its ports are 0 to {}: choose a larger profile",
                                  kind, index, port.at, port.port, radix_ - 1));
    User& user = users_[static_cast<std::size_t>(port.at) * radix_ + port.port];
    if (user.kind != nullptr)
      Refuse(origin_, fmt::format("{} {}: switch {} port {} is used by {} {} already", kind, index, port.at, port.port,
                                  user.kind, user.index));
    user = {kind, index};
  }

 private:
  int switches_;
  int radix_;
  const std::string& origin_;
  std::vector<User> users_;
};

void CheckMetres(double metres, const char* kind, std::size_t index, const std::string& origin) {
  if (!(metres >= 0 && metres <= kMaxMetres))
    Refuse(origin, fmt::format("{} {}: a length of {}m is not between 0m and {}m", kind, index, metres, kMaxMetres));
}

void CheckPorts(const Topology& topology, const std::string& origin) {
  PortUseChecker ports(topology, origin);
  for (std::size_t e = 0; e < topology.endpoints.size(); ++e) {
    ports.Use(topology.endpoints[e].port, "endpoint", e);
    CheckMetres(topology.endpoints[e].metres, "endpoint", e, origin);
  }
  for (std::size_t l = 0; l < topology.links.size(); ++l) {
    const Link& link = topology.links[l];
    ports.Use(link.a, "link", l);
    ports.Use(link.b, "link", l);
    if (link.a.at == link.b.at) Refuse(origin, fmt::format("link {}: leads from switch {} to itself", l, link.a.at));
    if (link.kind == LinkKind::kTerminal)
      Refuse(origin, fmt::format("link {}: kind terminal is for endpoints; a link between switches is local, global or "
                                 "other",
                                 l));
    if (static_cast<int>(link.kind) >= kKinds)
      Refuse(origin, fmt::format("link {}: there is no kind {}; a link between switches is local, global or other", l,
                                 static_cast<int>(link.kind)));
    CheckMetres(link.metres, "link", l, origin);
  }
}

void CheckNodes(const Topology& topology, const std::string& origin) {
  std::vector<int> nodes;
  for (const Endpoint& endpoint : topology.endpoints) nodes.push_back(endpoint.node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n] < 0) Refuse(origin, fmt::format("node {}: nodes are numbered from 0", nodes[n]));
    if (nodes[n] != static_cast<int>(n))
      Refuse(origin, fmt::format("node {} has no endpoint, and node {} has; number nodes without holes", n, nodes[n]));
  }
}

/// Refuses two switches that `group_of` puts into one group and that no path of links within the group joins.
template <typename Group>
void CheckConnected(const Topology& topology, Group group_of, const std::string& origin, const char* where) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(topology.switches.size());
  for (const Link& link : topology.links) {
    if (group_of(link.a.at) == group_of(link.b.at)) boost::add_edge(link.a.at, link.b.at, graph);
  }
  std::vector<int> component(topology.switches.size());
  boost::connected_components(graph, component.data());
  std::map<int, std::size_t> first;
  for (std::size_t s = 0; s < component.size(); ++s) {
    const std::size_t other = first.emplace(group_of(static_cast<int>(s)), s).first->second;
    if (component[s] != component[other])
      Refuse(origin, fmt::format("switch {} cannot be reached from switch {}{}", s, other, where));
  }
}

/// Coordinates that a family leans on: their number, range, and no two switches at one place.
void CheckPlaces(const Topology& topology, const std::string& origin) {
  if (topology.family == "graph") return;
  if (topology.family == "torus" && topology.dimensions.empty())
    Refuse(origin, "a torus needs its dimensions: dimensions: [8, 8]");
  const std::map<std::string, std::size_t> sizes = {
      {"dragonfly", 2}, {"aries", 3}, {"torus", topology.dimensions.size()}};
  const auto wanted = sizes.find(topology.family);
  std::map<std::vector<int>, std::size_t> owners;
  for (std::size_t s = 0; s < topology.switches.size(); ++s) {
    const std::vector<int>& place = topology.switches[s].place;
    const bool right = wanted != sizes.end() ? place.size() == wanted->second : !place.empty();
    if (!right)
      Refuse(origin,
             fmt::format("switch {}: {} coordinates are not those of family {}; write them as `tilefly topo -o` "
                         "does, or leave the family out",
                         s, place.size(), topology.family));
    for (std::size_t d = 0; d < place.size(); ++d) {
      if (place[d] < 0 || (topology.family == "torus" && place[d] >= topology.dimensions[d]))
        Refuse(origin, fmt::format("switch {}: coordinate {} is out of range", s, place[d]));
    }
    const auto [owner, first] = owners.emplace(place, s);
    if (!first) Refuse(origin, fmt::format("switch {}: its coordinates are those of switch {}", s, owner->second));
  }
}

}  // namespace

const std::vector<std::string>& FamilyKinds() {
  static const std::vector<std::string> kinds = {"graph", "dragonfly", "aries", "tree", "torus"};
  return kinds;
}

void Validate(const Topology& topology, const std::string& origin) {
  CheckFamily(topology, origin);
  CheckProfile(topology, origin);
  CheckAddresses(topology, origin);
  CheckPorts(topology, origin);
  CheckNodes(topology, origin);
  CheckConnected(
      topology, [](int) { return 0; }, origin, "; add a link between their parts");
  CheckConnected(
      topology, [&](int s) { return topology.switches[s].group; }, origin,
      " without leaving their group, where a switch field of an address means nothing; add a link, or give "
      "them different groups");
  CheckPlaces(topology, origin);
}

}  // namespace tilefly::topology
