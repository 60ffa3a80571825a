// SPDX-License-Identifier: Apache-2.0
#include "topology/lanes.h"

#include <algorithm>
#include <cstdlib>

#include "support/errors.h"
#include "support/text.h"
#include "topology/path_lengths.h"

namespace tilefly::topology {
namespace {

constexpr int kEdge = 0, kLocal = 1, kGlobal = 2, kOther = 3;

/// A table from a rule (vl_in, in, out) -> vl; lanes beyond the last stay at it.
template <typename Rule>
LaneTable Tabulate(int lanes, const Rule& rule) {
  LaneTable table{};
  for (int vl = 0; vl < kMostLanes; ++vl) {
    for (int in = 0; in < 4; ++in) {
      for (int out = 0; out < 4; ++out) {
        table[PlaceOf(vl, in, out)] = static_cast<std::uint8_t>(std::clamp(rule(vl, in, out), 0, lanes - 1));
      }
    }
  }
  return table;
}

[[noreturn]] void Refuse(const Topology& topology, Routing routing, const std::string& reason) {
  throw UsageError(std::string(NameOf(routing)) + " routing on " + topology.name + ": " + reason);
}

/// The lane rises where the kind of link does not: column, row, global in that order. Only so many lanes are reached:
///
/// - dragonfly, minimal: l0 g0 l1; through a drawn group l0 g0 l1 g1 l2; decided again after the first hop l0 l1 g1 l2
/// g2
///   l3; through a drawn switch of the own group l0 l1.
/// - Aries, c a column and r a row, minimal: c0 r0 g0 c1 r1. A drawn address group is a chassis, so the way to it ends
///   with a column, and the next one may begin with one: c0 r0 g0 c1 c2 r2 g2 c3 r3; decided again r0 c1 r1 g1 c2 c3
///   ...
LanePlan PlanGroups(const Topology& topology, Routing routing, int least) {
  LanePlan plan;
  const int detours = topology.family == "aries" ? 4 : 3;
  plan.lanes = std::max(least, routing == Routing::kMinimal ? 2 : routing == Routing::kValiant ? detours : detours + 1);
  for (const Link& link : topology.links) {
    const auto& a = topology.switches[link.a.at].place;
    const auto& b = topology.switches[link.b.at].place;
    const bool column = a.size() == 3 && a[1] != b[1];
    const int cls = link.kind == LinkKind::kGlobal ? kGlobal : column ? kOther : kLocal;
    plan.port_class.push_back({static_cast<std::uint8_t>(cls), static_cast<std::uint8_t>(cls)});
  }
  constexpr std::array<int, 4> kRank = {3, 2, 3, 1};  // to an endpoint as to a global link
  plan.tables.push_back(Tabulate(
      plan.lanes, [&](int vl, int in, int out) { return in == kEdge ? 0 : vl + (kRank[in] >= kRank[out] ? 1 : 0); }));
  return plan;
}

/// The dimension in which the ends of a torus link differ.
int DimensionOf(const Topology& topology, const Link& link) {
  const auto& a = topology.switches[link.a.at].place;
  const auto& b = topology.switches[link.b.at].place;
  return static_cast<int>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

bool CrossesDateline(const Topology& topology, const Link& link) {
  const int d = DimensionOf(topology, link);
  const int a = topology.switches[link.a.at].place[d], b = topology.switches[link.b.at].place[d];
  return topology.dimensions[d] > 2 && std::abs(a - b) == topology.dimensions[d] - 1;
}

/// Up to three dimensions: classes are dimensions, bit d of a table's number says that the switch is beside dateline d.
LanePlan PlanTorusByDimension(const Topology& topology) {
  LanePlan plan;
  const auto& size = topology.dimensions;
  plan.lanes = *std::max_element(size.begin(), size.end()) > 3 ? 2 : 1;
  for (const Link& link : topology.links) {
    const auto cls = static_cast<std::uint8_t>(1 + DimensionOf(topology, link));
    plan.port_class.push_back({cls, cls});
  }
  for (int beside = 0; beside < 1 << size.size(); ++beside) {
    plan.tables.push_back(Tabulate(plan.lanes, [&](int vl, int in, int out) {
      if (in == kEdge || in != out) return 0;
      return (beside >> (in - 1) & 1) != 0 ? 1 : vl;
    }));
  }
  for (const Switch& at : topology.switches) {
    int beside = 0;
    for (std::size_t d = 0; d < size.size(); ++d) {
      if (at.place[d] == 0 || at.place[d] == size[d] - 1) beside |= 1 << d;
    }
    plan.table_of.push_back(beside);
  }
  return plan;
}

LanePlan PlanTorusByCount(const Topology& topology) {
  LanePlan plan;
  plan.lanes += static_cast<int>(
      std::count_if(topology.dimensions.begin(), topology.dimensions.end(), [](int size) { return size > 2; }));
  for (const Link& link : topology.links) {
    const std::uint8_t cls = CrossesDateline(topology, link) ? kOther : kLocal;
    plan.port_class.push_back({cls, cls});
  }
  plan.tables.push_back(
      Tabulate(plan.lanes, [](int vl, int in, int out) { return (in == kEdge ? 0 : vl) + (out == kOther ? 1 : 0); }));
  return plan;
}

/// Hops of every switch to the nearest one with endpoints: its level in a tree.
std::vector<int> Levels(const Topology& topology) {
  const Wiring wiring(topology);
  std::vector<int> level(topology.switches.size(), -1), queue;
  for (const Endpoint& endpoint : topology.endpoints) {
    if (level[endpoint.port.at] == 0) continue;
    level[endpoint.port.at] = 0;
    queue.push_back(endpoint.port.at);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const int arc : wiring.Out(queue[i])) {
      if (level[wiring.Head(arc)] >= 0) continue;
      level[wiring.Head(arc)] = level[queue[i]] + 1;
      queue.push_back(wiring.Head(arc));
    }
  }
  return level;
}

LanePlan PlanTree(const Topology& topology, Routing routing, int least) {
  LanePlan plan;
  plan.lanes = std::max(least, routing == Routing::kMinimal ? 1 : 2);
  const std::vector<int> level = Levels(topology);
  for (const Link& link : topology.links) {
    const bool a_below = level[link.a.at] < level[link.b.at];
    plan.port_class.push_back(
        {static_cast<std::uint8_t>(a_below ? kGlobal : kLocal), static_cast<std::uint8_t>(a_below ? kLocal : kGlobal)});
  }
  plan.tables.push_back(Tabulate(plan.lanes, [](int vl, int in, int out) {
    return in == kEdge ? 0 : vl + (in == kGlobal && out == kGlobal ? 1 : 0);
  }));
  return plan;
}

/// Links of the longest path.
int LongestPath(const Topology& topology, Routing routing) {
  const Routes routes(topology);
  PathLengths lengths(routes, routes);
  std::vector<std::vector<int>> next;
  for (int domain = 0; domain < routes.domains(); ++domain) {
    routes.Towards(domain, &next);
    lengths.Add(domain, next);
  }
  if (routing == Routing::kMinimal) return lengths.to_switch();
  return std::max(lengths.to_domain() + lengths.from_anywhere(), 2 * lengths.inside());
}

LanePlan PlanGraph(const Topology& topology, Routing routing, int least) {
  const int lanes = std::max(least, LongestPath(topology, routing));
  if (lanes > kMostLanes) {
    Refuse(topology, routing,
           "paths have up to " + std::to_string(lanes) + " links, and a lane for each does not fit into " +
               std::to_string(kMostLanes));
  }
  return LanesByHops(topology, lanes);
}

/// With at least so many lanes, where more of them are of use.
LanePlan PlanFamily(const Topology& topology, Routing routing, int least) {
  if (topology.family == "dragonfly" || topology.family == "aries") return PlanGroups(topology, routing, least);
  if (routing == Routing::kProgressive)
    Refuse(topology, routing, "only dragonfly and Aries systems have local hops to decide after");
  if (topology.family == "tree") return PlanTree(topology, routing, least);
  if (topology.family != "torus") return PlanGraph(topology, routing, least);
  if (routing == Routing::kValiant) {
    Refuse(topology, routing,
           "VLMAP does not see where the intermediate switch was, so no lane can be raised there; use minimal");
  }
  return topology.dimensions.size() <= 3 ? PlanTorusByDimension(topology) : PlanTorusByCount(topology);
}

}  // namespace

Routing ParseRouting(const std::string& name, const std::vector<std::string>& others) {
  std::vector<std::string> known;
  for (const Routing routing : {Routing::kMinimal, Routing::kValiant, Routing::kProgressive}) {
    if (name == NameOf(routing)) return routing;
    known.emplace_back(NameOf(routing));
  }
  known.insert(known.end(), others.begin(), others.end());
  ThrowUnknown("routing", name, known);
}

const char* NameOf(Routing routing) {
  return routing == Routing::kMinimal ? "minimal" : routing == Routing::kValiant ? "valiant" : "progressive";
}

LanePlan PlanLanes(const Topology& topology, Routing routing) { return PlanLanes(topology, routing, 1); }

LanePlan PlanLanes(const Topology& topology, Routing routing, int lanes) {
  LanePlan plan = PlanFamily(topology, routing, lanes);
  if (plan.table_of.empty()) plan.table_of.assign(topology.switches.size(), 0);
  return plan;
}

LanePlan LanesByKind(const Topology& topology, int lanes,
                     const std::function<int(int lane, LinkKind in, LinkKind out)>& next) {
  if (lanes < 1 || lanes > kMostLanes) {
    throw UsageError("lanes of " + topology.name + ": " + std::to_string(lanes) + " is not between 1 and " +
                     std::to_string(kMostLanes));
  }
  LanePlan plan;
  plan.lanes = lanes;
  for (const Link& link : topology.links) {
    const auto kind = static_cast<std::uint8_t>(link.kind);
    plan.port_class.push_back({kind, kind});
  }
  plan.tables.push_back(Tabulate(lanes, [&](int vl, int in, int out) {
    return next(in == kEdge ? 0 : vl, static_cast<LinkKind>(in), static_cast<LinkKind>(out));
  }));
  plan.table_of.assign(topology.switches.size(), 0);
  return plan;
}

LanePlan LanesByHops(const Topology& topology, int lanes) {
  LanePlan plan;
  plan.lanes = lanes;
  plan.port_class.assign(topology.links.size(), {kLocal, kLocal});
  plan.tables.push_back(Tabulate(lanes, [](int vl, int in, int) { return in == kEdge ? 0 : vl + 1; }));
  plan.table_of.assign(topology.switches.size(), 0);
  return plan;
}

std::vector<int> FirstLanes(const std::vector<ClassLanes>& classes, int available, const std::string& remedy) {
  std::vector<int> first;
  std::string sum;
  int total = 0;
  for (const ClassLanes& cls : classes) {
    first.push_back(total);
    total += cls.lanes;
    sum += (sum.empty() ? "" : " + ") + std::to_string(cls.lanes) + " (" + cls.name + ")";
  }
  if (total > available) {
    throw UsageError("lanes: the classes need " + sum + " = " + std::to_string(total) + ", the profile has " +
                     std::to_string(available) + "; " + remedy);
  }
  return first;
}

LaneTable MoveLanes(const LaneTable& table, const std::vector<int>& lanes) {
  LaneTable moved{};
  for (int index = 0; index < static_cast<int>(moved.size()); ++index) {
    const VlmapIndex at = VlmapIndex::FromBits(static_cast<std::uint64_t>(index));
    const bool edge = at.pclass_in == kEdge;
    const auto own = edge ? lanes.begin() : std::find(lanes.begin(), lanes.end(), at.vl_in);
    const std::size_t from = PlaceOf(static_cast<int>(own - lanes.begin()), at.pclass_in, at.pclass_out);
    moved[index] = static_cast<std::uint8_t>(own == lanes.end() ? at.vl_in : lanes[table[from]]);
  }
  return moved;
}

}  // namespace tilefly::topology
