// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/tree_plan.h"

#include <algorithm>

#include "golden/common/register_write.h"
#include "golden/reduction/arithmetic.h"

namespace tilefly::cosim {
namespace {

/// Each bit of `mask` with probability `share`.
std::uint64_t Some(std::uint64_t mask, double share, Stream* random) {
  std::uint64_t some = 0;
  for (; mask != 0; mask &= mask - 1) {
    if (Unit(random->Next()) < share) some |= mask & -mask;
  }
  return some;
}

Tree DrawTree(const SwitchSetup& setup, int group, std::uint64_t ports, Stream* random) {
  Tree tree;
  tree.group = group;
  constexpr double kShares[] = {0.1, 0.4, 1};
  if (random->Below(2) != 0) tree.parent = random->Pick(ports);
  const std::uint64_t others = tree.parent < 0 ? ports : ports & ~(std::uint64_t{1} << tree.parent);
  tree.children = Some(others, kShares[random->Below(3)], random);
  if (tree.children == 0) tree.children = std::uint64_t{1} << random->Pick(others);
  tree.nodes = Some(tree.children, 0.25, random);
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

TreeOperation DrawOperation(int most_bytes, int segments, bool is_short, const Tree& tree, Stream* random) {
  TreeOperation operation;
  do {
    operation.op = kRedOpValues[random->Below(kRedOpValues.size())];
    operation.type = kRedTypeValues[random->Below(kRedTypeValues.size())];
  } while (!golden::IsLegal(operation.op, operation.type));
  const int unit = golden::UnitBytes(operation.op, operation.type);
  const auto units = static_cast<std::uint64_t>(most_bytes / unit);
  for (int i = 0; i < segments; ++i) {
    const std::uint64_t kind = random->Below(4);
    const std::uint64_t number = kind == 0 ? units : kind == 1 ? random->Below(8) : random->Below(units + 1);
    operation.bytes.push_back(static_cast<int>(number) * unit);
  }
  if (is_short) {
    operation.rnd = kRedRndValues[random->Below(kRedRndValues.size())];
    operation.ftz = random->Below(4) == 0;
  }
  constexpr double kWants[] = {0, 0.5, 1, 1};
  constexpr double kEmpty[] = {0, 0, 0.5, 1};
  operation.wants = Some(tree.children, kWants[random->Below(4)], random);
  operation.empty = Some(tree.children, kEmpty[random->Below(4)], random);
  return operation;
}

/// Of an operation; one in four may be longer than what is under way of it at a time.
int DrawSegments(const Profile& profile, Stream* random) {
  const std::uint64_t most = random->Below(4) == 0 ? 3 * static_cast<std::uint64_t>(profile.red_segments) : 6;
  return static_cast<int>(1 + random->Below(most));
}

/// Mishaps that an episode of this kind can have and come to an end. One that is silent is found by the others' time.
bool CanHappen(Mishap mishap, const SwitchSetup& setup, const Tree& tree, const Episode& episode) {
  const bool has_others = (tree.children & (tree.children - 1)) != 0;
  switch (mishap) {
    case Mishap::kNone:
      return false;
    case Mishap::kSilent:
      return has_others && tree.timeout != 0 && !tree.small;
    case Mishap::kDiffers:
      return has_others && !tree.small;
    case Mishap::kSkips:
    case Mishap::kGreedy:
    case Mishap::kIllegal:
    case Mishap::kOldTag:
      return episode.streams;
    case Mishap::kDamaged:
      return setup.mode(episode.culprit).cut_through;  // else it is dropped as any damaged packet
    default:
      return true;
  }
}

}  // namespace

std::vector<Cfg> Tree::Writes() const {
  std::vector<Cfg> writes;
  const auto write = [&](int port, RedReg reg, std::uint64_t data) {
    writes.push_back(golden::WriteRegister(port, CfgSpace::kRed, golden::IndexOf(group, reg), data));
  };
  write(golden::kAllPorts, RedReg::kChildren, children);
  write(golden::kAllPorts, RedReg::kNodes, nodes);
  for (std::uint64_t left = members(); left != 0; left &= left - 1) {
    const int port = golden::LowestBit(left);
    const RedAddress& peer = peers[static_cast<std::size_t>(port)];
    const auto role = static_cast<std::uint64_t>(port == parent ? RedRole::kParent : RedRole::kChild);
    write(port, RedReg::kPeer,
          GroupPeer::Of(peer.address, peer.node, static_cast<std::uint64_t>(peer.vl),
                        static_cast<std::uint64_t>(peer.tc), role, small)
              .ToBits());
  }
  write(golden::kAllPorts, RedReg::kTree,
        GroupTree::Of(/*valid=*/true, parent < 0, static_cast<std::uint64_t>(std::max(parent, 0)), small, timeout)
            .ToBits());
  return writes;
}

std::vector<Tree> DrawTrees(const SwitchSetup& setup, int count, std::uint64_t ports, std::uint64_t seed) {
  std::vector<Tree> trees;
  for (int group = 0; group < count; ++group) {
    Stream random(seed, static_cast<std::uint32_t>(group), 0, Purpose::kReduction);
    trees.push_back(DrawTree(setup, group, ports, &random));
  }
  return trees;
}

Episode DrawEpisode(const SwitchSetup& setup, const Tree& tree, double mishaps, Stream* random) {
  const Profile& profile = setup.profile();
  Episode episode;
  episode.streams = !tree.small && random->Below(3) != 0;
  episode.eager = random->Below(2) != 0;
  episode.lazy = random->Below(2) != 0;
  int parts = 0;
  for (std::uint64_t left = 1 + random->Below(episode.streams ? 3 : 12); left > 0; --left) {
    const int segments = episode.streams ? DrawSegments(profile, random) : 1;
    const int most = episode.streams ? profile.red_bytes : profile.red_short_bytes;
    episode.operations.push_back(DrawOperation(most, segments, !episode.streams, tree, random));
    parts += segments;
  }
  if (episode.streams && random->Below(2) != 0) episode.count = static_cast<int>(episode.operations.size());
  if (Unit(random->Next()) < mishaps) {
    episode.culprit = random->Pick(tree.children);
    do {
      episode.mishap = static_cast<Mishap>(random->Below(kMishaps));
    } while (!CanHappen(episode.mishap, setup, tree, episode));
    episode.at = static_cast<int>(random->Below(static_cast<std::uint64_t>(parts)));
  }
  return episode;
}

}  // namespace tilefly::cosim
