// SPDX-License-Identifier: Apache-2.0
// Which endpoints of a system take part in an incast.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "runs/repro/incast.h"
#include "support/errors.h"
#include "support/random.h"
#include "topology/builder.h"

namespace tilefly::runs {
namespace {

constexpr std::uint64_t kMostPlacements = 10'000;
/// Unlike all numbers of ranks, for which workloads draw.
constexpr std::uint32_t kPlacesOfIncast = (1u << 31) + 1;

/// Endpoints in an order that is drawn.
std::vector<int> Shuffled(std::size_t count, std::uint64_t draw) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  Stream stream(1, kPlacesOfIncast, draw, Purpose::kWorkload);
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[stream.Below(i)]);
  return all;
}

/// The first endpoint of `order` at `node` that is not in `taken`; -1: there is none.
int FirstAt(const topology::Topology& system, const std::vector<int>& order, int node, const std::set<int>& taken) {
  for (const int one : order) {
    if (system.endpoints[one].port.at == node && taken.count(one) == 0) return one;
  }
  return -1;
}

/// The places of a draw; none when it has no victim or too few contributors.
std::optional<IncastPlaces> Draw(const topology::Topology& system, int contributors, std::uint64_t draw) {
  const std::vector<int> order = Shuffled(system.endpoints.size(), draw);
  IncastPlaces places{order.front(), -1, -1, {}};
  const int at = system.endpoints[places.destination].port.at;
  std::set<int> taken = {places.destination}, nodes;
  for (const int one : order) {
    if (static_cast<int>(places.contributors.size()) == contributors) break;
    if (system.endpoints[one].port.at == at || !nodes.insert(system.endpoints[one].node).second) continue;
    places.contributors.push_back(one);
    taken.insert(one);
  }
  if (static_cast<int>(places.contributors.size()) < contributors) return std::nullopt;
  places.victims_peer = FirstAt(system, order, at, taken);
  for (const int one : places.contributors) {
    if (places.victim >= 0) break;
    places.victim = FirstAt(system, order, system.endpoints[one].port.at, taken);
  }
  if (places.victim < 0 || places.victims_peer < 0) return std::nullopt;
  return places;
}

}  // namespace

StudyOptions IncastOptions(StudyOptions options) {
  if (options.contributors == 0) options.contributors = options.quick ? 30 : 50;
  if (options.topology.empty()) options.topology = options.quick ? "dragonfly:p=4,a=4,h=2" : "preset:shandy";
  if (options.time_us == 0) options.time_us = options.quick ? 300 : 600;
  return options;
}

IncastPlaces DrawIncast(const topology::Topology& system, const StudyOptions& options) {
  for (std::uint64_t draw = 0; draw < kMostPlacements; ++draw) {
    if (const auto places = Draw(system, options.contributors, draw)) return *places;
  }
  throw UsageError(
      fmt::format("--contributors {}: {} has no such places: contributors at other switches than the destination's, no "
                  "two at one node, "
                  "and a victim at the switch of one of them; give fewer, or a larger --topology",
                  options.contributors, system.name));
}

}  // namespace tilefly::runs
