// SPDX-License-Identifier: Apache-2.0
// The builder of dragonflies against the rules that the paper prints (S2) and the systems that S0 describes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "testbenches/topology/refusal.h"
#include "topology/builder.h"

namespace tilefly::topology {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Refusal;

struct Shape {
  int p, a, h;
  std::string Text(const std::string& more) const {
    return "dragonfly:p=" + std::to_string(p) + ",a=" + std::to_string(a) + ",h=" + std::to_string(h) + more;
  }
  int groups() const { return a * h + 1; }
};
constexpr Shape kSmall = {2, 4, 2};
constexpr Shape kBalanced = {4, 8, 4};

/// The group that port k of group i leads to: the words of the paper, slide by slide.
int Printed(const std::string& arrangement, int i, int k, int g) {
  if (arrangement == "absolute") return k < i ? k : k + 1;
  if (arrangement == "relative") return (i + k + 1) % g;
  if (k % 2 == 0) return (i + k / 2 + 1) % g;
  return ((i - k / 2 - 1) % g + g) % g;
}

/// For each (group, port of the group) the group at the other end; checks which switch and port a link is at.
std::map<std::pair<int, int>, int> PortMap(const Topology& topology, const Shape& shape, int local = 1) {
  std::map<std::pair<int, int>, int> leads;
  const int first = shape.p + local * (shape.a - 1);
  const auto note = [&](const Port& from, const Port& to) {
    const int group = from.at / shape.a;
    const int k = from.at % shape.a * shape.h + from.port - first;
    EXPECT_GE(from.port, first);
    EXPECT_LT(from.port, first + shape.h);
    EXPECT_TRUE(leads.emplace(std::pair(group, k), to.at / shape.a).second) << "group " << group << " port " << k;
  };
  for (const Link& link : topology.links) {
    if (link.kind != LinkKind::kGlobal) continue;
    note(link.a, link.b);
    note(link.b, link.a);
  }
  return leads;
}

class Arrangements : public ::testing::TestWithParam<std::tuple<std::string, Shape>> {};

TEST_P(Arrangements, EveryPortLeadsWhereThePaperSays) {
  const auto& [arrangement, shape] = GetParam();
  const Topology topology = Build(shape.Text(",arrangement=" + arrangement));
  const auto leads = PortMap(topology, shape);
  ASSERT_EQ(leads.size(), static_cast<std::size_t>(shape.groups() * shape.a * shape.h));
  for (const auto& [from, to] : leads) {
    EXPECT_EQ(to, Printed(arrangement, from.first, from.second, shape.groups()))
        << "group " << from.first << " port " << from.second;
  }
}

TEST_P(Arrangements, SwitchesOfAGroupAreFullyConnected) {
  const auto& [arrangement, shape] = GetParam();
  const Topology topology = Build(shape.Text(",arrangement=" + arrangement));
  ASSERT_EQ(topology.switches.size(), static_cast<std::size_t>(shape.groups() * shape.a));
  std::set<std::pair<int, int>> met;
  for (const Link& link : topology.links) {
    if (link.kind != LinkKind::kLocal) continue;
    for (const auto& [from, to] : {std::pair(link.a, link.b), std::pair(link.b, link.a)}) {
      const int s = from.at % shape.a;
      const int t = to.at % shape.a;
      EXPECT_EQ(from.at / shape.a, to.at / shape.a);
      EXPECT_EQ(from.port, shape.p + (t < s ? t : t - 1));
      EXPECT_TRUE(met.emplace(from.at, to.at).second);
    }
  }
  EXPECT_EQ(met.size(), static_cast<std::size_t>(shape.groups() * shape.a * (shape.a - 1)));
}

INSTANTIATE_TEST_SUITE_P(Dragonfly, Arrangements,
                         ::testing::Combine(::testing::Values("absolute", "relative", "circulant"),
                                            ::testing::Values(kSmall, kBalanced)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_p" + std::to_string(std::get<1>(info.param).p);
                         });

TEST(Dragonfly, PortKOfAGroupIsAtSwitchFloorKOverH) {
  const Topology topology = Build("dragonfly:p=2,a=4,h=2,arrangement=relative");
  // Group 0, port 5 leads to group 6: switch floor(5/2) = 2, its global port 1, after 2 endpoints and 3 local links.
  const auto found = std::find_if(topology.links.begin(), topology.links.end(), [](const Link& link) {
    return link.kind == LinkKind::kGlobal && link.a.at / 4 == 0 && link.b.at / 4 == 6;
  });
  ASSERT_NE(found, topology.links.end());
  EXPECT_EQ(found->a.at, 2);
  EXPECT_EQ(found->a.port, 6);
  // Group 6 leads back by its port 2 ((6 + 2 + 1) mod 9 = 0): switch 1, global port 0.
  EXPECT_EQ(found->b.at, 6 * 4 + 1);
  EXPECT_EQ(found->b.port, 5);
}

/// Links of each pair of groups, and used global ports of each switch.
struct Spread {
  std::map<std::pair<int, int>, int> pairs;
  std::vector<int> used;
};

Spread SpreadOf(const Topology& topology) {
  Spread spread;
  spread.used.resize(topology.switches.size());
  for (const Link& link : topology.links) {
    if (link.kind != LinkKind::kGlobal) continue;
    ++spread.pairs[std::minmax(topology.switches[link.a.at].group, topology.switches[link.b.at].group)];
    ++spread.used[link.a.at];
    ++spread.used[link.b.at];
  }
  return spread;
}

TEST(Dragonfly, SeveralLinksAPairAreSpreadEvenly) {
  for (const std::string arrangement : {"absolute", "relative", "circulant"}) {
    for (int g = 2; g <= 33; ++g) {
      for (int links = 1; links * (g - 1) <= 32; ++links) {
        const std::string text = kBalanced.Text(",g=" + std::to_string(g) + ",links=" + std::to_string(links) +
                                                ",arrangement=" + arrangement);
        const Spread spread = SpreadOf(Build(text));
        ASSERT_EQ(spread.pairs.size(), static_cast<std::size_t>(g * (g - 1) / 2)) << text;
        for (const auto& [pair, count] : spread.pairs) ASSERT_EQ(count, links) << text;
        const auto [least, most] = std::minmax_element(spread.used.begin(), spread.used.end());
        ASSERT_LE(*most - *least, 1) << text;
      }
    }
  }
}

TEST(Dragonfly, ShandyIsAsPublished) {
  const Topology shandy = Build("preset:shandy");
  EXPECT_EQ(shandy.switches.size(), 8u * 16);
  EXPECT_EQ(shandy.endpoints.size(), 2048u);
  EXPECT_EQ(shandy.profile, "rosetta64");
  std::map<int, std::vector<int>> nodes;
  for (const Endpoint& endpoint : shandy.endpoints) nodes[endpoint.node].push_back(endpoint.port.at);
  ASSERT_EQ(nodes.size(), 1024u);
  EXPECT_EQ(nodes.rbegin()->first, 1023);
  for (const auto& [node, at] : nodes) {
    ASSERT_EQ(at.size(), 2u) << node;
    EXPECT_NE(at[0], at[1]) << node;
    EXPECT_EQ(shandy.switches[at[0]].group, node / 128);
    EXPECT_EQ(shandy.switches[at[1]].group, node / 128);
  }
  const Spread spread = SpreadOf(shandy);
  ASSERT_EQ(spread.pairs.size(), 28u);
  for (const auto& [pair, count] : spread.pairs) EXPECT_EQ(count, 8);
}

TEST(Dragonfly, MalbecIsAsPublished) {
  const Topology malbec = Build("preset:malbec");
  EXPECT_EQ(malbec.endpoints.size(), 484u);
  std::map<int, int> nodes;
  for (const Endpoint& endpoint : malbec.endpoints) ++nodes[malbec.switches[endpoint.port.at].group];
  EXPECT_EQ(nodes, (std::map<int, int>{{0, 128}, {1, 128}, {2, 128}, {3, 100}}));
  for (const auto& [pair, count] : SpreadOf(malbec).pairs) EXPECT_EQ(count, 48);
  for (const auto& [pair, count] : SpreadOf(Build("preset:malbec,links=16")).pairs) EXPECT_EQ(count, 16);
}

TEST(Dragonfly, ParallelLinksOfTwoSwitchesAreNumbered) {
  const Topology topology = Build("dragonfly:p=1,a=2,h=4,g=3,links=4,local=3");
  std::map<std::pair<int, int>, std::set<int>> trunks;
  for (const Link& link : topology.links) {
    EXPECT_TRUE(trunks[std::minmax(link.a.at, link.b.at)].insert(link.trunk).second);
  }
  EXPECT_EQ(trunks[std::pair(0, 1)], (std::set<int>{0, 1, 2}));
  for (const auto& [pair, numbers] : trunks) EXPECT_EQ(*numbers.rbegin() + 1, static_cast<int>(numbers.size()));
}

TEST(Dragonfly, TheLargestPublishedSystem) {
  const Topology topology = Build("preset:slingshot-max");
  EXPECT_EQ(topology.switches.size(), 16'352u);
  EXPECT_EQ(topology.endpoints.size(), 261'632u);
  EXPECT_EQ(topology.radix, 64);
  const Spread spread = SpreadOf(topology);
  EXPECT_EQ(spread.pairs.size(), 511u * 510 / 2);
  const auto [least, most] = std::minmax_element(spread.used.begin(), spread.used.end());
  EXPECT_EQ(*most, 16);
  EXPECT_EQ(*least, 15);
}

TEST(Dragonfly, OneSwitchIsASystem) {
  const Topology topology = Build("dragonfly:p=8,a=1,h=0");
  EXPECT_EQ(topology.switches.size(), 1u);
  EXPECT_EQ(topology.endpoints.size(), 8u);
  EXPECT_TRUE(topology.links.empty());
  EXPECT_EQ(topology.profile, "tile8");
}

TEST(Dragonfly, CablesHaveTheGivenLengths) {
  const Topology topology = Build("dragonfly:p=2,a=4,h=2,local_cable=1.5m,global_cable=30m");
  for (const Link& link : topology.links) EXPECT_EQ(link.metres, link.kind == LinkKind::kGlobal ? 30 : 1.5);
  for (const Link& link : Build("dragonfly:p=2,a=4,h=2").links)
    EXPECT_EQ(link.metres, link.kind == LinkKind::kGlobal ? 100 : 2.6);
}

TEST(Dragonfly, RefusesWithReasonAndRemedy) {
  const auto refusal = [](const std::string& text) { return Refusal([&] { Build(text); }); };
  EXPECT_THAT(refusal("dragonfly:p=16,a=32,h=17"),
              AllOf(HasSubstr("g=545"), HasSubstr("between 1 and 511"), HasSubstr("kept for all ones")));
  EXPECT_THAT(refusal("dragonfly:p=16,a=32,h=17,g=512"), AllOf(HasSubstr("g=512"), HasSubstr("give g=511")));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4,h=2,g=10"), AllOf(HasSubstr("9 global ports"), HasSubstr("at most g=9")));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4,h=2,links=2"), AllOf(HasSubstr("links=2"), HasSubstr("8 global ports")));
  EXPECT_THAT(refusal("dragonfly:p=2,a=33,h=2"), AllOf(HasSubstr("a=33"), HasSubstr("5 bits")));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4"), HasSubstr("key 'h' is missing"));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4,h=two"), HasSubstr("h: 'two' is not a whole number"));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4,h=2,arangement=relative"), HasSubstr("did you mean 'arrangement'?"));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4,h=2,arrangement=relativ"), HasSubstr("did you mean 'relative'?"));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4,h=2,p=3"), HasSubstr("key 'p' appears twice"));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4,h"), HasSubstr("'h' is not written as key=value"));
  EXPECT_THAT(refusal("dragonfly:p=4,a=4,h=2,profile=tile8"), AllOf(HasSubstr("9 ports"), HasSubstr("tile8 has 8")));
  EXPECT_THAT(refusal("dragonfly:p=40,a=16,h=20,g=2"), AllOf(HasSubstr("75 ports"), HasSubstr("64 at most")));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4,h=2,nics=3"), HasSubstr("does not divide a=4"));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4,h=2,nodes=73"), HasSubstr("nodes=73 is not between 1 and 72"));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4,h=2,global_cable=100"), HasSubstr("write it as 2.6m"));
  EXPECT_THAT(refusal("dragonfly:p=2,a=4,h=2,global_cable=-1m"), HasSubstr("between 0m and 10000m"));
  EXPECT_THAT(refusal("dragonfy:p=2"), HasSubstr("did you mean 'dragonfly'?"));
  EXPECT_THAT(refusal("preset:shandi"), HasSubstr("did you mean 'shandy'?"));
}

}  // namespace
}  // namespace tilefly::topology
