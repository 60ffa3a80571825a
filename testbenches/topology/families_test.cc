// SPDX-License-Identifier: Apache-2.0
// Aries, trees, fat trees and tori: who is linked to whom, by which ports, of which kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
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

/// How many of a switch's two coordinates differ, and in which one if it is one.
int Differing(const std::vector<int>& a, const std::vector<int>& b, std::size_t* which) {
  int count = 0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (a[d] == b[d]) continue;
    ++count;
    *which = d;
  }
  return count;
}

TEST(Aries, CrystalIsAsPublished) {
  const Topology crystal = Build("preset:crystal");
  EXPECT_EQ(crystal.switches.size(), 2u * 6 * 16);
  EXPECT_EQ(crystal.endpoints.size(), 698u);
  EXPECT_EQ(crystal.profile, "rosetta64");
  std::array<int, 2> nodes{};
  for (const Endpoint& endpoint : crystal.endpoints) ++nodes[crystal.switches[endpoint.port.at].place[0]];
  EXPECT_EQ(nodes[0], 384);
  EXPECT_EQ(nodes[1], 698 - 384);
}

TEST(Aries, GreenBlackAndBlueLinks) {
  const Topology crystal = Build("preset:crystal");
  std::map<std::pair<int, int>, int> green, black;
  std::vector<std::array<int, kKinds>> of(crystal.switches.size());
  for (const Link& link : crystal.links) {
    const std::vector<int>& a = crystal.switches[link.a.at].place;
    const std::vector<int>& b = crystal.switches[link.b.at].place;
    for (const int at : {link.a.at, link.b.at}) ++of[at][static_cast<int>(link.kind)];
    std::size_t which = 3;
    const int differing = Differing(a, b, &which);
    if (link.kind == LinkKind::kGlobal) {
      EXPECT_NE(a[0], b[0]);
      continue;
    }
    ASSERT_EQ(differing, 1);
    if (link.kind == LinkKind::kLocal) {
      EXPECT_EQ(which, 2u) << "a green link stays in its chassis";
      ++green[std::minmax(link.a.at, link.b.at)];
      EXPECT_EQ(link.a.port, 4 + (b[2] < a[2] ? b[2] : b[2] - 1));
    } else {
      ASSERT_EQ(link.kind, LinkKind::kOther);
      EXPECT_EQ(which, 1u) << "a black link keeps the blade's position";
      ++black[std::minmax(link.a.at, link.b.at)];
      EXPECT_EQ(link.a.port, 4 + 15 + 5 * link.trunk + (b[1] < a[1] ? b[1] : b[1] - 1));
    }
  }
  EXPECT_EQ(green.size(), 2u * 6 * 16 * 15 / 2);
  EXPECT_EQ(black.size(), 2u * 16 * 6 * 5 / 2);
  for (const auto& [pair, count] : green) EXPECT_EQ(count, 1);
  for (const auto& [pair, count] : black) EXPECT_EQ(count, 3);
  for (const auto& kinds : of) EXPECT_EQ(kinds, (std::array<int, kKinds>{0, 15, 10, 15}));
}

TEST(Aries, EachChassisIsAGroupOfTheAddress) {
  const Topology topology = Build("aries:g=3");
  for (const Switch& one : topology.switches) {
    EXPECT_EQ(one.group, one.place[0] * 6 + one.place[1]);
    EXPECT_EQ(one.index, one.place[2]);
  }
  EXPECT_THAT(Refusal([] { Build("aries:g=86"); }), AllOf(HasSubstr("between 1 and 85"), HasSubstr("each chassis")));
}

TEST(Tree, EveryEndpointIsBelowEveryTopSwitch) {
  const Topology tree = Build("preset:tree-4x3");
  EXPECT_EQ(tree.switches.size(), 48u);
  EXPECT_EQ(tree.endpoints.size(), 64u);
  EXPECT_EQ(tree.profile, "tile8");
  // Downwards from a top switch there is exactly one way to each endpoint.
  std::vector<std::vector<int>> down(tree.switches.size());
  for (const Link& link : tree.links) {
    EXPECT_EQ(tree.switches[link.a.at].place[0] + 1, tree.switches[link.b.at].place[0]);
    EXPECT_GE(link.a.port, 4);
    EXPECT_LT(link.b.port, 4);
    down[link.b.at].push_back(link.a.at);
  }
  for (int top = 32; top < 48; ++top) {
    std::multiset<int> reached;
    for (const int middle : down[top]) reached.insert(down[middle].begin(), down[middle].end());
    EXPECT_EQ(reached.size(), 16u);
    EXPECT_EQ(std::set<int>(reached.begin(), reached.end()).size(), 16u) << "top switch " << top;
    EXPECT_LT(*reached.rbegin(), 16);
  }
}

TEST(Tree, TheStudysSecondTree) {
  const Topology tree = Build("preset:tree-24x2");
  EXPECT_EQ(tree.switches.size(), 48u);
  EXPECT_EQ(tree.endpoints.size(), 576u);
  EXPECT_EQ(tree.links.size(), 576u);
  EXPECT_EQ(tree.radix, 64);
}

TEST(Tree, RefusesWhatCannotBeAddressed) {
  EXPECT_THAT(Refusal([] { Build("tree:k=8,n=4"); }), AllOf(HasSubstr("8^3"), HasSubstr("511")));
  EXPECT_THAT(Refusal([] { Build("tree:k=33,n=2"); }), HasSubstr("between 2 and 32"));
  EXPECT_EQ(Build("tree:k=8,n=1").switches.size(), 1u);
}

