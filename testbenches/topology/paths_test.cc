// SPDX-License-Identifier: Apache-2.0
// Path diversity against paths written out one by one, and where the numbers are known.
#include "topology/paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/errors.h"
#include "testbenches/topology/graphs.h"
#include "topology/routes.h"

namespace tilefly::topology {
namespace {

using Path = std::set<int>;  // its arcs

/// All paths with the fewest links, by trying every walk of that length.
std::vector<Path> ShortestPaths(const Wiring& wiring, int from, int to) {
  std::vector<Path> found;
  Path path;
  std::function<void(int, int)> go = [&](int at, int left) {
    if (left == 0) {
      if (at == to) found.push_back(path);
      return;
    }
    for (const int arc : wiring.Out(at)) {
      if (!path.insert(arc).second) continue;
      go(wiring.Head(arc), left - 1);
      path.erase(arc);
    }
  };
  for (int hops = 1; found.empty() && hops < wiring.switches(); ++hops) go(from, hops);
  return found;
}

bool ShareNoArc(const Path& a, const Path& b) {
  return std::none_of(a.begin(), a.end(), [&](int arc) { return b.count(arc) != 0; });
}

/// The largest set of paths from `next` on that share no arc with each other and with those chosen.
std::size_t MostDisjoint(const std::vector<Path>& paths, std::size_t next, std::vector<const Path*>* chosen) {
  if (next == paths.size()) return chosen->size();
  std::size_t most = MostDisjoint(paths, next + 1, chosen);
  const bool free =
      std::all_of(chosen->begin(), chosen->end(), [&](const Path* p) { return ShareNoArc(*p, paths[next]); });
  if (!free) return most;
  chosen->push_back(&paths[next]);
  most = std::max(most, MostDisjoint(paths, next + 1, chosen));
  chosen->pop_back();
  return most;
}

const PathClass& ClassOf(const PathDiversity& diversity, const std::string& kind, int hops) {
  for (const PathClass& entry : diversity.classes) {
    if (entry.kind == kind && entry.hops == hops) return entry;
  }
  throw std::runtime_error("no pairs of " + kind + " at " + std::to_string(hops) + " hops");
}

void ExpectSpread(const Spread& spread, std::uint64_t least, double mean, std::uint64_t most) {
  EXPECT_EQ(spread.least, least);
  EXPECT_DOUBLE_EQ(spread.mean, mean);
  EXPECT_EQ(spread.most, most);
}

TEST(Paths, AreThoseFoundByTryingEveryWalk) {
  int pairs = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    const Topology topology = MakeRandomGraph(9, 60, seed);
    const Wiring wiring(topology);
    std::int64_t paths = 0, disjoint = 0, classed = 0;
    std::uint64_t most = 0;
    for (int from = 0; from < wiring.switches(); ++from) {
      for (int to = 0; to < wiring.switches(); ++to) {
        if (from == to) continue;
        const std::vector<Path> found = ShortestPaths(wiring, from, to);
        ASSERT_FALSE(found.empty()) << "seed " << seed << " makes a graph in parts";
        std::vector<const Path*> chosen;
        paths += static_cast<std::int64_t>(found.size());
        most = std::max<std::uint64_t>(most, found.size());
        disjoint += static_cast<std::int64_t>(MostDisjoint(found, 0, &chosen));
        ++pairs;
      }
    }
    const PathDiversity diversity = MeasurePaths(topology, PathSet::kShortest);
    double all_paths = 0, all_disjoint = 0;
    std::uint64_t all_most = 0;
    for (const PathClass& entry : diversity.classes) {
      all_paths += entry.paths.mean * static_cast<double>(entry.pairs);
      all_disjoint += entry.disjoint.mean * static_cast<double>(entry.pairs);
      all_most = std::max(all_most, entry.paths.most);
      classed += entry.pairs;
    }
    EXPECT_EQ(classed, 72);
    EXPECT_NEAR(all_paths, static_cast<double>(paths), 1e-6);
    EXPECT_NEAR(all_disjoint, static_cast<double>(disjoint), 1e-6);
    EXPECT_EQ(all_most, most);
  }
  EXPECT_EQ(pairs, 20 * 72);
}

TEST(Paths, DisjointOnesGoBackOverWhatWasTaken) {
  // The first path found, 0 1 4 6, blocks both others; only undoing 1 4 lets two paths pass.
  Topology topology;
  topology.family = "graph";
  topology.name = "undo";
  std::vector<int> used(7);
  for (int v = 0; v < 7; ++v) topology.switches.push_back({v, 0, {v}});
  for (const auto& [a, b] : std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 4}, {1, 3}, {2, 4}, {4, 6}, {3, 6}}) {
    Connect(&topology, &used, a, b, LinkKind::kLocal);
  }
  topology.endpoints = {{{0, used[0]}, 0, 1.0}, {{6, used[6]}, 1, 1.0}};
  const PathDiversity diversity = MeasurePaths(topology, PathSet::kShortest);
  ASSERT_EQ(diversity.classes.size(), 1u);
  ExpectSpread(ClassOf(diversity, "other group", 3).paths, 3, 3, 3);
  ExpectSpread(ClassOf(diversity, "other group", 3).disjoint, 2, 2, 2);
}

