// SPDX-License-Identifier: Apache-2.0
// Counts and distances against figures that follow from the definitions, and a plain search.
#include "topology/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <queue>
#include <string>
#include <vector>

#include "topology/builder.h"

namespace tilefly::topology {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Distances from one switch, by a queue.
std::vector<int> Plain(const Topology& topology, int from) {
  std::vector<std::vector<int>> next(topology.switches.size());
  for (const Link& link : topology.links) {
    next[link.a.at].push_back(link.b.at);
    next[link.b.at].push_back(link.a.at);
  }
  std::vector<int> distance(topology.switches.size(), -1);
  std::queue<int> queue({from});
  for (distance[from] = 0; !queue.empty(); queue.pop()) {
    for (const int to : next[queue.front()]) {
      if (distance[to] >= 0) continue;
      distance[to] = distance[queue.front()] + 1;
      queue.push(to);
    }
  }
  return distance;
}

TEST(Distances, EqualThoseOfAPlainSearch) {
  for (const std::string text : {"dragonfly:p=2,a=4,h=2", "dragonfly:p=3,a=6,h=2,g=5,links=3,nodes=70",
                                 "preset:crystal", "tree:k=3,n=3", "torus:size=5x4x2,p=2", "dragonfly:p=4,a=1,h=0"}) {
    const Topology topology = Build(text);
    std::vector<std::int64_t> endpoints(topology.switches.size());
    for (const Endpoint& endpoint : topology.endpoints) ++endpoints[endpoint.port.at];
    std::vector<std::int64_t> pairs;
    double sum = 0, weighted = 0;
    for (std::size_t s = 0; s < topology.switches.size(); ++s) {
      const std::vector<int> distance = Plain(topology, static_cast<int>(s));
      for (std::size_t t = 0; t < distance.size(); ++t) {
        if (pairs.size() <= static_cast<std::size_t>(distance[t])) pairs.resize(distance[t] + 1);
        ++pairs[distance[t]];
        sum += distance[t];
        weighted += static_cast<double>(distance[t] * endpoints[s] * endpoints[t]);
      }
    }
    const Distances found = MeasureDistances(topology);
    EXPECT_EQ(found.pairs, pairs) << text;
    const double n = static_cast<double>(topology.switches.size());
    const double e = static_cast<double>(topology.endpoints.size());
    EXPECT_DOUBLE_EQ(found.mean, n < 2 ? 0 : sum / (n * (n - 1))) << text;
    EXPECT_DOUBLE_EQ(found.endpoints_mean, weighted / (e * (e - 1))) << text;
  }
}

TEST(Describe, ShandyHasThePrintedPeaks) {
  const Topology shandy = Build("preset:shandy");
  const Description d = Describe(shandy);
  EXPECT_EQ(d.switches, 128);
  EXPECT_EQ(d.groups, 8);
  EXPECT_EQ(d.nodes, 1024);
  EXPECT_EQ(d.endpoints, 2048);
  EXPECT_EQ(d.links[static_cast<int>(LinkKind::kGlobal)], 28 * 8);
  EXPECT_EQ(d.pair_links.least, 8);
  EXPECT_EQ(d.pair_links.most, 8);
  EXPECT_EQ(d.distances.diameter(), 3);
  ASSERT_TRUE(d.halves.has_value());
  EXPECT_EQ(d.halves->links, 4 * 4 * 8);
  EXPECT_DOUBLE_EQ(d.halves->bisection_tb_per_s, 6.4);
  EXPECT_DOUBLE_EQ(d.halves->all_to_all_tb_per_s, 12.8);
  EXPECT_THAT(DescriptionText(shandy, d), HasSubstr("2048 of 1024 nodes"));
  EXPECT_EQ(DescriptionJson(shandy, d)["group_halves"]["links"], 128);
}

TEST(Describe, CountsOfTheSmallDragonfly) {
  const Description d = Describe(Build("dragonfly:p=2,a=4,h=2,arrangement=relative"));
  EXPECT_THAT(d.links, ElementsAre(72, 54, 36, 0));
  EXPECT_EQ(d.degree.least, 5);
  EXPECT_EQ(d.degree.most, 5);
  EXPECT_EQ(d.ports.most, 7);
  EXPECT_FALSE(d.halves.has_value()) << "nine groups have no halves";
  EXPECT_DOUBLE_EQ(d.metres[static_cast<int>(LinkKind::kGlobal)], 3600);
}

TEST(Describe, TheLargestPublishedSystemHasDiameterThree) {
  const Description d = Describe(Build("preset:slingshot-max"));
  EXPECT_EQ(d.distances.diameter(), 3);
  std::int64_t pairs = 0;
  for (const std::int64_t count : d.distances.pairs) pairs += count;
  EXPECT_EQ(pairs, std::int64_t{16'352} * 16'352);
  EXPECT_EQ(d.nodes, 261'632);
}

TEST(Describe, TreesAndToriHaveNoGroups) {
  const Topology tree = Build("preset:tree-4x3");
  const Description d = Describe(tree);
  EXPECT_EQ(d.groups, 0);
  EXPECT_EQ(d.distances.diameter(), 4);
  EXPECT_FALSE(DescriptionJson(tree, d).contains("links_per_group_pair"));
  EXPECT_EQ(Describe(Build("preset:torus-8x8x8")).distances.diameter(), 12);
}

}  // namespace
}  // namespace tilefly::topology