TEST(FatTree, LeavesAreJoinedByOneTopSwitch) {
  const Topology fat = Build("fattree:leaves=4,hosts=16,uplinks=16");
  EXPECT_EQ(fat.family, "tree");
  EXPECT_EQ(fat.profile, "rosetta64");
  ASSERT_EQ(fat.switches.size(), 5u);
  ASSERT_EQ(fat.endpoints.size(), 64u);
  ASSERT_EQ(fat.links.size(), 64u);
  std::set<int> top_ports;
  for (const Link& link : fat.links) {
    EXPECT_LT(link.a.at, 4);
    EXPECT_EQ(link.b.at, 4);
    EXPECT_EQ(link.kind, LinkKind::kLocal);
    EXPECT_EQ(link.metres, 2.6);
    const int uplink = link.a.port - 16;
    EXPECT_EQ(link.trunk, uplink);
    EXPECT_EQ(link.b.port, 16 * link.a.at + uplink);
    top_ports.insert(link.b.port);
  }
  EXPECT_EQ(top_ports.size(), 64u) << "all ports of the top";
  for (int e = 0; e < 64; ++e) {
    EXPECT_EQ(fat.endpoints[e].port, (Port{e / 16, e % 16}));
    EXPECT_EQ(fat.endpoints[e].node, e);
  }
  EXPECT_EQ(Build("fattree").links, fat.links) << "the defaults";
}

TEST(FatTree, TakesTheSmallestProfileAndRefusesWhatHasTooFewPorts) {
  EXPECT_EQ(Build("fattree:leaves=2,hosts=4,uplinks=4").profile, "tile8");
  EXPECT_EQ(Build("fattree:leaves=3,hosts=2,uplinks=3").profile, "tile16") << "9 ports of the top";
  EXPECT_THAT(Refusal([] { Build("fattree:leaves=5"); }), AllOf(HasSubstr("80 ports"), HasSubstr("no profile")));
  EXPECT_THAT(Refusal([] { Build("fattree:hosts=50"); }), HasSubstr("66 ports"));
  EXPECT_THAT(Refusal([] { Build("fattree:uplinks=0"); }), HasSubstr("between 1 and 63"));
}

TEST(Torus, NeighboursAndDatelines) {
  const std::string text = "torus:size=4x3x5,trunk=2,p=3";
  const Topology torus = Build(text);
  EXPECT_EQ(torus.dimensions, (std::vector<int>{4, 3, 5}));
  EXPECT_EQ(torus.switches.size(), 60u);
  EXPECT_EQ(torus.links.size(), 60u * 3 * 2);
  const std::vector<int> sizes = {4, 3, 5};
  std::map<std::tuple<int, int, int>, int> count;  // switch, dimension, direction
  for (const Link& link : torus.links) {
    const std::vector<int>& a = torus.switches[link.a.at].place;
    const std::vector<int>& b = torus.switches[link.b.at].place;
    std::size_t d = 3;
    ASSERT_EQ(Differing(a, b, &d), 1);
    EXPECT_EQ((a[d] + 1) % sizes[d], b[d]);
    EXPECT_EQ(link.kind, b[d] == 0 ? LinkKind::kOther : LinkKind::kLocal);
    const int first = 3 + 4 * static_cast<int>(d);
    EXPECT_EQ(link.a.port, first + link.trunk);
    EXPECT_EQ(link.b.port, first + 2 + link.trunk);
    ++count[{link.a.at, static_cast<int>(d), 1}];
    ++count[{link.b.at, static_cast<int>(d), -1}];
  }
  EXPECT_EQ(count.size(), 60u * 3 * 2);
  for (const auto& [direction, links] : count) EXPECT_EQ(links, 2);
}

TEST(Torus, TheStudysTori) {
  const Topology flat = Build("preset:torus-8x8");
  EXPECT_EQ(flat.switches.size(), 64u);
  EXPECT_EQ(flat.endpoints.size(), 512u);
  const Topology cube = Build("preset:torus-8x8x8");
  EXPECT_EQ(cube.switches.size(), 512u);
  EXPECT_EQ(cube.endpoints.size(), 2048u);
  EXPECT_EQ(cube.radix, 32);
  EXPECT_EQ(cube.switches[511].group, 63);
  EXPECT_EQ(cube.switches[511].index, 7);
}

TEST(Torus, ARingOfTwoHasOneTrunk) {
  const Topology torus = Build("torus:size=2x3,trunk=2");
  int links = 0;
  for (const Link& link : torus.links) links += link.a.at / 2 == link.b.at / 2;
  EXPECT_EQ(links, 3 * 2);
  EXPECT_EQ(torus.profile, "tile8") << "1 + 2 + 4 ports";
}

TEST(Torus, RefusesWhatCannotBeAddressed) {
  const auto refusal = [](const std::string& size) { return Refusal([&] { Build("torus:size=" + size); }); };
  EXPECT_THAT(refusal("33x4"), AllOf(HasSubstr("between 2 and 32"), HasSubstr("another dimension")));
  EXPECT_THAT(refusal("8x1"), HasSubstr("1 is not between 2 and 511"));
  EXPECT_THAT(refusal("8x32x16"), AllOf(HasSubstr("511 rows"), HasSubstr("first dimension")));
  EXPECT_THAT(refusal("8by8"), HasSubstr("'8by8' is not a whole number"));
}

}  // namespace
}  // namespace tilefly::topology