TEST(Paths, TreesHaveOneForEachAncestor) {
  for (const PathSet set : {PathSet::kShortest, PathSet::kRouted}) {
    const PathDiversity diversity = MeasurePaths(MakeTree(4, 3), set);
    ASSERT_EQ(diversity.classes.size(), 2u);
    ExpectSpread(ClassOf(diversity, "all", 2).paths, 4, 4, 4);
    ExpectSpread(ClassOf(diversity, "all", 2).disjoint, 4, 4, 4);
    ExpectSpread(ClassOf(diversity, "all", 4).paths, 16, 16, 16);
    ExpectSpread(ClassOf(diversity, "all", 4).disjoint, 4, 4, 4);
    EXPECT_EQ(ClassOf(diversity, "all", 2).pairs, 16 * 3);
    EXPECT_EQ(ClassOf(diversity, "all", 4).pairs, 16 * 12);
  }
}

TEST(Paths, DimensionOrderLeavesFewOfATorus) {
  const Topology topology = MakeTorus({8, 8});
  const PathClass shortest = ClassOf(MeasurePaths(topology, PathSet::kShortest), "all", 8);
  ExpectSpread(shortest.paths, 280, 280, 280);  // 4 quadrants, 8 over 4 ways each
  ExpectSpread(shortest.disjoint, 4, 4, 4);
  const PathClass routed = ClassOf(MeasurePaths(topology, PathSet::kRouted), "all", 8);
  ExpectSpread(routed.paths, 4, 4, 4);
  ExpectSpread(routed.disjoint, 2, 2, 2);
  const PathClass trunked = ClassOf(MeasurePaths(MakeTorus({8, 8}, 1, 3), PathSet::kRouted), "all", 2);
  ExpectSpread(trunked.paths, 9, 9, 9);
  ExpectSpread(trunked.disjoint, 3, 3, 3);
}

TEST(Paths, MinimalRoutingOfADragonflyHasOnePathWhereOneLinkLeads) {
  const Topology topology = MakeDragonfly(1, 4, 2, Relative);
  const PathDiversity routed = MeasurePaths(topology, PathSet::kRouted);
  std::int64_t pairs = 0;
  for (const PathClass& entry : routed.classes) {
    ExpectSpread(entry.paths, 1, 1, 1);
    ExpectSpread(entry.disjoint, 1, 1, 1);
    EXPECT_LE(entry.hops, 3);
    pairs += entry.pairs;
  }
  EXPECT_EQ(pairs, 36 * 35);
  EXPECT_EQ(ClassOf(routed, "same group", 1).pairs, 36 * 3);
  EXPECT_EQ(ClassOf(routed, "other group", 1).pairs, 72) << "the ends of the 36 global links";
  EXPECT_EQ(ClassOf(routed, "other group", 2).pairs, 72 * 6);
  const PathDiversity shortest = MeasurePaths(topology, PathSet::kShortest);
  EXPECT_GT(ClassOf(shortest, "other group", 2).pairs, 72 * 6) << "two global links in a row are shorter for some";
}

TEST(Paths, ASampleIsNamedSo) {
  const Topology topology = MakeDragonfly(1, 4, 2, Relative);
  const PathDiversity diversity = MeasurePaths(topology, PathSet::kRouted, 36 * 9);
  EXPECT_TRUE(diversity.sampled());
  EXPECT_EQ(diversity.destinations, 9);
  std::int64_t pairs = 0;
  for (const PathClass& entry : diversity.classes) pairs += entry.pairs;
  EXPECT_EQ(pairs, 9 * 35);
  EXPECT_NE(ToText(diversity).find("a sample: from all of 36 switches to 9 of them"), std::string::npos);
  EXPECT_EQ(ToJson(diversity)["destinations"], 9);
  EXPECT_EQ(ToText(MeasurePaths(topology, PathSet::kRouted)).find("sample"), std::string::npos);
}

TEST(Paths, NoPathIsAnError) {
  Topology topology = MakeRandomGraph(4, 0, 1);
  EXPECT_THROW(MeasurePaths(topology, PathSet::kShortest), UsageError);
}

}  // namespace
}  // namespace tilefly::topology
