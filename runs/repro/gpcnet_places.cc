// SPDX-License-Identifier: Apache-2.0
// Which endpoints of a system are the nodes of GPCNeT.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "runs/repro/gpcnet.h"
#include "support/errors.h"
#include "support/random.h"
#include "topology/builder.h"

namespace tilefly::runs {
namespace {

/// Only its links to endpoints can be congested: between switches there are as many links as uniform traffic needs.
constexpr const char* kSystem = "dragonfly:p=16,a=2,h=8,g=2,links=16,local=8";

constexpr std::size_t kLeastSwitches = 4, kLeastGroups = 2;
/// A job has two ranks at least, and the congestors `all` are four jobs.
constexpr int kLeastVictims = 2, kLeastCongestors = 8;
constexpr std::uint64_t kMostDraws = 10'000;
/// Unlike all numbers of ranks, for which workloads draw.
constexpr std::uint32_t kNodesOfGpcnet = 1u << 31;

/// Whether the endpoints are far enough apart.
bool Spread(const topology::Topology& system, const std::vector<int>& endpoints) {
  std::set<int> switches, groups;
  for (const int endpoint : endpoints) {
    const int at = system.endpoints[endpoint].port.at;
    switches.insert(at);
    groups.insert(system.switches[at].group);
  }
  return switches.size() >= kLeastSwitches && groups.size() >= kLeastGroups;
}

std::vector<int> AllOf(const topology::Topology& system) {
  std::vector<int> all(system.endpoints.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

topology::Topology GpcnetSystem(const StudyOptions& options) {
  if (options.victims < kLeastVictims)
    throw UsageError(fmt::format("--victims {}: a job has {} ranks at least; give {} or more", options.victims,
                                 kLeastVictims, kLeastVictims));
  if (options.nodes < options.victims + kLeastCongestors)
    throw UsageError(
        fmt::format("--nodes {}: {} victims leave {} congestors, and there are {} at least, two of each kind; give "
                    "--nodes {} or more, in a --topology of so many endpoints, or fewer --victims",
                    options.nodes, options.victims, std::max(0, options.nodes - options.victims), kLeastCongestors,
                    options.victims + kLeastCongestors));
  topology::Topology system = topology::Build(options.topology.empty() ? kSystem : options.topology);
  if (!Spread(system, AllOf(system)))
    throw UsageError(
        fmt::format("--topology {}: gpcnet needs endpoints at {} switches or more, in {} address groups or more",
                    system.name, kLeastSwitches, kLeastGroups));
  if (system.endpoints.size() < static_cast<std::size_t>(options.nodes))
    throw UsageError(fmt::format("--topology {}: it has {} endpoints for {} nodes; give a larger one, or fewer --nodes",
                                 system.name, system.endpoints.size(), options.nodes));
  return system;
}

GpcnetPlaces DrawPlaces(const topology::Topology& system, const StudyOptions& options, std::uint64_t seed) {
  for (std::uint64_t draw = 0; draw < kMostDraws; ++draw) {
    std::vector<int> nodes = AllOf(system);
    Stream stream(seed, kNodesOfGpcnet, draw, Purpose::kWorkload);
    for (int i = 0; i < options.nodes; ++i) std::swap(nodes[i], nodes[i + stream.Below(nodes.size() - i)]);
    nodes.resize(static_cast<std::size_t>(options.nodes));
    if (!Spread(system, nodes)) continue;
    const auto first = nodes.begin() + options.victims;
    return {{nodes.begin(), first}, {first, nodes.end()}};
  }
  throw UsageError(
      fmt::format("--topology {}: {} draws of {} nodes are all at fewer than {} switches or in fewer than {} "
                  "address groups; give more --nodes, or another system",
                  system.name, kMostDraws, options.nodes, kLeastSwitches, kLeastGroups));
}

}  // namespace tilefly::runs
