// SPDX-License-Identifier: Apache-2.0
// Next hops of systems some of whose links are down, against all paths of a slow search.
#include "topology/living_hops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "topology/builder.h"
#include "topology/links_left.h"

namespace tilefly::topology {
namespace {

constexpr int kFar = 1'000'000;

/// Global links, then all links, of the best paths from each switch to the nearest of the targets; over `members` alone
/// when there are any. Bellman and Ford: over and over again until nothing gets shorter.
std::vector<std::pair<int, int>> Best(const Topology& topology, const std::vector<int>& targets,
                                      const std::vector<int>& members) {
  std::vector<std::pair<int, int>> best(topology.switches.size(), {kFar, kFar});
  for (const int to : targets) best[to] = {0, 0};
  const auto is_member = [&](int at) {
    return members.empty() || std::find(members.begin(), members.end(), at) != members.end();
  };
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (const Link& link : topology.links) {
      for (const auto& [from, to] : {std::pair(link.a.at, link.b.at), std::pair(link.b.at, link.a.at)}) {
        if (!is_member(from) || !is_member(to) || best[to].first == kFar) continue;
        const std::pair<int, int> way(best[to].first + (link.kind == LinkKind::kGlobal), best[to].second + 1);
        if (way < best[from]) best[from] = way, shorter = true;
      }
    }
  }
  return best;
}

/// Whether the arcs are those of all best paths from the switch.
void ExpectBest(const Topology& topology, const Wiring& wiring, const std::vector<std::pair<int, int>>& best, int from,
                const std::vector<int>& arcs) {
  std::vector<int> expected;
  for (const int arc : wiring.Out(from)) {
    const std::pair<int, int> there = best[wiring.Head(arc)];
    const bool global = topology.links[arc / 2].kind == LinkKind::kGlobal;
    if (best[from].first != kFar && there != std::pair(kFar, kFar) &&
        std::pair(there.first + global, there.second + 1) == best[from])
      expected.push_back(arc);
  }
  std::vector<int> sorted = arcs;
  std::sort(sorted.begin(), sorted.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(sorted, expected) << "from switch " << from;
}

std::vector<int> Inside(const NextHops& hops, int from, int to) {
  std::vector<int> arcs;
  hops.Inside(from, to, &arcs);
  return arcs;
}

TEST(LivingHops, OfAWholeSystemAreTheRoutesOfItsFamily) {
  for (const char* const name : {"dragonfly:p=2,a=4,h=2", "aries:g=2,chassis=3,blades=4,p=1",
                                 "fattree:leaves=4,hosts=2,uplinks=2", "torus:size=4x3"}) {
    const Topology topology = Build(name);
    const Routes routes(topology);
    const LivingHops hops(topology, routes);
    std::vector<std::vector<int>> expected, next;
    for (int domain = 0; domain < routes.domains(); ++domain) {
      routes.Towards(domain, &expected);
      hops.Towards(domain, &next);
      EXPECT_EQ(next, expected) << name << " domain " << domain;
      for (const int to : routes.Members(domain)) {
        for (const int from : routes.Members(domain)) {
          if (from != to) EXPECT_EQ(Inside(hops, from, to), Inside(routes, from, to)) << name;
        }
      }
    }
    EXPECT_EQ(CountCutPairs(routes, hops), 0) << name;
  }
}

/// A dragonfly has one link for each pair of groups, and for each pair of switches of a group: without any of them, a
/// way is left, and it is the best.
TEST(LivingHops, WithoutALinkAreTheBestPathsThatAreLeft) {
  const Topology whole = Build("dragonfly:p=2,a=4,h=2");
  for (const std::set<int>& down : {std::set<int>{0}, {5}, {60}, {80}, {0, 1, 70}, {54, 60, 61, 89}}) {
    const Topology topology = WithoutLinks(whole, down);
    ASSERT_EQ(topology.links.size(), whole.links.size() - down.size());
    const Routes routes(topology);
    const LivingHops hops(topology, routes);
    std::vector<std::vector<int>> next;
    for (int domain = 0; domain < routes.domains(); ++domain) {
      hops.Towards(domain, &next);
      const auto best = Best(topology, routes.Members(domain), {});
      for (int at = 0; at < routes.wiring().switches(); ++at)
        if (routes.DomainOf(at) != domain) ExpectBest(topology, routes.wiring(), best, at, next[at]);
      for (const int to : routes.Members(domain)) {
        const auto inside = Best(topology, {to}, routes.Members(domain));
        for (const int from : routes.Members(domain))
          if (from != to) ExpectBest(topology, routes.wiring(), inside, from, Inside(hops, from, to));
      }
    }
    EXPECT_EQ(CountCutPairs(routes, hops), 0);
  }
}

/// The other way round a row, even where the way over another row has fewer links: tables of a group know its members
/// alone.
TEST(LivingHops, InsideAGroupStayInside) {
  const Topology whole = Build("torus:size=6x4");
  const Topology topology = WithoutLinks(whole, {0});
  const int from = whole.links[0].a.at, to = whole.links[0].b.at;
  const Routes routes(topology);
  ASSERT_EQ(routes.DomainOf(from), routes.DomainOf(to));
  const LivingHops hops(topology, routes);
  int at = from, links = 0;
  for (; at != to && links < 6; ++links) {
    const std::vector<int> arcs = Inside(hops, at, to);
    ASSERT_EQ(arcs.size(), 1u) << "at switch " << at;
    at = routes.wiring().Head(arcs.front());
    EXPECT_EQ(routes.DomainOf(at), routes.DomainOf(to));
  }
  EXPECT_EQ(links, 5);
}

/// A switch that has lost all links: nobody comes there, and nobody goes from there.
TEST(LivingHops, TellWhoIsCutOff) {
  const Topology whole = Build("dragonfly:p=2,a=4,h=2");
  std::set<int> of_switch, of_group;
  for (int link = 0; link < static_cast<int>(whole.links.size()); ++link) {
    const Link& one = whole.links[link];
    if (one.a.at == 6 || one.b.at == 6) of_switch.insert(link);
    if (one.kind == LinkKind::kGlobal && (whole.switches[one.a.at].group == 2 || whole.switches[one.b.at].group == 2))
      of_group.insert(link);
  }
  const int switches = static_cast<int>(whole.switches.size());
  const auto cut = [&](const std::set<int>& down) {
    const Topology topology = WithoutLinks(whole, down);
    const Routes routes(topology);
    return CountCutPairs(routes, LivingHops(topology, routes));
  };
  EXPECT_EQ(cut(of_group), 2 * 4 * (switches - 4));
  // Packets for the switch itself, from all others and to them. Those for its group come to switches that know it not.
  EXPECT_EQ(cut(of_switch), 2 * (switches - 1));
}

}  // namespace
}  // namespace tilefly::topology
