// SPDX-License-Identifier: Apache-2.0
// Trees of jobs: which switches, which links, which registers, by the rules of docs/reductions.md read out here; and
// what is refused.
#include "network/reduction_trees.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "golden/reduction/red_registers.h"
#include "network/wiring.h"
#include "support/errors.h"
#include "testbenches/network/hand_made.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<int> Endpoints(int count, int first = 0, int step = 1) {
  std::vector<int> endpoints;
  for (int i = 0; i < count; ++i) endpoints.push_back(first + i * step);
  return endpoints;
}

TreeWish Wish(std::vector<int> endpoints) { return {"job", std::move(endpoints), 0, 0}; }

ReductionTrees TreesOf(const topology::Topology& topology, std::vector<TreeWish> wishes) {
  return ReductionTrees(topology, *FindProfile(topology.profile), std::move(wishes));
}

std::string Refusal(const topology::Topology& topology, std::vector<TreeWish> wishes) {
  try {
    TreesOf(topology, std::move(wishes));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// Switches of a tree, by number.
std::set<int> SwitchesOf(const ReductionTree& tree) {
  std::set<int> switches;
  for (const TreeNode& node : tree.nodes) switches.insert(node.at);
  return switches;
}

/// Distances of all switches to one, one step after another.
std::vector<int> StepsTo(const topology::Topology& topology, int target) {
  std::vector<int> steps(topology.switches.size(), -1);
  steps[target] = 0;
  for (bool more = true; more;) {
    more = false;
    for (const topology::Link& link : topology.links) {
      for (const auto& [from, to] : {std::pair(link.a.at, link.b.at), std::pair(link.b.at, link.a.at)}) {
        if (steps[from] < 0 || (steps[to] >= 0 && steps[to] <= steps[from] + 1)) continue;
        steps[to] = steps[from] + 1;
        more = true;
      }
    }
  }
  return steps;
}

/// The rules one by one, by the links of the topology; the registers of all its switches say the same.
void ExpectATree(const topology::Topology& topology, const TreeWish& wish, const ReductionTree& tree) {
  std::set<int> members;
  for (const int endpoint : wish.endpoints) members.insert(topology.endpoints[endpoint].port.at);
  std::map<int, std::vector<int>> steps;  // to each switch with ranks
  for (const int member : members) steps[member] = StepsTo(topology, member);
  const auto cost = [&](int at) {
    std::array<int, 3> sum = {0, 0, at};
    for (const int member : members) {
      sum[0] = std::max(sum[0], steps[member][at]);
      sum[1] += steps[member][at];
    }
    return sum;
  };
  for (int at = 0; at < static_cast<int>(topology.switches.size()); ++at)
    EXPECT_LE(cost(tree.root().at), cost(at)) << "root, against switch " << at;
  const std::vector<int> to_root = StepsTo(topology, tree.root().at);
  std::set<std::pair<int, int>> ports;
  std::set<int> ranks, seen;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const TreeNode& node = tree.nodes[n];
    EXPECT_TRUE(seen.insert(node.at).second) << "a switch is one node";
    EXPECT_FALSE(node.children.empty()) << "nobody is a node for nothing";
    int before = -1;
    for (const TreeChild& child : node.children) {
      EXPECT_GT(child.port, before) << "one child a port";
      before = child.port;
      EXPECT_TRUE(ports.emplace(node.at, child.port).second);
      if (child.node < 0) {
        EXPECT_EQ(topology.endpoints[child.endpoint].port, (topology::Port{node.at, child.port}));
        EXPECT_TRUE(ranks.insert(child.endpoint).second);
        continue;
      }
      const TreeNode& below = tree.nodes[child.node];
      EXPECT_EQ(below.parent, static_cast<int>(n));
      EXPECT_EQ(below.port_there, child.port);
      EXPECT_EQ(to_root[below.at], to_root[node.at] + 1) << "the shortest way";
      EXPECT_TRUE(ports.emplace(below.at, below.parent_port).second);
      // The chosen one of the links between the two.
      std::map<int, int> links;  // port of the lower switch, port of the other
      const int low = std::min(below.at, node.at);
      for (const topology::Link& link : topology.links) {
        if (std::minmax(link.a.at, link.b.at) != std::minmax(below.at, node.at)) continue;
        links[link.a.at == low ? link.a.port : link.b.port] = link.a.at == low ? link.b.port : link.a.port;
      }
      auto chosen = links.begin();
      std::advance(chosen, tree.group % static_cast<int>(links.size()));
      EXPECT_EQ((below.at == low ? std::pair(below.parent_port, child.port) : std::pair(child.port, below.parent_port)),
                std::pair(chosen->first, chosen->second));
    }
  }
  EXPECT_EQ(ranks, std::set<int>(wish.endpoints.begin(), wish.endpoints.end()));
}

TEST(ReductionTrees, OfAFatTreeHaveTheTopAsRoot) {
  const auto topology = topology::Build("fattree");
  const ReductionTrees trees = TreesOf(topology, {Wish(Endpoints(64))});
  const ReductionTree& tree = trees.trees().at(0);
  ExpectATree(topology, Wish(Endpoints(64)), tree);
  EXPECT_EQ(tree.group, 0);
  EXPECT_EQ(tree.root().at, 4);
  EXPECT_EQ(tree.depth(), 2);
  ASSERT_EQ(tree.nodes.size(), 5u);
  ASSERT_EQ(tree.root().children.size(), 4u);
  for (int leaf = 0; leaf < 4; ++leaf) {
    EXPECT_EQ(tree.root().children[leaf].port, 16 * leaf) << "uplink 0";
    EXPECT_EQ(tree.nodes[leaf + 1].at, leaf);
    EXPECT_EQ(tree.nodes[leaf + 1].parent_port, 16);
    EXPECT_EQ(tree.nodes[leaf + 1].children.size(), 16u);
  }
}

TEST(ReductionTrees, OfOneSwitchAreThatSwitch) {
  for (const auto& topology : {LoneSwitch(), topology::Build("dragonfly:p=2,a=4,h=2")}) {
    const ReductionTree tree = TreesOf(topology, {Wish({0, 1})}).trees().at(0);
    ASSERT_EQ(tree.nodes.size(), 1u);
    EXPECT_EQ(tree.root().at, 0);
    EXPECT_EQ(tree.depth(), 1);
    EXPECT_EQ(tree.root().children.size(), 2u);
  }
}

TEST(ReductionTrees, OfDrawnRanksFollowTheRules) {
  std::mt19937 random(5);
  for (const char* name : {"dragonfly:p=2,a=4,h=2", "dragonfly:p=1,a=4,h=2,arrangement=circulant",
                           "dragonfly:p=2,a=3,h=2,g=3,links=3,local=2", "fattree:leaves=3,hosts=2,uplinks=4",
                           "tree:k=3,n=3", "torus:size=4x4,trunk=2,p=2", "aries:p=1,chassis=3,blades=4,h=2,g=3"}) {
    const auto topology = topology::Build(name);
    for (int draw = 0; draw < 20; ++draw) {
      SCOPED_TRACE(name);
      std::vector<int> endpoints = Endpoints(static_cast<int>(topology.endpoints.size()));
      std::shuffle(endpoints.begin(), endpoints.end(), random);
      endpoints.resize(2 + random() % (endpoints.size() - 1));
      const TreeWish wish = Wish(endpoints);
      ExpectATree(topology, wish, TreesOf(topology, {wish}).trees().at(0));
    }
  }
}

TEST(ReductionTrees, OfAWholeDragonflyAreNoDeeperThanItsDiameter) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const ReductionTree tree = TreesOf(topology, {Wish(Endpoints(72))}).trees().at(0);
  EXPECT_EQ(tree.nodes.size(), 36u);
  EXPECT_LE(tree.depth(), 1 + 3);
}

