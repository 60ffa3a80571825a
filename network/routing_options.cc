// SPDX-License-Identifier: Apache-2.0
#include "network/routing_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "golden/routing/route_names.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::network {
namespace {

constexpr int kMostLength = 15;
constexpr const char* kAppAware = "app_aware";

std::vector<std::string> BuiltInRoutings() {
  std::vector<std::string> names = golden::RouteNames();
  names.emplace_back(kAppAware);
  return names;
}

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

/// Throws UsageError for a rule whose mode and detours do not go together.
RouteMode ModeOf(const std::string& name, const RoutingRule& rule) {
  const bool detours_must = rule.mode == RouteMode::kNminHash;
  const bool detours_may = detours_must || static_cast<int>(rule.mode) <= static_cast<int>(RouteMode::kAdaptive3);
  if (rule.detours ? detours_may : !detours_must) return rule.mode;
  throw UsageError(fmt::format("routing {}: its mode {}; mend RoutingRule::detours of the rule", name,
                               detours_must ? "takes detours only, and it has none" : "takes no detours, and it has some"));
}

}  // namespace

Registry<RoutingRule>& RoutingRules() {
  static Registry<RoutingRule> rules = [] {
    std::vector<std::string> taken = BuiltInRoutings();
    for (const topology::Routing paths :
         {topology::Routing::kMinimal, topology::Routing::kValiant, topology::Routing::kProgressive})
      taken.emplace_back(NameOf(paths));
    return Registry<RoutingRule>("routing rule", std::move(taken));
  }();
  return rules;
}

RoutingOptions RoutingOptions::Named(const std::string& name) {
  RoutingOptions options;
  options.name = name;
  if (name == kAppAware) {
    options.mode = RouteMode::kAdaptive0;
    options.app_aware.emplace();
    return options;
  }
  const golden::RouteName* const found = golden::FindRouteName(name);
  const NameAndArguments given(name);
  if (found == nullptr) options.rule = RoutingRules().Find(given.name);
  if (found == nullptr && options.rule == nullptr) {
    std::vector<std::string> known = BuiltInRoutings();
    for (std::string& own : RoutingRules().Names()) known.push_back(std::move(own));
    ThrowUnknown("routing", given.name, known);
  }
  options.mode = found != nullptr ? found->mode : ModeOf(given.name, *options.rule);
  const bool hashes = options.mode == RouteMode::kMinHash || options.mode == RouteMode::kNminHash;
  const bool own_flows = name == "min" || name == "valiant" || (options.rule != nullptr && hashes);
  options.flows = own_flows ? kMostFlows : kFewFlows;
  options.any_flow = own_flows || options.Adaptive();
  return options;
}

topology::Routing PathsOf(const RoutingOptions& options, const topology::Topology& topology) {
  const bool of_torus = options.rule == nullptr && topology.family == "torus";
  if (!options.Detours() || (of_torus && options.Adaptive())) return topology::Routing::kMinimal;
  const bool again = options.mode == RouteMode::kAdaptive1 && HasLargeGroups(topology);
  return again ? topology::Routing::kProgressive : topology::Routing::kValiant;
}

SwitchLength LengthRegister(const topology::Topology& topology, const RoutingOptions& options,
                            const topology::PathLengths& lengths) {
  Lengths minimal, detour;
  const std::string family = options.rule == nullptr ? topology.family : "";
  if (family == "dragonfly") {  // local 1, global 2
    minimal = {{1, 3, 2, 1}, {1, 1, 1, 1}};
    detour = {{1, 5, 4, 1}, {1, 2, 2, 1}};
  } else if (family == "aries") {  // row 1, global 2, column 3
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
