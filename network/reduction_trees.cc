// SPDX-License-Identifier: Apache-2.0
#include "network/reduction_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "golden/common/register_write.h"
#include "golden/reduction/red_lanes.h"
#include "golden/reduction/red_registers.h"
#include "support/errors.h"
#include "topology/describe.h"
#include "topology/routes.h"

namespace tilefly::network {
namespace {

/// The switches of the endpoints, by number.
std::vector<int> SwitchesOf(const topology::Topology& topology, const std::vector<int>& endpoints) {
  std::set<int> switches;
  for (const int endpoint : endpoints) switches.insert(topology.endpoints[endpoint].port.at);
  return {switches.begin(), switches.end()};
}

/// The switch with the least (largest distance to `members`, sum of the distances, number).
int RootOf(const topology::Topology& topology, const std::vector<int>& members) {
  const std::vector<topology::Reach> reach = topology::MeasureReach(topology, members);
  const auto nearer = [](const topology::Reach& a, const topology::Reach& b) {
    return std::pair(a.farthest, a.sum) < std::pair(b.farthest, b.sum);
  };
  return static_cast<int>(std::min_element(reach.begin(), reach.end(), nearer) - reach.begin());
}

/// Which switches a tree has, before its links are chosen.
class Shape {
 public:
  Shape(const topology::Topology& topology, const topology::Wiring& wiring, const std::vector<int>& endpoints)
      : wiring_(wiring) {
    const std::vector<int> members = SwitchesOf(topology, endpoints);
    Add(RootOf(topology, members), -1);
    to_root_ = topology::MeasureReach(topology, {nodes_.front().at});
    for (const int member : members) Join(member);
    for (const int endpoint : endpoints) {
      const topology::Port& port = topology.endpoints[endpoint].port;
      nodes_[place_.at(port.at)].children.push_back({port.port, endpoint, -1});
    }
  }

  bool Has(int at) const { return place_.count(at) != 0; }
  std::vector<TreeNode> TakeNodes() { return std::move(nodes_); }

 private:
  void Add(int at, int parent) {
    place_[at] = static_cast<int>(nodes_.size());
    nodes_.push_back({at, parent, -1, -1, {}});
  }

  /// The way from the member to where it meets the tree.
  void Join(int member) {
    std::vector<int> way;
    int at = member;
    for (; !Has(at); at = NextFrom(at)) way.push_back(at);
    int parent = place_.at(at);
    for (; !way.empty(); way.pop_back()) {
      Add(way.back(), parent);
      parent = static_cast<int>(nodes_.size()) - 1;
    }
  }

  /// The neighbour that is nearest to the root; of several one that is in the tree, then the first.
  int NextFrom(int at) const {
    const auto rank = [&](int one) { return std::tuple(to_root_[one].farthest, !Has(one), one); };
    int best = -1;
    for (const int arc : wiring_.Out(at)) {
      const int head = wiring_.Head(arc);
      if (best < 0 || rank(head) < rank(best)) best = head;
    }
    return best;
  }