/// Ways come together as early as they can: of two ways that are equally short one takes that of an earlier member.
TEST(ReductionTrees, ShareTheWaysOfThoseBefore) {
  topology::Topology square = RingOf(4);  // 0 and 2 are opposite
  const ReductionTree one = TreesOf(square, {Wish({0, 4})}).trees().at(0);
  EXPECT_EQ(one.root().at, 1) << "between them, and the lower of two";
  EXPECT_EQ(SwitchesOf(one), (std::set<int>{0, 1, 2}));
  // The root is 0 or 2 with three members; here 3 members at 0, 2, 3: 3 is between.
  const ReductionTree two = TreesOf(square, {Wish({0, 4, 6})}).trees().at(0);
  EXPECT_EQ(two.root().at, 3);
  EXPECT_EQ(SwitchesOf(two), (std::set<int>{0, 2, 3}));
  const auto six = RingOf(6);
  // 0 and 3 are opposite: the sums of all four switches but ends are equal; 1 is the lowest with farthest 2.
  EXPECT_EQ(TreesOf(six, {Wish({0, 6})}).trees()[0].root().at, 1);
}

TEST(ReductionTrees, TakeTheLowestGroupThatIsFreeInAllSwitches) {
  const auto topology = topology::Build("fattree");
  // Two jobs within a leaf each, then one over all, then one of a leaf again.
  const ReductionTrees trees =
      TreesOf(topology, {Wish(Endpoints(4)), Wish(Endpoints(4, 16)), Wish(Endpoints(4, 4, 16)), Wish(Endpoints(4, 8))});
  EXPECT_EQ(trees.trees()[0].group, 0);
  EXPECT_EQ(trees.trees()[1].group, 0) << "another switch";
  EXPECT_EQ(trees.trees()[2].group, 1);
  EXPECT_EQ(trees.trees()[2].nodes[1].parent_port, 17) << "uplink 1";
  EXPECT_EQ(trees.trees()[3].group, 2);
}

