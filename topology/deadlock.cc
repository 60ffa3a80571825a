// SPDX-License-Identifier: Apache-2.0
// The deadlock check: full, or by the kinds of turns.
#include <fmt/format.h>

#include <array>
#include <bitset>
#include <functional>
#include <nlohmann/json.hpp>

#include "topology/channel_graph.h"

namespace tilefly::topology {
namespace {

constexpr int kCodes = 256;  // classes of both ports, lane

int KindOf(const LanePlan& plan, const Channel& channel) {
  return OutClass(plan, channel.arc) << 6 | InClass(plan, channel.arc) << 4 | channel.lane;
}

ChannelKind Unpack(int kind) { return {kind >> 6, kind >> 4 & 3, kind & 15}; }

/// Which kinds of channels packets hold while they want which.
using KindTurns = std::array<std::bitset<kCodes>, kCodes>;

/// Orders the kinds that turn so that each turn leads upwards; `check` becomes a proof, or gets a cycle of kinds.
void OrderKinds(const KindTurns& turns, DeadlockCheck* check) {
  std::bitset<kCodes> left;
  for (int kind = 0; kind < kCodes; ++kind) {
    if (turns[kind].any()) left |= turns[kind], left.set(kind);
  }
  std::vector<int> from_top;
  for (bool found = true; found && left.any();) {
    found = false;
    for (int kind = 0; kind < kCodes; ++kind) {
      if (!left[kind] || (turns[kind] & left).any()) continue;
      left.reset(kind);
      from_top.push_back(kind);
      found = true;
    }
  }
  check->deadlock_free = left.none();
  if (left.none()) {
    for (auto it = from_top.rbegin(); it != from_top.rend(); ++it) check->kinds.push_back(Unpack(*it));
    return;
  }
  // Each kind that is left turns to one that is left: after kCodes such steps the walk is on a cycle.
  const auto step = [&](int kind) { return static_cast<int>((turns[kind] & left)._Find_first()); };
  int kind = static_cast<int>(left._Find_first());
  for (int i = 0; i < kCodes; ++i) kind = step(kind);
  const int start = kind;
  do {
    check->kinds.push_back(Unpack(kind));
    kind = step(kind);
  } while (kind != start);
}

/// `visit` is called once, with what takes each turn.
DeadlockCheck Judge(const Wiring& wiring, const LanePlan& plan, std::int64_t full_limit,
                    const std::function<void(const TurnVisitor&)>& visit) {
  DeadlockCheck check;
  check.lanes = plan.lanes;
  check.channels = static_cast<std::int64_t>(wiring.arcs()) * plan.lanes;
  check.full = check.channels <= full_limit;
  if (check.full) {
    ChannelGraph graph(wiring, plan.lanes);
    visit([&](const Channel& held, const Channel& wanted) { graph.Add(held, wanted); });
    check.turns = graph.turns();
    check.cycle = graph.FindCycle();
    check.deadlock_free = check.cycle.empty();
  } else {
    KindTurns turns;
    visit([&](const Channel& held, const Channel& wanted) { turns[KindOf(plan, held)].set(KindOf(plan, wanted)); });
    OrderKinds(turns, &check);
  }
  return check;
}

const char* ClassName(int cls) {
  constexpr std::array<const char*, 4> kNames{"edge", "local", "global", "other"};
  return kNames[cls];
}

std::string KindText(const ChannelKind& kind) {
  const std::string classes = kind.out_class == kind.in_class
                                  ? ClassName(kind.out_class)
                                  : fmt::format("{}-{}", ClassName(kind.out_class), ClassName(kind.in_class));
  return fmt::format("{} lane {}", classes, kind.lane);
}

std::string KindsText(const DeadlockCheck& check, const char* between) {
  std::string text;
  for (const ChannelKind& kind : check.kinds) text += (text.empty() ? "" : between) + KindText(kind);
  return text;
}

std::string ChannelText(const Topology& topology, const Channel& channel) {
  const Link& link = topology.links[channel.arc / 2];
  const Port& tail = (channel.arc & 1) == 0 ? link.a : link.b;
  const Port& head = (channel.arc & 1) == 0 ? link.b : link.a;
  return fmt::format("switch {} port {} -> switch {} port {}, lane {}, {}", tail.at, tail.port, head.at, head.port,
                     channel.lane, NameOf(link.kind));
}

}  // namespace

DeadlockCheck CheckDeadlock(const Topology& topology, Routing routing, const LanePlan& plan, std::int64_t full_limit) {
  const Routes routes(topology);
  DeadlockCheck check = Judge(routes.wiring(), plan, full_limit, [&](const TurnVisitor& visitor) {
    VisitTurns(topology, routes, plan, routing, visitor);
  });
  check.routing = NameOf(routing);
  return check;
}

DeadlockCheck CheckTables(const Topology& topology, Routing routing, const LanePlan& plan, const PortTables& tables,
                          std::int64_t full_limit, NoWay no_way) {
  const Routes routes(topology);
  const TableHops hops(topology, routes.wiring(), tables);
  DeadlockCheck check = Judge(routes.wiring(), plan, full_limit, [&](const TurnVisitor& visitor) {
    VisitTurns(topology, routes, hops, plan, routing, visitor, no_way);
  });
  check.routing = NameOf(routing);
  return check;
}

std::string ToText(const Topology& topology, const DeadlockCheck& check) {
  std::string text = fmt::format("routing {}, {} lane{}: ", check.routing, check.lanes, check.lanes == 1 ? "" : "s");
  if (!check.full && check.deadlock_free) {
    return text +
           fmt::format("deadlock-free: the rank rises on every permitted kind of turn ({})\n", KindsText(check, " < "));
  }
  if (!check.full) {
    return text + fmt::format(
                      "nothing proved: too large for the full graph ({} channels), and kinds of turns lead in a "
                      "circle: {}\n",
                      check.channels, KindsText(check, " -> "));
  }
  if (check.deadlock_free) {
    return text + fmt::format("deadlock-free: no cycle among {} turns of {} channels\n", check.turns, check.channels);
  }
  text += fmt::format("DEADLOCK possible, {} channels wait for each other in a cycle:\n", check.cycle.size());
  for (const Channel& channel : check.cycle) text += "  " + ChannelText(topology, channel) + "\n";
  return text;
}

nlohmann::ordered_json ToJson(const Topology& topology, const DeadlockCheck& check) {
  nlohmann::ordered_json json{{"routing", check.routing},
                              {"lanes", check.lanes},
                              {"deadlock_free", check.deadlock_free},
                              {"method", check.full ? "channel graph" : "kinds of turns"},
                              {"channels", check.channels}};
  if (check.full) json["turns"] = check.turns;
  json["cycle"] = nlohmann::ordered_json::array();
  for (const Channel& channel : check.cycle) json["cycle"].push_back(ChannelText(topology, channel));
  json["kinds"] = nlohmann::ordered_json::array();
  for (const ChannelKind& kind : check.kinds) json["kinds"].push_back(KindText(kind));
  return json;
}

}  // namespace tilefly::topology
