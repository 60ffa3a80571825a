// SPDX-License-Identifier: Apache-2.0
#include "topology/routes.h"

#include <algorithm>
#include <string>

#include "support/errors.h"

namespace tilefly::topology {
namespace {

[[noreturn]] void ThrowNoWay(const Topology& topology, int from, const std::string& to) {
  throw UsageError("routes of " + topology.name + ": no way from switch " + std::to_string(from) + " to " + to +
                   "; check the links and the groups, or describe the system as a graph");
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
    domain_.push_back(topology.switches[at].group);
    if (domain_[at] >= domains()) members_.resize(domain_[at] + 1);
    members_[domain_[at]].push_back(at);
    sorted_.push_back(wiring_.Out(at));
    std::stable_sort(sorted_[at].begin(), sorted_[at].end(),
                     [&](int x, int y) { return wiring_.Head(x) < wiring_.Head(y); });
  }
  for (const Endpoint& endpoint : topology.endpoints) has_endpoints_[endpoint.port.at] = true;
  if (grouped) FindGroups();
}

void Routes::FindGroups() {
  for (int at = 0; at < wiring_.switches(); ++at) {
    group_.push_back(topology_.switches[at].place.at(0));
    in_group_.resize(std::max(in_group_.size(), static_cast<std::size_t>(group_[at]) + 1));
    in_group_[group_[at]].push_back(at);
    const int first = members_[domain_[at]].front();
    if (group_[first] != group_[at]) {
      throw UsageError("routes of " + topology_.name + ": switches " + std::to_string(first) + " and " +
                       std::to_string(at) + " have the same address group and are of different groups of the system");
    }
  }
  for (int at = 0; at < wiring_.switches(); ++at) {
    by_group_.emplace_back();
    for (const int arc : sorted_[at]) {
      if (group_[wiring_.Head(arc)] != group_[at]) by_group_[at].push_back(arc);
    }
    std::stable_sort(by_group_[at].begin(), by_group_[at].end(),
                     [&](int x, int y) { return group_[wiring_.Head(x)] < group_[wiring_.Head(y)]; });
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
  for (const int at : in_group_[group_[from]]) {
    if (topology_.switches[at].place == place) return at;
  }
  return -1;
}

void Routes::InsideGroup(int from, int to, std::vector<int>* arcs) const {
  auto direct = Direct(from, to);
  if (direct.first == direct.second) {
    const int corner = Corner(from, to);
    if (corner >= 0) direct = Direct(from, corner);
    if (direct.first == direct.second) ThrowNoWay(topology_, from, "switch " + std::to_string(to) + " of its group");
  }
  arcs->insert(arcs->end(), direct.first, direct.second);
}

/// From switches of other groups, towards their links to the group.
void Routes::TowardsGates(int group, std::vector<std::vector<int>>* next) const {
  const auto leads_to = [&](int arc, int value) { return group_[wiring_.Head(arc)] < value; };
  std::vector<int> gates;
  for (int own = 0; own < static_cast<int>(in_group_.size()); ++own) {
    if (own == group) continue;
    gates.clear();
    for (const int at : in_group_[own]) {
      const auto& arcs = by_group_[at];
      for (auto it = std::lower_bound(arcs.begin(), arcs.end(), group, leads_to);
           it != arcs.end() && group_[wiring_.Head(*it)] == group; ++it) {
        (*next)[at].push_back(*it);
      }
      if (!(*next)[at].empty()) gates.push_back(at);
    }
    for (const int at : in_group_[own]) {
      auto& chosen = (*next)[at];
      if (!chosen.empty() && group_[wiring_.Head(chosen.front())] == group) continue;
      if (gates.empty()) ThrowNoWay(topology_, at, "group " + std::to_string(group));
      int hops = 3;
      for (const int gate : gates) hops = std::min(hops, HopsInGroup(at, gate));
      for (const int gate : gates) {
        if (HopsInGroup(at, gate) == hops) InsideGroup(at, gate, &chosen);
      }
      std::sort(chosen.begin(), chosen.end());
      chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    }
  }
}

void Routes::TowardsGroup(int domain, std::vector<std::vector<int>>* next) const {
  const int group = group_[members_[domain].front()];
  TowardsGates(group, next);
  for (const int at : in_group_[group]) {
    if (domain_[at] == domain) continue;
    for (const int to : members_[domain]) {
      const auto direct = Direct(at, to);
      (*next)[at].insert((*next)[at].end(), direct.first, direct.second);
    }
    if ((*next)[at].empty()) ThrowNoWay(topology_, at, "address group " + std::to_string(domain));
  }
}

/// The step in one dimension of a torus.
void Routes::Round(int from, int to, std::size_t dimension, std::vector<int>* arcs) const {
  const int size = topology_.dimensions[dimension];
  const std::vector<int>& place = topology_.switches[from].place;
  const int up = (topology_.switches[to].place[dimension] - place[dimension] + size) % size;
  std::vector<int> step = place;
  if (2 * up <= size) step[dimension] = (place[dimension] + 1) % size;
  std::vector<int> back = place;
  if (2 * up >= size) back[dimension] = (place[dimension] + size - 1) % size;
  for (const int arc : wiring_.Out(from)) {
    const std::vector<int>& head = topology_.switches[wiring_.Head(arc)].place;
    if ((head == step || head == back) && head != place) arcs->push_back(arc);
  }
  if (arcs->empty()) ThrowNoWay(topology_, from, "switch " + std::to_string(to));
}

/// The dimensions in which the members are alike must be the last ones: then whoever has come to the domain has only
/// lower ones to go.
void Routes::TowardsByDimension(int domain, std::vector<std::vector<int>>* next) const {
  const std::vector<int>& members = members_[domain];
  const std::vector<int>& end = topology_.switches[members.front()].place;
  std::size_t lowest = 0;
  for (std::size_t d = 0; d < end.size(); ++d) {
    for (const int one : members) {
      if (topology_.switches[one].place[d] != end[d]) lowest = d + 1;
    }
  }
  for (int at = 0; at < wiring_.switches(); ++at) {
    if (domain_[at] == domain) continue;
    std::size_t d = end.size();
    while (d > lowest && topology_.switches[at].place[d - 1] == end[d - 1]) --d;
    if (d == lowest) {
      throw UsageError("routes of " + topology_.name + ": address group " + std::to_string(domain) +
                       " is neither a switch nor a row, plane, ... of the torus along its first dimensions; leave the "
                       "groups as `tilefly topo` writes them, or describe the system as a graph");
    }
    Round(at, members.front(), d - 1, &(*next)[at]);
  }
}

void Routes::TowardsNearest(const std::vector<int>& targets, std::vector<std::vector<int>>* next) const {
  std::vector<int> distance(wiring_.switches(), -1), queue = targets;
  for (const int to : targets) distance[to] = 0;
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
    if (distance[at] < 0 && HasEndpoints(at)) ThrowNoWay(topology_, at, "switch " + std::to_string(targets.front()));
  }
}

void Routes::Shortest(int to, std::vector<std::vector<int>>* next) const {
  Clear(wiring_.switches(), next);
  TowardsNearest({to}, next);
}

void Routes::Towards(int domain, std::vector<std::vector<int>>* next) const {
  Clear(wiring_.switches(), next);
  if (members_[domain].empty()) return;
  if (kind_ == Kind::kGrouped) {
    TowardsGroup(domain, next);
  } else if (kind_ == Kind::kTorus) {
    TowardsByDimension(domain, next);
  } else {
    TowardsNearest(members_[domain], next);
  }
}

/// A search among the few switches of a domain.
void Routes::InsideByDistance(int from, int to, std::vector<int>* arcs) const {
  std::vector<int> queue{to};
  std::vector<int> distance{0};  // of queue
  const auto found = [&](int at) {
    return static_cast<std::size_t>(std::find(queue.begin(), queue.end(), at) - queue.begin());
  };
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const int arc : wiring_.Out(queue[i])) {
      const int head = wiring_.Head(arc);
      if (domain_[head] != domain_[to]) continue;
      if (found(head) == queue.size()) {
        queue.push_back(head);
        distance.push_back(distance[i] + 1);
      }
      if (head == from && distance[found(from)] == distance[i] + 1) arcs->push_back(arc ^ 1);
    }
  }
  if (found(from) == queue.size()) ThrowNoWay(topology_, from, "switch " + std::to_string(to) + " inside their group");
}

void Routes::Inside(int from, int to, std::vector<int>* arcs) const {
  if (kind_ == Kind::kGrouped) {
    InsideGroup(from, to, arcs);
  } else if (kind_ == Kind::kTorus) {
    std::size_t d = topology_.dimensions.size();
    while (topology_.switches[from].place[d - 1] == topology_.switches[to].place[d - 1]) --d;
    Round(from, to, d - 1, arcs);
  } else {
    InsideByDistance(from, to, arcs);
  }
}

}  // namespace tilefly::topology