  const topology::Wiring& wiring_;
  std::vector<topology::Reach> to_root_;
  std::vector<TreeNode> nodes_;
  std::map<int, int> place_;  ///< of a switch
};

/// Gives every node but the root its link to its parent: of parallel ones, which are in the order of the ports of the
/// switch with the lower number, the one that the group's number says.
void Link(const topology::Wiring& wiring, ReductionTree* tree) {
  for (std::size_t n = 1; n < tree->nodes.size(); ++n) {
    TreeNode& node = tree->nodes[n];
    TreeNode& parent = tree->nodes[node.parent];
    std::vector<std::pair<int, int>> links;  // port of the switch with the lower number, and the other's
    const bool own_is_lower = node.at < parent.at;
    for (const int arc : wiring.Out(node.at)) {
      if (wiring.Head(arc) != parent.at) continue;
      const std::pair ports(wiring.TailPort(arc), wiring.HeadPort(arc));
      links.push_back(own_is_lower ? ports : std::pair(ports.second, ports.first));
    }
    std::sort(links.begin(), links.end());
    const auto [lower, higher] = links[static_cast<std::size_t>(tree->group) % links.size()];
    node.parent_port = own_is_lower ? lower : higher;
    node.port_there = own_is_lower ? higher : lower;
    parent.children.push_back({node.port_there, -1, static_cast<int>(n)});
  }
  for (TreeNode& node : tree->nodes) {
    std::sort(node.children.begin(), node.children.end(),
              [](const TreeChild& a, const TreeChild& b) { return a.port < b.port; });
  }
}

void CheckWish(const TreeWish& wish, const Profile& profile) {
  if (profile.red_present == 0) {
    throw UsageError(
        fmt::format("{}: switches of profile {} have no reductions; take another profile, or an algorithm of the "
                    "hosts",
                    wish.name, profile.name));
  }
  if (wish.timeout > UINT32_MAX) {
    throw UsageError(fmt::format("{}: a timeout of {} cycles is more than the register holds, {}; give less, or 0",
                                 wish.name, wish.timeout, UINT32_MAX));
  }
}

/// Register PEER of a port.
std::uint64_t PeerBits(std::uint32_t address, bool is_node, int lane, int tc, RedRole role) {
  return GroupPeer::Of(address, is_node, static_cast<std::uint64_t>(lane), static_cast<std::uint64_t>(tc),
                       static_cast<std::uint64_t>(role), /*is_small=*/false)
      .ToBits();
}

}  // namespace

int ReductionTree::depth() const {
  std::vector<int> level = {1};
  for (std::size_t n = 1; n < nodes.size(); ++n) level.push_back(level[static_cast<std::size_t>(nodes[n].parent)] + 1);
  return *std::max_element(level.begin(), level.end());
}

ReductionTrees::ReductionTrees(const topology::Topology& topology, const Profile& profile, std::vector<TreeWish> wishes)
    : topology_(topology), wishes_(std::move(wishes)) {
  if (wishes_.empty()) return;
  const topology::Wiring wiring(topology);
  std::map<int, unsigned> used;  // groups of a switch, one bit each
  for (const TreeWish& wish : wishes_) {
    CheckWish(wish, profile);
    ReductionTree tree;
    tree.nodes = Shape(topology, wiring, wish.endpoints).TakeNodes();
    unsigned taken = 0;
    for (const TreeNode& node : tree.nodes) taken |= used[node.at];
    while ((taken >> tree.group & 1) != 0) ++tree.group;
    if (tree.group >= profile.red_groups) {
      throw UsageError(
          fmt::format("{}: every reduction group of 0 to {} is in use in some switch of its tree; run fewer jobs that "
                      "reduce in switches, or place them apart",
                      wish.name, profile.red_groups - 1));
    }
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      used[tree.nodes[n].at] |= 1u << tree.group;
      places_[tree.nodes[n].at].push_back({static_cast<int>(trees_.size()), static_cast<int>(n)});
    }
    Link(wiring, &tree);
    trees_.push_back(std::move(tree));
  }
}

std::vector<Cfg> ReductionTrees::Writes(int at) const {
  std::vector<Cfg> writes;
  const auto found = places_.find(at);
  if (found == places_.end()) return writes;
  for (const Place& place : found->second) AddWrites(place, &writes);
  return writes;
}

std::uint32_t ReductionTrees::AddressOf(const topology::Port& port) const {
  const topology::Switch& there = topology_.switches[port.at];
  return topology::AddressOf(there.group, there.index, port.port);
}

void ReductionTrees::AddWrites(const Place& place, std::vector<Cfg>* writes) const {
  const ReductionTree& tree = trees_[place.tree];
  const TreeNode& node = tree.nodes[place.node];
  const TreeWish& wish = wishes_[place.tree];
  const auto write = [&](int port, RedReg reg, std::uint64_t data) {
    writes->push_back(golden::WriteRegister(port, CfgSpace::kRed, golden::IndexOf(tree.group, reg), data));
  };
  golden::PortMask children = 0, nodes = 0;
  for (const TreeChild& child : node.children) {
    children |= golden::Bit(child.port);
    const bool is_node = child.node >= 0;
    if (is_node) nodes |= golden::Bit(child.port);
    const topology::Port there = is_node ? topology::Port{tree.nodes[child.node].at, tree.nodes[child.node].parent_port}
                                         : topology_.endpoints[child.endpoint].port;
    write(child.port, RedReg::kPeer, PeerBits(AddressOf(there), is_node, kRedDownLane, wish.tc, RedRole::kChild));
  }
  const bool is_root = node.parent < 0;
  if (!is_root) {
    const std::uint32_t parent = AddressOf({tree.nodes[node.parent].at, node.port_there});
    write(node.parent_port, RedReg::kPeer, PeerBits(parent, true, kRedUpLane, wish.tc, RedRole::kParent));
  }
  write(golden::kAllPorts, RedReg::kChildren, children);
  write(golden::kAllPorts, RedReg::kNodes, nodes);
  write(golden::kAllPorts, RedReg::kTree,
        GroupTree::Of(/*valid=*/true, is_root, static_cast<std::uint64_t>(is_root ? 0 : node.parent_port),
                      /*is_small=*/false, static_cast<std::uint64_t>(wish.timeout))
            .ToBits());
}

}  // namespace tilefly::network