TEST(ReductionTrees, WithoutAFreeGroupAreRefused) {
  const auto topology = topology::Build("fattree");
  std::vector<TreeWish> wishes;
  for (int job = 0; job < 8; ++job) wishes.push_back(Wish(Endpoints(2, job, 16)));
  EXPECT_EQ(TreesOf(topology, wishes).trees().back().group, 7);
  wishes.push_back(Wish(Endpoints(2, 8, 16)));
  EXPECT_THAT(Refusal(topology, wishes), AllOf(HasSubstr("0 to 7"), HasSubstr("fewer jobs")));
  wishes.back() = Wish(Endpoints(2, 32));
  EXPECT_EQ(TreesOf(topology, wishes).trees().back().group, 0) << "a leaf of its own";
}

TEST(ReductionTrees, RefuseSwitchesWithoutReductionsAndLongTimeouts) {
  const auto topology = topology::Build("fattree:leaves=2,hosts=2,uplinks=2");
  Profile none = *FindProfile(topology.profile);
  none.red_present = 0;
  EXPECT_THROW(ReductionTrees(topology, none, {Wish({0, 1})}), UsageError);
  EXPECT_TRUE(ReductionTrees(topology, none, {}).empty());
  TreeWish wish = Wish({0, 1});
  wish.timeout = Cycle{1} << 32;
  EXPECT_THAT(Refusal(topology, {wish}), HasSubstr("4294967296"));
}

/// What the registers of all switches say, taken together, is the tree.
TEST(ReductionTrees, AreWhatTheRegistersSay) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const Wiring wiring(topology, topology.radix, LinkTiming::Bench());
  TreeWish wish = Wish(Endpoints(18, 1, 4));
  wish.tc = 3;
  wish.timeout = 123456;
  const ReductionTrees trees = TreesOf(topology, {Wish({0, 9}), wish});
  const ReductionTree& tree = trees.trees()[1];
  EXPECT_EQ(tree.group, 1) << "they meet in a switch";
  std::vector<golden::RedRegisters> registers;
  for (int at = 0; at < static_cast<int>(topology.switches.size()); ++at) {
    registers.emplace_back(topology.radix);
    for (const Cfg& write : trees.Writes(at)) registers.back().Write(write);
    EXPECT_EQ(SwitchesOf(tree).count(at) != 0, registers.back().tree(1).valid) << at;
  }
  const auto address = [&](int at, int port) {
    return topology::AddressOf(topology.switches[at].group, topology.switches[at].index, port);
  };
  int roots = 0;
  std::set<int> ranks;
  for (const int at : SwitchesOf(tree)) {
    const golden::RedTree& own = registers[at].tree(1);
    EXPECT_EQ(own.timeout, 123456);
    EXPECT_FALSE(own.small);
    roots += own.root;
    for (int port = 0; port < topology.radix; ++port) {
      const golden::RedPeer& peer = registers[at].peer(port, 1);
      const bool is_child = (own.children >> port & 1) != 0;
      const bool is_parent = !own.root && own.parent == port;
      ASSERT_EQ(peer.role, is_child ? RedRole::kChild : is_parent ? RedRole::kParent : RedRole::kNone);
      if (peer.role == RedRole::kNone) continue;
      EXPECT_EQ(peer.tc, 3);
      EXPECT_EQ(peer.vl, is_child ? 15 : 14);
      const FarEnd& far = wiring.far(at, port);
      EXPECT_EQ(peer.an, far.node >= 0);
      EXPECT_EQ((own.nodes >> port & 1) != 0, is_child && far.node >= 0);
      if (far.node >= 0) {
        EXPECT_EQ(peer.address, address(far.node, far.port));
        const golden::RedPeer& back = registers[far.node].peer(far.port, 1);
        EXPECT_EQ(back.role, is_child ? RedRole::kParent : RedRole::kChild);
      } else {
        EXPECT_EQ(peer.address, address(at, port));
        ranks.insert(far.endpoint);
      }
    }
  }
  EXPECT_EQ(roots, 1);
  EXPECT_EQ(ranks, std::set<int>(wish.endpoints.begin(), wish.endpoints.end()));
}

}  // namespace
}  // namespace tilefly::network
