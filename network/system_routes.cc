// SPDX-License-Identifier: Apache-2.0
#include "network/system_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "golden/common/register_write.h"
#include "support/errors.h"
#include "support/random.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

/// The topology, when its addresses are some that switches may have.
const topology::Topology& WithAddresses(const topology::Topology& topology) {
  std::set<std::pair<int, int>> seen;
  for (std::size_t s = 0; s < topology.switches.size(); ++s) {
    const topology::Switch& one = topology.switches[s];
    if (one.group < 0 || one.group >= topology::kMaxGroups || one.index < 0 ||
        one.index >= topology::kMaxGroupSwitches) {
      throw UsageError(fmt::format(
          "topology {}: switch {} would have the address (group {}, switch {}); there are groups 0 to {} and "
          "switches 0 to {}",
          topology.name, s, one.group, one.index, topology::kMaxGroups - 1, topology::kMaxGroupSwitches - 1));
    }
    if (!seen.emplace(one.group, one.index).second) {
      throw UsageError(fmt::format("topology {}: switch {} and another one have the same address (group {}, switch {})",
                                   topology.name, s, one.group, one.index));
    }
  }
  return topology;
}

/// What a file or a family of one's own calls a tree need not be one, whose fewest links lead up and then down; of a
/// dragonfly and Aries kinds of links say the lanes. A graph has a lane for each link, a torus goes by its coordinates.
bool NeedsProof(const topology::Topology& topology) {
  if (topology.family == "tree") return true;
  const bool by_kinds = topology.family == "dragonfly" || topology.family == "aries";
  return by_kinds && (topology::IsFile(topology.name) ||
                      topology::Families().Find(NameAndArguments(topology.name).name) != nullptr);
}

/// What remedies a cycle.
std::string RemedyOf(const topology::Topology& topology, bool of_rule) {
  if (of_rule)
    return "raise the lane where the cycle closes, leave a link out, or leave the rule's lanes out: then the lane "
           "rises with each link";
  const std::string graph = "describe it as a graph (family: graph), which has a lane for each link of a path";
  if (topology.family == "tree") return "it is no tree whose shortest paths lead up and then down; " + graph;
  return "give links between groups the kind global, those inside of a group local, or " + graph;
}

}  // namespace

SystemRoutes::SystemRoutes(const topology::Topology& topology, const Profile& profile, const RoutingOptions& options)
    : SystemRoutes(topology, options) {
  if (rule_ || NeedsProof(topology)) RequireDeadlockFree();
  CheckHops(profile);
}

SystemRoutes::SystemRoutes(const topology::Topology& topology, const RoutingOptions& options, bool links_left)
    : topology_(WithAddresses(topology)),
      options_(options),
      paths_(PathsOf(options, topology)),
      routes_(topology),
      rule_(options.rule != nullptr ? std::optional<RuleHops>(std::in_place, topology, routes_, options) : std::nullopt),
      living_(links_left && !rule_ ? std::optional<topology::LivingHops>(std::in_place, topology, routes_) : std::nullopt),
      lengths_(routes_, Hops()),
      masks_(topology.switches.size(), {golden::PortMask{0}}),
      to_group_(topology.switches.size() * static_cast<std::size_t>(routes_.domains())),
      to_switch_(topology.switches.size() * kSwitches) {
  std::vector<std::vector<int>> next;
  for (int group = 0; group < routes_.domains(); ++group) RouteTo(group, &next);
}

const topology::NextHops& SystemRoutes::Hops() const {
  if (rule_) return *rule_;
  if (living_) return *living_;
  return routes_;
}

/// To groups and switches without endpoints no port leads: packets have nothing to do there, so nobody goes by them.
void SystemRoutes::RouteTo(int group, std::vector<std::vector<int>>* next) {
  const std::vector<int>& members = routes_.Members(group);
  if (std::none_of(members.begin(), members.end(), [&](int node) { return routes_.HasEndpoints(node); })) return;
  const topology::NextHops& hops = Hops();
  hops.Towards(group, next);
  lengths_.Add(group, *next);
  for (int node = 0; node < static_cast<int>(next->size()); ++node) {
    if (routes_.DomainOf(node) != group) to_group_[At(node, group, routes_.domains())] = Place(node, (*next)[node]);
  }
  drawn_groups_ = group + 1;
  std::vector<int> arcs;
  for (const int target : members) {
    if (!routes_.HasEndpoints(target)) continue;
    const int index = topology_.switches[target].index;
    drawn_switches_ = std::max(drawn_switches_, index + 1);
    for (const int node : members) {
      if (node == target) continue;
      arcs.clear();
      hops.Inside(node, target, &arcs);
      to_switch_[At(node, index, kSwitches)] = Place(node, arcs);
    }
  }
}

std::uint16_t SystemRoutes::Place(int node, const std::vector<int>& arcs) {
  golden::PortMask mask = 0;
  for (const int arc : arcs) mask |= golden::Bit(routes_.wiring().TailPort(arc));
  std::vector<golden::PortMask>& masks = masks_[node];
  const auto found = std::find(masks.begin(), masks.end(), mask);
  const auto place = static_cast<std::uint16_t>(found - masks.begin());
  if (found == masks.end()) masks.push_back(mask);
  return place;
}

