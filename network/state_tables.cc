// SPDX-License-Identifier: Apache-2.0
#include "network/state_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "golden/acks/ack_unit.h"
#include "golden/reduction/red_lanes.h"
#include "network/link_states.h"
#include "support/errors.h"
#include "topology/links_left.h"

namespace tilefly::network {
namespace {

/// The event that changes the links in cycle `cycle` of traffic.
const LinkFault& EventOf(const std::vector<LinkFault>& downs, Cycle cycle) {
  return *std::find_if(downs.begin(), downs.end(),
                       [&](const LinkFault& one) { return one.at == cycle || one.till == cycle; });
}

}  // namespace

StateTables::StateTables(const topology::Topology& topology, const Profile& profile, const NetworkOptions& options,
                         const SystemRoutes& routes, const std::vector<LinkFault>& downs, bool acks, bool reductions)
    : topology_(topology),
      profile_(profile),
      options_(options),
      routes_(routes),
      acks_(acks),
      most_lanes_(MostLanes(reductions)),
      plan_(options.plan ? *options.plan : routes.Plan()) {
  made_[{}];  // all links work
  ChooseLanes(*options.fault_plan->manager);
  LinkStates states(topology);
  for (const LinkFault& one : downs) {
    const int link = states.LinkAt(one.node, one.port);
    if (link < 0) continue;
    states.Add(link, one.at, one.till);
    named_.emplace(link, topology::Port{one.node, one.port});
  }
  std::set<std::set<int>> planned = {{}};
  for (Cycle at = states.NextChange(0); at != kNever; at = states.NextChange(at + 1)) {
    if (const std::set<int> down = states.DownIn(at); planned.insert(down).second) PlanFor(EventOf(downs, at), down);
  }
  for (const std::set<int>& down : planned) Of(down);
}

int StateTables::MostLanes(bool reductions) const {
  std::size_t given = 0;
  for (const LaneClass& one : options_.lanes) {
    if (!one.lanes.empty()) given = given == 0 ? one.lanes.size() : std::min(given, one.lanes.size());
  }
  if (given > 0) return static_cast<int>(given);
  const int classes = std::max(1, static_cast<int>(options_.UsedClasses().size()));
  const int of_reductions = reductions ? kRedDownLane + 1 - kRedUpLane : 0;
  return std::min(topology::kMostLanes, (profile_.vls - of_reductions) / classes);
}

/// What the plan's key `lanes` asks for.
void StateTables::ChooseLanes(const faults::Manager& manager) {
  if (manager.lanes == 0) return;
  if (manager.lanes > most_lanes_)
    throw UsageError(fmt::format("{}: lanes: a class has at most {} virtual lanes here; {}", manager.origin,
                                 most_lanes_, RemedyOfLanes()));
  if (manager.lanes <= plan_.lanes) {
    warnings_.push_back(fmt::format("warning: {}: lanes: {} has no effect: --routing {} has {} virtual lanes a class",
                                    manager.origin, manager.lanes, options_.routing.name, plan_.lanes));
    return;
  }
  if (!options_.plan) plan_ = routes_.Plan(manager.lanes);
  if (plan_.lanes != manager.lanes)
    throw UsageError(
        fmt::format("{}: lanes: --routing {} on {} has {} virtual lanes and no use for more; leave the key out",
                    manager.origin, options_.routing.name, topology_.name, plan_.lanes));
}

std::string StateTables::RemedyOfLanes() const {
  return fmt::format(
      "profile {} has {} lanes for {} classes: take fewer classes, a routing whose paths need fewer lanes, or "
      "tables: off",
      profile_.name, profile_.vls, std::max<std::size_t>(1, options_.UsedClasses().size()));
}

/// Why the paths have too many switches; empty: they have not.
std::string StateTables::TooLong(const SystemRoutes& left) const {
  const int longest = left.longest();
  if (longest > profile_.hop_limit)
    return fmt::format(
        "paths lead over {} switches, and the hop limit of profile {} is {}: take --routing min, or tables: off",
        longest, profile_.name, profile_.hop_limit);
  if (acks_ && longest > golden::kMostAckHops + 1)
    return fmt::format("paths lead over {} switches, and an ack finds back over {}: take --acks off, or tables: off",
                       longest, golden::kMostAckHops + 1);
  return "";
}

/// As many lanes as the paths of these tables need. Throws UsageError with the reason, when they are not there.
void StateTables::RaiseLanes(const SystemRoutes& left, const std::set<int>& down) {
  while (!left.IsDeadlockFree(topology::WithoutLinks(plan_, down))) {
    topology::LanePlan more = options_.plan ? plan_ : routes_.Plan(plan_.lanes + 1);
    if (more.lanes <= plan_.lanes && plan_.lanes < most_lanes_)
      throw UsageError(
          fmt::format("packets could wait for each other in a circle, and --routing {} on {} has no use for more than "
                      "{} virtual lanes a class: take another routing, or tables: off",
                      options_.routing.name, topology_.name, plan_.lanes));
    if (plan_.lanes >= most_lanes_)
      throw UsageError(fmt::format("paths need more than {} virtual lanes a class; {}", plan_.lanes, RemedyOfLanes()));
    plan_ = std::move(more);
  }
}

/// A planned state: its paths must fit.
void StateTables::PlanFor(const LinkFault& event, const std::set<int>& down) {
  const std::string origin =
      event.origin.empty() ? fmt::format("--fail-link {}.{}@{}", event.node, event.port, event.at) : event.origin;
  const topology::Topology left = topology::WithoutLinks(topology_, down);
  try {
    const std::unique_ptr<const SystemRoutes> routes = SystemRoutes::OfLinksLeft(left, options_.routing);
    if (const std::string why = TooLong(*routes); !why.empty()) throw UsageError(why);
    RaiseLanes(*routes, down);
    if (const std::int64_t cut = routes->CountCutPairs(); cut > 0)
      warnings_.push_back(
          fmt::format("warning: {}: with the links that are down then ({}), packets of {} pairs of switches may find "
                      "no way, and are dropped (NO_ROUTE)",
                      origin, NamesOf(down), cut));
  } catch (const UsageError& error) {
    throw UsageError(
        fmt::format("{}: with the links that are down then ({}), {}", origin, NamesOf(down), error.what()));
  }
}

const LeftTables& StateTables::Of(const std::set<int>& down) {
  const auto [made, is_new] = made_.try_emplace(down);
  LeftTables& tables = made->second;
  if (!is_new) return tables;
  const topology::Topology left = topology::WithoutLinks(topology_, down);
  try {
    const std::unique_ptr<const SystemRoutes> routes = SystemRoutes::OfLinksLeft(left, options_.routing);
    tables.refusal = TooLong(*routes);
    if (tables.refusal.empty() && !routes->IsDeadlockFree(topology::WithoutLinks(plan_, down)))
      tables.refusal =
          fmt::format("paths need more than {} virtual lanes a class; give the manager's key lanes more", plan_.lanes);
    if (!tables.refusal.empty()) return tables;
    AddEntries(*routes, &tables);
    tables.cut_pairs = routes->CountCutPairs();
  } catch (const UsageError& error) {  // of a routing rule of the user's own
    tables.refusal = error.what();
  }
  return tables;
}

void StateTables::AddEntries(const SystemRoutes& left, LeftTables* tables) const {
  for (int node = 0; node < static_cast<int>(topology_.switches.size()); ++node) {
    const auto add = [&](CfgSpace space, int index, golden::PortMask ports) {
      if (ports != Whole(node, space, index)) tables->entries.push_back({node, space, index, ports});
    };
    for (int group = 0; group < routes_.groups(); ++group) add(CfgSpace::kRouteGroup, group, left.ToGroup(node, group));
    for (int index = 0; index < SystemRoutes::kSwitches; ++index)
      add(CfgSpace::kRouteSwitch, index, left.ToSwitch(node, index));
  }
}

/// "s3.4 s5.6": the links of a planned state, at most four of them.
std::string StateTables::NamesOf(const std::set<int>& links) const {
  constexpr std::size_t kMost = 4;
  std::string names;
  std::size_t count = 0;
  for (const int link : links) {
    if (count++ == kMost) return names + fmt::format(" and {} more", links.size() - kMost);
    const topology::Port& end = named_.at(link);
    names += fmt::format("{}s{}.{}", names.empty() ? "" : " ", end.at, end.port);
  }
  return names;
}

}  // namespace tilefly::network
