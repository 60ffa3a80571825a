// SPDX-License-Identifier: Apache-2.0
#include "golden/network/system_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "golden/common/generated/registers.h"
#include "golden/common/register_write.h"
#include "support/errors.h"
#include "support/random.h"

namespace tilefly::golden {
namespace {

constexpr int kFar = INT32_MAX;
constexpr int kEdge = static_cast<int>(topology::LinkKind::kTerminal);
constexpr int kGlobal = static_cast<int>(topology::LinkKind::kGlobal);

/// Length of a link on the way: fewest global links first, then fewest links.
constexpr int kGlobalLength = 1 << 10;
int LengthOf(const FarEnd& far) { return far.kind == topology::LinkKind::kGlobal ? kGlobalLength : 1; }
/// Links of a way of this length.
int LinksOf(int length) { return length / kGlobalLength + length % kGlobalLength; }

/// Distances of the switches from those that `distance` has at 0, `sources`; only switches that `enter` admits are
/// passed.
template <typename Enter>
void Spread(const Wiring& wiring, const std::vector<int>& sources, std::vector<int>* distance, Enter&& enter) {
  std::map<int, std::vector<int>> reached = {{0, sources}};
  for (; !reached.empty(); reached.erase(reached.begin())) {
    const int here = reached.begin()->first;
    for (const int node : reached.begin()->second) {
      if ((*distance)[node] != here) continue;
      for (int port = 0; port < wiring.ports(); ++port) {
        const FarEnd& far = wiring.far(node, port);
        if (far.node < 0 || (*distance)[far.node] <= here + LengthOf(far) || !enter(far.node)) continue;
        (*distance)[far.node] = here + LengthOf(far);
        reached[here + LengthOf(far)].push_back(far.node);
      }
    }
  }
}

}  // namespace

LanePlan LanePlan::AtPowerUp() {
  LanePlan plan;
  for (int c = 0; c < kMaxClasses; ++c)
    plan.lanes[c] = {static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c + kMaxClasses)};
  return plan;
}

bool NeedsSecondLane(const topology::Topology& topology) {
  return std::any_of(topology.links.begin(), topology.links.end(),
                     [](const topology::Link& link) { return link.kind == topology::LinkKind::kGlobal; });
}

SystemRoutes::SystemRoutes(const topology::Topology& topology, const Wiring& wiring, const Profile& profile,
                         const LanePlan& lanes)
    : topology_(topology), lanes_(lanes) {
  CheckAddresses();
  const auto nodes = topology.switches.size();
  to_group_.assign(nodes * static_cast<std::size_t>(groups_), kNoPort);
  to_switch_.assign(nodes * kSwitches, kNoPort);
  std::vector<int> distance;
  for (int group = 0; group < groups_; ++group) {
    if (members_[group].empty()) continue;
    int inside = 0;
    for (const int target : members_[group]) inside = std::max(inside, RouteInside(wiring, group, target, &distance));
    RouteToGroup(wiring, group, &distance);
    int outside = 0;
    for (const int length : distance) outside = std::max(outside, LinksOf(length));
    if (1 + outside + inside > profile.hop_limit) {
      throw UsageError(
          fmt::format("topology {}: a shortest way to group {} passes {} switches, the hop limit of profile {} is {}; "
                      "take a system of smaller diameter",
                      topology.name, group, 1 + outside + inside, profile.name, profile.hop_limit));
    }
  }
}

void SystemRoutes::CheckAddresses() {
  for (std::size_t s = 0; s < topology_.switches.size(); ++s) {
    const topology::Switch& one = topology_.switches[s];
    // Group 511 with all ones below is the address of replicated packets.
    if (one.group < 0 || one.group >= kGroups - 1 || one.index < 0 || one.index >= kSwitches) {
      throw UsageError(fmt::format(
          "topology {}: switch {} would have the address (group {}, switch {}); there are groups 0 to {} and "
          "switches 0 to {}",
          topology_.name, s, one.group, one.index, kGroups - 2, kSwitches - 1));
    }
    groups_ = std::max(groups_, one.group + 1);
    members_.resize(static_cast<std::size_t>(groups_));
    for (const int other : members_[one.group]) {
      if (topology_.switches[other].index == one.index) {
        throw UsageError(fmt::format("topology {}: switches {} and {} have the same address (group {}, switch {})",
                                     topology_.name, other, s, one.group, one.index));
      }
    }
    members_[one.group].push_back(static_cast<int>(s));
  }
}

