// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/red_plan.h"

#include <array>

#include "golden/common/fabric_address.h"
#include "golden/reduction/arithmetic.h"
#include "golden/reduction/red_lanes.h"
#include "golden/registers/registers.h"
#include "network/system_lanes.h"
#include "support/random.h"

namespace tilefly::systemc {
namespace {

using cosim::Episode;
using cosim::Mishap;

constexpr int kFullBytes = 4096;  ///< of a segment

Episode OperationsOf(RedOp op, RedType type, int operations, const std::vector<int>& bytes) {
  Episode episode;
  cosim::TreeOperation operation;
  operation.op = op;
  operation.type = type;
  operation.bytes = bytes;
  operation.wants = ~golden::PortMask{0};
  episode.operations.assign(static_cast<std::size_t>(operations), operation);
  return episode;
}

}  // namespace

RedTreePlan MakeTree(int group, golden::PortMask children, int parent, golden::PortMask nodes) {
  RedTreePlan plan;
  plan.tree.group = group;
  plan.tree.children = children;
  plan.tree.parent = parent;
  plan.tree.nodes = nodes;
  golden::ForEachBit(plan.tree.members(), [&](int port) {
    cosim::RedAddress& peer = plan.tree.peers[static_cast<std::size_t>(port)];
    peer.address = golden::FabricAddress(1, 0, port);
    peer.node = port == parent || (nodes & golden::Bit(port)) != 0;
    peer.vl = port == parent ? kRedUpLane : kRedDownLane;
    peer.tc = kRedClass;
  });
  return plan;
}

Episode StreamsOf(RedOp op, RedType type, int operations, int segments, int last_bytes) {
  const int unit = golden::UnitBytes(op, type);
  std::vector<int> bytes(static_cast<std::size_t>(segments), kFullBytes / unit * unit);
  bytes.back() = last_bytes;
  Episode episode = OperationsOf(op, type, operations, bytes);
  episode.streams = true;
  return episode;
}

Episode ShortsOf(RedOp op, RedType type, int operations, int bytes) {
  return OperationsOf(op, type, operations, {bytes});
}

void WriteTrees(const std::vector<RedTreePlan>& trees, ContractSetup* setup) {
  for (const RedTreePlan& plan : trees) {
    for (const Cfg& write : plan.tree.Writes()) setup->writes.push_back(write);
  }
  const golden::Registers registers(setup->profile);
  for (const Cfg& write : network::SystemLanes::ReductionWrites(kRedClass, registers.tables()))
    setup->writes.push_back(write);
}

std::vector<Episode> DrawEpisodes(const Profile& profile, const cosim::Tree& tree, int count, double mishaps,
                                  std::uint64_t seed) {
  constexpr std::array kMishaps = {Mishap::kDiffers,   Mishap::kSkips,  Mishap::kIllegal,
                                   Mishap::kWrongSide, Mishap::kOldTag, Mishap::kBadSegment,
                                   Mishap::kLeaves,    Mishap::kSilent, Mishap::kUnlocked};
  Stream random(seed, static_cast<std::uint32_t>(tree.group), 0, Purpose::kReduction);
  std::vector<Episode> episodes;
  std::size_t wrong = 0;
  for (int i = 0; i < count; ++i) {
    Episode& episode = episodes.emplace_back(cosim::DrawEpisode(profile, tree, 0, 0, &random));
    if (!episode.streams || Unit(random.Next()) >= mishaps) continue;
    std::size_t segments = 0;
    for (const cosim::TreeOperation& operation : episode.operations) segments += operation.bytes.size();
    episode.mishap = kMishaps[wrong++ % kMishaps.size()];
    episode.culprit = random.Pick(tree.children);
    episode.at = static_cast<int>(random.Below(segments));
  }
  return episodes;
}

}  // namespace tilefly::systemc
