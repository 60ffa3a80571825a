// SPDX-License-Identifier: Apache-2.0
#include "network/routing_options.h"

#include <algorithm>
#include <set>

#include "golden/routing/route_names.h"
#include "support/text.h"

namespace tilefly::network {
namespace {

constexpr int kMostLength = 15;
constexpr const char* kAppAware = "app_aware";

/// Some address group has several switches: then a hop may stay in it.
bool HasLargeGroups(const topology::Topology& topology) {
  std::set<int> groups;
  for (const topology::Switch& one : topology.switches) groups.insert(one.group);
  return groups.size() < topology.switches.size();
}

/// Links from the first of each class on, to another group and to the own one; class 0 is no link's.
struct Lengths {
  std::array<int, 4> other;
  std::array<int, 4> own;
};

/// Longer ones than the register holds keep their proportion.
std::pair<int, int> Fit(int minimal, int detour) {
  if (detour <= kMostLength) return {std::max(1, minimal), std::max(1, detour)};
  return {std::max(1, minimal * kMostLength / detour), kMostLength};
}

}  // namespace

RoutingOptions RoutingOptions::Named(const std::string& name) {
  RoutingOptions options;
  options.name = name;
  if (name == kAppAware) {
    options.mode = RouteMode::kAdaptive0;
    options.app_aware.emplace();
    return options;
  }
  const golden::RouteName* const found = golden::FindRouteName(name);
  if (found == nullptr) {
    std::vector<std::string> known = golden::RouteNames();
    known.emplace_back(kAppAware);
    ThrowUnknown("routing", name, known);
  }
  options.mode = found->mode;
  const bool own_flows = name == "min" || name == "valiant";
  options.flows = own_flows ? kMostFlows : kFewFlows;
  options.any_flow = own_flows || options.Adaptive();
  return options;
}

topology::Routing PathsOf(const RoutingOptions& options, const topology::Topology& topology) {
  if (!options.Detours() || (options.Adaptive() && topology.family == "torus")) return topology::Routing::kMinimal;
  const bool again = options.mode == RouteMode::kAdaptive1 && HasLargeGroups(topology);
  return again ? topology::Routing::kProgressive : topology::Routing::kValiant;
}

SwitchLength LengthRegister(const topology::Topology& topology, const topology::PathLengths& lengths) {
  Lengths minimal, detour;
  if (topology.family == "dragonfly") {  // local 1, global 2
    minimal = {{1, 3, 2, 1}, {1, 1, 1, 1}};
    detour = {{1, 5, 4, 1}, {1, 2, 2, 1}};
  } else if (topology.family == "aries") {  // row 1, global 2, column 3
    minimal = {{1, 4, 3, 5}, {1, 1, 1, 1}};
    detour = {{1, 8, 7, 9}, {1, 2, 2, 2}};
  } else {
    const auto [min_other, far_other] = Fit(lengths.to_switch(), lengths.to_domain() + lengths.from_anywhere());
    const auto [min_own, far_own] = Fit(lengths.inside(), 2 * lengths.inside());
    for (std::size_t c = 0; c < 4; ++c) {
      minimal.other[c] = min_other;
      minimal.own[c] = min_own;
      detour.other[c] = far_other;
      detour.own[c] = far_own;
    }
  }
  SwitchLength word;
  for (std::size_t c = 0; c < 4; ++c) {
    word.min_far[c] = static_cast<std::uint8_t>(minimal.other[c]);
    word.min_own[c] = static_cast<std::uint8_t>(minimal.own[c]);
    word.nonmin_far[c] = static_cast<std::uint8_t>(detour.other[c]);
    word.nonmin_own[c] = static_cast<std::uint8_t>(detour.own[c]);
  }
  return word;
}

SwitchBias BiasRegister(const RoutingOptions& options) {
  SwitchBias word;
  for (std::size_t m = 0; m < options.biases.size(); ++m)
    word.adaptive[m] = static_cast<std::uint16_t>(options.biases[m]);
  return word;
}

}  // namespace tilefly::network