/// One of the ports that lead nearer to the target, by a hash.
std::uint8_t SystemRoutes::Choose(const Wiring& wiring, int node, std::uint32_t target,
                                 const std::vector<int>& distance) const {
  std::array<std::uint8_t, kMaxPorts> ports;
  int count = 0;
  for (int port = 0; port < wiring.ports(); ++port) {
    const FarEnd& far = wiring.far(node, port);
    if (far.node >= 0 && distance[far.node] == distance[node] - LengthOf(far))
      ports[count++] = static_cast<std::uint8_t>(port);
  }
  const std::uint64_t hash = Mix64((std::uint64_t{target} << 32 | static_cast<std::uint32_t>(node)) + kGolden64);
  return ports[Below(hash, static_cast<std::uint64_t>(count))];
}

void SystemRoutes::RouteToGroup(const Wiring& wiring, int group, std::vector<int>* distance) {
  distance->assign(topology_.switches.size(), kFar);
  for (const int member : members_[group]) (*distance)[member] = 0;
  Spread(wiring, members_[group], distance, [](int) { return true; });
  for (int node = 0; node < wiring.nodes(); ++node) {
    if ((*distance)[node] == 0) continue;
    if ((*distance)[node] == kFar) {
      throw UsageError(
          fmt::format("topology {}: no way leads from switch {} to group {}", topology_.name, node, group));
    }
    to_group_[At(node, group, groups_)] = Choose(wiring, node, topology::AddressOf(group, 0, 0), *distance);
  }
}

/// Returns the largest distance to the target from inside its group.
int SystemRoutes::RouteInside(const Wiring& wiring, int group, int target, std::vector<int>* distance) {
  distance->assign(topology_.switches.size(), kFar);
  (*distance)[target] = 0;
  Spread(wiring, {target}, distance, [&](int node) { return topology_.switches[node].group == group; });
  int largest = 0;
  const int index = topology_.switches[target].index;
  for (const int node : members_[group]) {
    if (node == target) continue;
    if ((*distance)[node] == kFar) {
      throw UsageError(fmt::format(
          "topology {}: inside group {} no way leads from switch {} to switch {}; give them different groups",
          topology_.name, group, node, target));
    }
    largest = std::max(largest, LinksOf((*distance)[node]));
    to_switch_[At(node, index, kSwitches)] = Choose(wiring, node, topology::AddressOf(group, index, 0), *distance);
  }
  return largest;
}

std::vector<Cfg> SystemRoutes::CommonWrites(const Tables& before) const {
  std::vector<Cfg> writes;
  for (int index = 0; index < static_cast<int>(before.vlmap.size()); ++index) {
    const auto& lanes = lanes_.lanes[index >> 8];
    const int vl_in = index >> 4 & 15;
    const int in_class = index >> 2 & 3;
    int vl = vl_in;
    if (in_class == kEdge) vl = lanes[0];
    if (in_class == kGlobal && lanes_.rises && vl_in == lanes[0]) vl = lanes[1];
    if (vl != before.vlmap[index]) writes.push_back(WriteRegister(kAllPorts, CfgSpace::kVlmap, index, static_cast<std::uint64_t>(vl)));
  }
  return writes;
}

std::vector<Cfg> SystemRoutes::Writes(int node) const {
  const topology::Switch& own = topology_.switches[node];
  std::vector<Cfg> writes = {WriteRegister(kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), topology::AddressOf(own.group, own.index, 0) >> 6)};
  for (int group = 0; group < groups_; ++group) {
    const std::uint8_t port = to_group_[At(node, group, groups_)];
    if (port != kNoPort) writes.push_back(WriteRegister(kAllPorts, CfgSpace::kRouteGroup, group, Bit(port)));
  }
  for (int index = 0; index < kSwitches; ++index) {
    const std::uint8_t port = to_switch_[At(node, index, kSwitches)];
    if (port != kNoPort) writes.push_back(WriteRegister(kAllPorts, CfgSpace::kRouteSwitch, index, Bit(port)));
  }
  return writes;
}

}  // namespace tilefly::golden
