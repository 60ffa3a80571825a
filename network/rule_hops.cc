// SPDX-License-Identifier: Apache-2.0
#include "network/rule_hops.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/errors.h"
#include "support/extension_error.h"

namespace tilefly::network {
namespace {

RouteRule MakeRule(const topology::Topology& topology, const RoutingOptions& options) {
  const NameAndArguments given(options.name);
  KeyValues keys("routing " + given.name, given.arguments);
  const std::string& kind = RoutingRules().kind();
  RouteRule rule = InExtension(kind, given.name, [&] { return options.rule->make(topology, &keys); });
  keys.Finish();
  if (!rule.ports)
    throw ExtensionError(kind, given.name, "it was made without a function of ports; set RouteRule::ports");
  return rule;
}

constexpr int kMostClass = 3;  // of a link's port: VLMAP and PORT.MODE have two bits, and 0 is an edge's

bool IsLinkClass(int port_class) { return port_class >= 1 && port_class <= kMostClass; }

/// A packet from an endpoint comes on lane 0, one from a link on any.
bool StaysIn(const topology::LaneTable& table, int lanes, int in_class) {
  for (int lane = 0; lane < (in_class == 0 ? 1 : lanes); ++lane) {
    for (int out_class = 0; out_class <= kMostClass; ++out_class) {
      if (table[topology::PlaceOf(lane, in_class, out_class)] >= lanes) return false;
    }
  }
  return true;
}

}  // namespace

RuleHops::RuleHops(const topology::Topology& topology, const topology::Routes& routes, const RoutingOptions& options)
    : topology_(topology),
      routes_(routes),
      name_("--routing " + options.name + " on " + topology.name),
      rule_name_(NameAndArguments(options.name).name),
      rule_(MakeRule(topology, options)),
      arc_of_(topology.switches.size() * topology::kMaxPorts, -1) {
  const topology::Wiring& wiring = routes.wiring();
  for (int arc = 0; arc < wiring.arcs(); ++arc)
    arc_of_[static_cast<std::size_t>(wiring.Tail(arc)) * topology::kMaxPorts +
            static_cast<std::size_t>(wiring.TailPort(arc))] = arc;
  if (!rule_.lanes.tables.empty()) CheckLanes();
}

void RuleHops::CheckLanes() const {
  const topology::LanePlan& plan = rule_.lanes;
  const int tables = static_cast<int>(plan.tables.size());
  const bool whole = plan.port_class.size() == topology_.links.size() &&
                     plan.table_of.size() == topology_.switches.size() && plan.lanes >= 1 &&
                     plan.lanes <= topology::kMostLanes &&
                     std::all_of(plan.table_of.begin(), plan.table_of.end(),
                                 [&](int table) { return table >= 0 && table < tables; });
  if (!whole)
    throw UsageError(
        fmt::format("{}: its lanes need a class for both ends of each of {} links, a table for each of {} switches, "
                    "and 1 to {} lanes",
                    name_, topology_.links.size(), topology_.switches.size(), topology::kMostLanes));
  CheckClasses();
  CheckTables();
}

/// What the registers cannot say, switches would not do: the deadlock check would be of other lanes than theirs.
void RuleHops::CheckClasses() const {
  for (std::size_t link = 0; link < topology_.links.size(); ++link) {
    for (const int port_class : rule_.lanes.port_class[link]) {
      if (!IsLinkClass(port_class))
        throw UsageError(
            fmt::format("{}: its lanes have class {} at an end of link {}; a link's end has class 1 to {}, "
                        "class 0 is that of endpoints",
                        name_, port_class, link, kMostClass));
    }
  }
}

void RuleHops::CheckTables() const {
  const topology::LanePlan& plan = rule_.lanes;
  for (std::size_t table = 0; table < plan.tables.size(); ++table) {
    for (int in_class = 0; in_class <= kMostClass; ++in_class) {
      if (!StaysIn(plan.tables[table], plan.lanes, in_class))
        throw UsageError(
            fmt::format("{}: table {} of its lanes leads packets from ports of class {} beyond the last of {} "
                        "lane{}; raise LanePlan::lanes, or keep the entries of lanes 0 to {} below it",
                        name_, table, in_class, plan.lanes, plan.lanes == 1 ? "" : "s", plan.lanes - 1));
    }
  }
}

std::vector<int> RuleHops::ArcsOf(int at, int to) const {
  std::vector<int> arcs;
  const std::vector<int> ports = InExtension(RoutingRules().kind(), rule_name_, [&] { return rule_.ports(at, to); });
  for (const int port : ports) {
    const int arc = port < 0 || port >= topology::kMaxPorts
                        ? -1
                        : arc_of_[static_cast<std::size_t>(at) * topology::kMaxPorts + static_cast<std::size_t>(port)];
    if (arc < 0)
      throw UsageError(fmt::format("{}: at switch {}, packets for switch {} are to leave by port {}, which has no link", name_,
                                   at, to, port));
    arcs.push_back(arc);
  }
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  return arcs;
}

void RuleHops::Towards(int domain, std::vector<std::vector<int>>* next) const {
  next->assign(topology_.switches.size(), {});
  std::vector<int> targets;
  for (const int to : routes_.Members(domain)) {
    if (routes_.HasEndpoints(to)) targets.push_back(to);
  }
  for (int at = 0; at < static_cast<int>(next->size()); ++at) {
    if (routes_.DomainOf(at) == domain) continue;
    for (const int to : targets) {
      std::vector<int> arcs = ArcsOf(at, to);
      if (to == targets.front()) (*next)[at] = arcs;
      if (arcs == (*next)[at]) continue;
      throw UsageError(
          fmt::format("{}: at switch {}, packets for switches {} and {} are to leave by different ports, and a route table has "
                      "one entry for their address group {}; give all of a group the same ports, or switches groups of "
                      "their own",
                      name_, at, targets.front(), to, domain));
    }
  }
}

void RuleHops::Inside(int from, int to, std::vector<int>* arcs) const {
  const std::vector<int> more = ArcsOf(from, to);
  arcs->insert(arcs->end(), more.begin(), more.end());
}

}  // namespace tilefly::network
