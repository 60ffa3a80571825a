// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/tree_plan.h"

#include "golden/common/types.h"
#include "golden/reduction/red_lanes.h"

namespace tilefly::cosim {
namespace {

Tree DrawTree(const SwitchSetup& setup, int group, std::uint64_t ports, Stream* random) {
  Tree tree;
  tree.group = group;
  constexpr double kShares[] = {0.1, 0.4, 1};
  if (random->Below(2) != 0) tree.parent = random->Pick(ports);
  const std::uint64_t others = tree.parent < 0 ? ports : ports & ~(std::uint64_t{1} << tree.parent);
  tree.children = random->Some(others, kShares[random->Below(3)]);
  if (tree.children == 0) tree.children = std::uint64_t{1} << random->Pick(others);
  tree.nodes = random->Some(tree.children, 0.25);
  tree.small = tree.parent >= 0 && random->Below(4) == 0;
  constexpr std::uint32_t kTimeouts[] = {0, 4000, 100'000};
  tree.timeout = kTimeouts[random->Below(3)];
  for (std::uint64_t left = tree.members(); left != 0; left &= left - 1) {
    const int port = golden::LowestBit(left);
    RedAddress& peer = tree.peers[static_cast<std::size_t>(port)];
    peer.node = port == tree.parent || (tree.nodes >> port & 1) != 0;
    peer.address = peer.node ? static_cast<std::uint32_t>(random->Below(1 << 20)) : setup.PortAddress(port);
    peer.vl = port == tree.parent ? kRedUpLane : kRedDownLane;
    peer.tc = static_cast<int>(random->Below(8));
  }
  return tree;
}

}  // namespace

std::vector<Tree> DrawTrees(const SwitchSetup& setup, int count, std::uint64_t ports, std::uint64_t seed) {
  std::vector<Tree> trees;
  for (int group = 0; group < count; ++group) {
    Stream random(seed, static_cast<std::uint32_t>(group), 0, Purpose::kReduction);
    trees.push_back(DrawTree(setup, group, ports, &random));
  }
  return trees;
}

std::uint64_t PortsOfTrees(const SwitchSetup& setup) {
  std::uint64_t ports = 0;
  for (int port = 0; port < setup.profile().ports; ++port) {
    if (setup.kind(port) != PortKind::kStandard) ports |= golden::Bit(port);
  }
  return ports;
}

std::uint64_t AccompaniedPorts(const std::vector<Tree>& trees) {
  std::uint64_t ports = 0, alone = 0;
  for (const Tree& tree : trees) {
    const std::uint64_t members = tree.members();
    ((members & (members - 1)) == 0 ? alone : ports) |= members;
  }
  return ports & ~alone;
}

}  // namespace tilefly::cosim
