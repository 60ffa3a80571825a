// SPDX-License-Identifier: Apache-2.0
#include "topology/routes.h"

#include <algorithm>
#include <string>

#include "support/errors.h"

namespace tilefly::topology {
namespace {

[[noreturn]] void ThrowNoWay(const Topology& topology, int from, const std::string& to) {
  throw UsageError("routes of " + topology.name + ": no way from switch " + std::to_string(from) + " to " + to +
                   "; check the links, or describe the system as a graph");
}

void Clear(int switches, std::vector<std::vector<int>>* next) {
  next->resize(switches);
  for (auto& arcs : *next) arcs.clear();
}

}  // namespace

Wiring::Wiring(const Topology& topology) : out_(topology.switches.size()) {
  ends_.reserve(2 * topology.links.size());
  for (const Link& link : topology.links) {
    out_[link.a.at].push_back(static_cast<int>(ends_.size()));
    out_[link.b.at].push_back(static_cast<int>(ends_.size()) + 1);
    ends_.push_back(link.a);
    ends_.push_back(link.b);
  }
}

Routes::Routes(const Topology& topology)
    : topology_(topology), wiring_(topology), has_endpoints_(topology.switches.size(), topology.endpoints.empty()) {
  const bool grouped = topology.family == "dragonfly" || topology.family == "aries";
  kind_ = grouped ? Kind::kGrouped : topology.family == "torus" ? Kind::kTorus : Kind::kShortest;
  for (int at = 0; at < wiring_.switches(); ++at) {
    domain_.push_back(grouped ? topology.switches[at].place.at(0) : at);
    if (domain_[at] >= domains()) members_.resize(domain_[at] + 1);
    members_[domain_[at]].push_back(at);
    sorted_.push_back(wiring_.Out(at));
    std::stable_sort(sorted_[at].begin(), sorted_[at].end(),
                     [&](int x, int y) { return wiring_.Head(x) < wiring_.Head(y); });
  }
  for (const Endpoint& endpoint : topology.endpoints) has_endpoints_[endpoint.port.at] = true;
  for (int at = 0; at < wiring_.switches(); ++at) {
    by_group_.emplace_back();
    for (const int arc : sorted_[at]) {
      if (domain_[wiring_.Head(arc)] != domain_[at]) by_group_[at].push_back(arc);
    }
    std::stable_sort(by_group_[at].begin(), by_group_[at].end(),
                     [&](int x, int y) { return domain_[wiring_.Head(x)] < domain_[wiring_.Head(y)]; });
  }
}

std::pair<const int*, const int*> Routes::Direct(int from, int to) const {
  const std::vector<int>& arcs = sorted_[from];
  const auto first =
      std::lower_bound(arcs.begin(), arcs.end(), to, [&](int arc, int value) { return wiring_.Head(arc) < value; });
  auto last = first;
  while (last != arcs.end() && wiring_.Head(*last) == to) ++last;
  return {arcs.data() + (first - arcs.begin()), arcs.data() + (last - arcs.begin())};
}

/// Where an Aries path turns: the chassis of its end, the blade of its beginning. -1 when there is no such switch.
int Routes::Corner(int from, int to) const {
  std::vector<int> place = topology_.switches[from].place;
  if (place.size() != 3) return -1;
  place[1] = topology_.switches[to].place[1];
  for (const int at : members_[domain_[from]]) {
    if (topology_.switches[at].place == place) return at;
  }
  return -1;
}

void Routes::Inside(int from, int to, std::vector<int>* arcs) const {
  auto direct = Direct(from, to);
  if (direct.first == direct.second) {
    const int corner = Corner(from, to);
    if (corner >= 0) direct = Direct(from, corner);
    if (direct.first == direct.second) ThrowNoWay(topology_, from, "switch " + std::to_string(to) + " of its group");
  }
  arcs->insert(arcs->end(), direct.first, direct.second);
}

void Routes::TowardsGroup(int domain, std::vector<std::vector<int>>* next) const {
  const auto leads_to = [&](int arc, int value) { return domain_[wiring_.Head(arc)] < value; };
  for (int at = 0; at < wiring_.switches(); ++at) {
    if (domain_[at] == domain) continue;
    const auto& arcs = by_group_[at];
    for (auto it = std::lower_bound(arcs.begin(), arcs.end(), domain, leads_to);
         it != arcs.end() && domain_[wiring_.Head(*it)] == domain; ++it) {
      (*next)[at].push_back(*it);
    }
  }
  std::vector<int> gates;
  for (int group = 0; group < domains(); ++group) {
    if (group == domain) continue;
    gates.clear();
    for (const int at : members_[group]) {
      if (!(*next)[at].empty()) gates.push_back(at);
    }
    for (const int at : members_[group]) {
      if (std::find(gates.begin(), gates.end(), at) != gates.end()) continue;
      if (gates.empty()) ThrowNoWay(topology_, at, "group " + std::to_string(domain));
      int hops = 3;
      for (const int gate : gates) hops = std::min(hops, InsideHops(at, gate));
      for (const int gate : gates) {
        if (InsideHops(at, gate) == hops) Inside(at, gate, &(*next)[at]);
      }
      auto& chosen = (*next)[at];
      std::sort(chosen.begin(), chosen.end());
      chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    }
  }
}

void Routes::TowardsByDimension(int to, std::vector<std::vector<int>>* next) const {
  const std::vector<int>& size = topology_.dimensions;
  const std::vector<int>& end = topology_.switches[to].place;
  for (int at = 0; at < wiring_.switches(); ++at) {
    if (at == to) continue;
    const std::vector<int>& place = topology_.switches[at].place;
    std::size_t d = 0;
    while (place[d] == end[d]) ++d;
    const int up = (end[d] - place[d] + size[d]) % size[d];
    std::vector<int> step = place;
    if (2 * up <= size[d]) step[d] = (place[d] + 1) % size[d];
    std::vector<int> back = place;
    if (2 * up >= size[d]) back[d] = (place[d] + size[d] - 1) % size[d];
    for (const int arc : wiring_.Out(at)) {
      const std::vector<int>& head = topology_.switches[wiring_.Head(arc)].place;
      if ((head == step || head == back) && head != place) (*next)[at].push_back(arc);
    }
    if ((*next)[at].empty()) ThrowNoWay(topology_, at, "switch " + std::to_string(to));
  }
}

void Routes::Shortest(int to, std::vector<std::vector<int>>* next) const {
  Clear(wiring_.switches(), next);
  std::vector<int> distance(wiring_.switches(), -1), queue{to};
  distance[to] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const int at = queue[i];
    for (const int arc : wiring_.Out(at)) {
      const int head = wiring_.Head(arc);
      if (distance[head] < 0) {
        distance[head] = distance[at] + 1;
        queue.push_back(head);
      }
      if (distance[head] == distance[at] + 1) (*next)[head].push_back(arc ^ 1);
    }
  }
  if (static_cast<int>(queue.size()) == wiring_.switches()) return;
  for (int at = 0; at < wiring_.switches(); ++at) {
    if (distance[at] < 0 && HasEndpoints(at)) ThrowNoWay(topology_, at, "switch " + std::to_string(to));
  }
}

void Routes::Towards(int domain, std::vector<std::vector<int>>* next) const {
  Clear(wiring_.switches(), next);
  if (kind_ == Kind::kGrouped) {
    TowardsGroup(domain, next);
  } else if (kind_ == Kind::kTorus) {
    TowardsByDimension(members_[domain].front(), next);
  } else {
    Shortest(members_[domain].front(), next);
  }
}

}  // namespace tilefly::topology