int SystemRoutes::longest() const {
  int links = lengths_.to_switch();
  if (paths_ != topology::Routing::kMinimal) {
    links = std::max({links, lengths_.to_domain() + lengths_.from_anywhere(), 2 * lengths_.inside()});
  }
  return 1 + links + (paths_ == topology::Routing::kProgressive ? 1 : 0);
}

topology::LanePlan SystemRoutes::Plan() const {
  if (!rule_) return topology::PlanLanes(topology_, paths_);
  if (!rule_->lanes().tables.empty()) return rule_->lanes();
  return topology::LanesByHops(topology_, std::clamp(longest() - 1, 1, topology::kMostLanes));
}

topology::LanePlan SystemRoutes::Plan(int least) const {
  topology::LanePlan plan = Plan();
  if (plan.lanes >= least || least > topology::kMostLanes) return plan;
  if (!rule_) return topology::PlanLanes(topology_, paths_, least);
  return rule_->lanes().tables.empty() ? topology::LanesByHops(topology_, least) : plan;
}

topology::PortTables SystemRoutes::Tables() const {
  return {[this](int at, int group) { return ToGroup(at, group); }, [this](int at, int index) { return ToSwitch(at, index); }};
}

bool SystemRoutes::IsDeadlockFree(const topology::LanePlan& plan) const {
  return topology::CheckTables(topology_, paths_, plan, Tables(), topology::kFullLimit, topology::NoWay::kDropped)
      .deadlock_free;
}

topology::DeadlockCheck SystemRoutes::CheckDeadlock() const {
  topology::DeadlockCheck check = topology::CheckTables(topology_, paths_, Plan(), Tables());
  check.routing = options_.name;
  return check;
}

/// Of what Tilefly has not made nobody knows it; its own families are proved by tests.
void SystemRoutes::RequireDeadlockFree() const {
  const topology::DeadlockCheck check = CheckDeadlock();
  if (check.deadlock_free) return;
  throw UsageError(fmt::format("--routing {} on {} is refused: {}{}", options_.name, topology_.name,
                               topology::ToText(topology_, check), RemedyOf(topology_, rule_.has_value())));
}

void SystemRoutes::CheckHops(const Profile& profile) const {
  if (longest() <= profile.hop_limit) return;
  throw UsageError(
      fmt::format("topology {}: routing {} has paths over {} switches, the hop limit of profile {} is {}; take {}",
                  topology_.name, options_.name, longest(), profile.name, profile.hop_limit,
                  paths_ == topology::Routing::kMinimal ? "a system of smaller diameter" : "--routing min"));
}

std::vector<Cfg> SystemRoutes::CommonWrites(std::uint64_t seed) const {
  std::vector<Cfg> writes;
  const auto write = [&](SwitchReg reg, std::uint64_t data) {
    if (data != 0)
      writes.push_back(golden::WriteRegister(golden::kAllPorts, CfgSpace::kSwitch, static_cast<int>(reg), data));
  };
  const bool detours = paths_ != topology::Routing::kMinimal;
  if (detours) {
    write(SwitchReg::kSize,
          SwitchSize::Of(static_cast<std::uint64_t>(drawn_groups_), static_cast<std::uint64_t>(drawn_switches_))
              .ToBits());
  }
  if (options_.Adaptive()) {
    write(SwitchReg::kSeed, SwitchSeed::Of(Draw(seed, 0, 0, Purpose::kRoutes)).ToBits());
    if (detours) write(SwitchReg::kLength, LengthRegister(topology_, options_, lengths_).ToBits());
    if (detours) write(SwitchReg::kBias, BiasRegister(options_).ToBits());
  }
  return writes;
}

std::vector<Cfg> SystemRoutes::Writes(int node) const {
  const topology::Switch& own = topology_.switches[node];
  std::vector<Cfg> writes = {golden::WriteRegister(golden::kAllPorts, CfgSpace::kSwitch,
                                                   static_cast<int>(SwitchReg::kAddress),
                                                   golden::SwitchAddress{own.group, own.index}.ToBits())};
  for (int group = 0; group < routes_.domains(); ++group) {
    if (const golden::PortMask ports = ToGroup(node, group))
      writes.push_back(golden::WriteRegister(golden::kAllPorts, CfgSpace::kRouteGroup, group, ports));
  }
  for (int index = 0; index < kSwitches; ++index) {
    if (const golden::PortMask ports = ToSwitch(node, index))
      writes.push_back(golden::WriteRegister(golden::kAllPorts, CfgSpace::kRouteSwitch, index, ports));
  }
  return writes;
}

topology::LanePlan PlanLanes(const topology::Topology& topology, const Profile& profile,
                             const RoutingOptions& options) {
  if (options.rule != nullptr) return SystemRoutes(topology, profile, options).Plan();
  return topology::PlanLanes(topology, PathsOf(options, topology));
}

}  // namespace tilefly::network
