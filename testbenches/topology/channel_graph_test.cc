// SPDX-License-Identifier: Apache-2.0
// The deadlock check: what is free of deadlock is proved so, what is not is shown with its cycle.
#include "topology/channel_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/errors.h"
#include "testbenches/bench/settings.h"
#include "testbenches/topology/graphs.h"
#include "topology/builder.h"

namespace tilefly::topology {
namespace {

using Turn = std::tuple<int, int, int, int>;  // arc and lane of the held, of the wanted channel

std::set<Turn> TurnsOf(const Topology& topology, const LanePlan& plan, Routing routing) {
  std::set<Turn> turns;
  VisitTurns(topology, Routes(topology), plan, routing, [&](const Channel& held, const Channel& wanted) {
    turns.insert({held.arc, held.lane, wanted.arc, wanted.lane});
  });
  return turns;
}

DeadlockCheck Check(const Topology& topology, Routing routing) {
  return CheckDeadlock(topology, routing, PlanLanes(topology, routing));
}

/// Each channel's wish for the next is a turn that the routing permits, and the last wants the first.
void ExpectRealCycle(const Topology& topology, const LanePlan& plan, const DeadlockCheck& check) {
  ASSERT_FALSE(check.cycle.empty());
  const std::set<Turn> turns = TurnsOf(topology, plan, ParseRouting(check.routing));
  for (std::size_t i = 0; i < check.cycle.size(); ++i) {
    const Channel& held = check.cycle[i];
    const Channel& wanted = check.cycle[(i + 1) % check.cycle.size()];
    EXPECT_EQ(turns.count({held.arc, held.lane, wanted.arc, wanted.lane}), 1u) << "step " << i;
  }
}

/// All turns of all pairs, path by path, hop by hop: the slow way.
class EveryPath {
 public:
  EveryPath(const Topology& topology, const LanePlan& plan) : routes_(topology), plan_(plan), next_(routes_.domains()) {
    for (int domain = 0; domain < routes_.domains(); ++domain) routes_.Towards(domain, &next_[domain]);
  }

  std::set<Turn> Follow(Routing routing) {
    for (int from = 0; from < routes_.wiring().switches(); ++from) {
      for (int to = 0; to < routes_.wiring().switches(); ++to) {
        if (from == to || !routes_.HasEndpoints(from) || !routes_.HasEndpoints(to)) continue;
        End(from, to, -1, 0);
        if (routing == Routing::kMinimal) continue;
        if (routes_.DomainOf(from) == routes_.DomainOf(to)) {
          DetourInside(from, to);
          continue;
        }
        Detour(from, to, from, -1, 0);
        if (routing == Routing::kProgressive) Redecide(from, to);
      }
    }
    return turns_;
  }

 private:
  template <typename Then>
  void Step(int at, const std::vector<int>& arcs, int held, int lane, const Then& then) {
    for (const int arc : arcs) {
      const int vl = plan_.Next(at, lane, held < 0 ? 0 : InClass(plan_, held), OutClass(plan_, arc));
      if (held >= 0) turns_.insert({held, lane, arc, vl});
      then(routes_.wiring().Head(arc), arc, vl);
    }
  }

  std::vector<int> Minimal(int at, int to) const {
    std::vector<int> arcs = next_[routes_.DomainOf(to)][at];
    if (routes_.DomainOf(at) == routes_.DomainOf(to) && at != to) routes_.Inside(at, to, &arcs);
    return arcs;
  }

  void End(int at, int to, int held, int lane) {
    if (at == to) return;
    Step(at, Minimal(at, to), held, lane, [&](int head, int arc, int vl) { End(head, to, arc, vl); });
  }

  void Through(int at, int via, int to, int held, int lane) {
    if (routes_.DomainOf(at) == via) return End(at, to, held, lane);
    Step(at, next_[via][at], held, lane, [&](int head, int arc, int vl) { Through(head, via, to, arc, vl); });
  }

  void Detour(int from, int to, int at, int held, int lane) {
    for (int via = 0; via < routes_.domains(); ++via) {
      if (via == routes_.DomainOf(from) || via == routes_.DomainOf(to)) continue;
      if (routes_.HasEndpoints(routes_.Members(via).front())) Through(at, via, to, held, lane);
    }
  }

  /// To a switch of the own group, then on to another.
  void DetourInside(int from, int to) {
    for (const int via : routes_.Members(routes_.DomainOf(from))) {
      if (via != from && via != to && routes_.HasEndpoints(via)) By(from, via, to, -1, 0);
    }
  }

  void By(int at, int via, int to, int held, int lane) {
    if (at == via) return End(at, to, held, lane);
    Step(at, Minimal(at, via), held, lane, [&](int head, int arc, int vl) { By(head, via, to, arc, vl); });
  }

  /// After a first hop in the own group, on the way to the destination or to any other group.
  void Redecide(int from, int to) {
    for (int first = 0; first < routes_.domains(); ++first) {
      if (first == routes_.DomainOf(from) || !routes_.HasEndpoints(routes_.Members(first).front())) continue;
      Step(from, next_[first][from], -1, 0, [&](int head, int arc, int vl) {
        if (routes_.DomainOf(head) != routes_.DomainOf(from)) return;
        Detour(from, to, head, arc, vl);
        End(head, to, arc, vl);
      });
    }
  }

  const Routes routes_;
  const LanePlan& plan_;
  std::vector<std::vector<std::vector<int>>> next_;
  std::set<Turn> turns_;
};

TEST(Turns, AreThoseOfEveryPath) {
  const std::vector<std::pair<Topology, Routing>> systems{{MakeDragonfly(1, 4, 2, Relative), Routing::kMinimal},
                                                          {MakeDragonfly(1, 3, 2, Relative), Routing::kValiant},
                                                          {MakeAries(3, 4, 3, 5), Routing::kMinimal},
                                                          {MakeTorus({4, 5}), Routing::kMinimal},
                                                          {MakeTorus({4, 4, 3}, 1, 2), Routing::kMinimal},
                                                          {MakeTree(3, 3), Routing::kMinimal},
                                                          {MakeRandomGraph(12, 60, 3), Routing::kMinimal}};
  for (const auto& [topology, routing] : systems) {
    const LanePlan plan = PlanLanes(topology, routing);
    std::set<Turn> turns = TurnsOf(topology, plan, routing);
    const std::set<Turn> real = EveryPath(topology, plan).Follow(routing);
    for (auto it = turns.begin(); it != turns.end();) {  // through a switch of the own group and back: no packet's way
      const bool back = std::get<2>(*it) == (std::get<0>(*it) ^ 1);
      it = back && routing != Routing::kMinimal && real.count(*it) == 0 ? turns.erase(it) : std::next(it);
    }
    EXPECT_FALSE(turns.empty()) << topology.name;
    EXPECT_EQ(turns, real) << topology.name << " " << NameOf(routing);
  }
}

TEST(Turns, NoneIsLeftOut) {  // a few that no single packet makes may be there
  const std::vector<std::pair<Topology, Routing>> systems{{MakeDragonfly(1, 3, 2, Absolute), Routing::kProgressive},
                                                          {MakeAries(2, 3, 4, 3), Routing::kValiant},
                                                          {MakeAries(2, 3, 4, 3), Routing::kProgressive},
                                                          {MakeTree(2, 3), Routing::kValiant},
                                                          {MakeRandomGraph(12, 60, 3), Routing::kValiant}};
  for (const auto& [topology, routing] : systems) {
    const LanePlan plan = PlanLanes(topology, routing);
    const std::set<Turn> turns = TurnsOf(topology, plan, routing);
    const std::set<Turn> real = EveryPath(topology, plan).Follow(routing);
    EXPECT_TRUE(std::includes(turns.begin(), turns.end(), real.begin(), real.end())) << topology.name;
    EXPECT_FALSE(real.empty());
  }
}

TEST(Deadlock, StandardLanesAreFreeOfIt) {
  const std::vector<std::tuple<Topology, Routing, int>> systems{
      {MakeDragonfly(1, 4, 2, Absolute), Routing::kMinimal, 2},
      {MakeDragonfly(1, 4, 2, Relative), Routing::kValiant, 3},
      {MakeDragonfly(1, 4, 2, Circulant), Routing::kProgressive, 4},
      {MakeDragonfly(4, 8, 4, Relative), Routing::kValiant, 3},
      {MakeAries(4, 6, 3, 7), Routing::kMinimal, 2},
      {MakeAries(4, 6, 3, 7), Routing::kValiant, 4},
      {MakeAries(4, 6, 3, 7), Routing::kProgressive, 5},
      {MakeTorus({8}), Routing::kMinimal, 2},
      {MakeTorus({8, 8}), Routing::kMinimal, 2},
      {MakeTorus({4, 5, 6}), Routing::kMinimal, 2},
      {MakeTorus({8, 4, 2}, 1, 3), Routing::kMinimal, 2},
      {MakeTorus({3, 3}), Routing::kMinimal, 1},
      {MakeTorus({4, 3, 4, 3}), Routing::kMinimal, 5},
      {MakeTorus({2, 4, 2, 5}), Routing::kMinimal, 3},
      {MakeTree(4, 3), Routing::kMinimal, 1},
      {MakeTree(3, 4), Routing::kValiant, 2},
      {MakeRandomGraph(20, 30, 7), Routing::kMinimal, 3},
      {MakeRandomGraph(20, 30, 7), Routing::kValiant, 6}};
  for (const auto& [topology, routing, lanes] : systems) {
    const DeadlockCheck check = Check(topology, routing);
    EXPECT_TRUE(check.full);
    EXPECT_TRUE(check.deadlock_free) << ToText(topology, check);
    EXPECT_EQ(check.lanes, lanes) << topology.name << " " << NameOf(routing);
    EXPECT_GT(check.turns, 0);
  }
}

/// A lane less than the plan has, everywhere: the last two become one.
LanePlan WithoutLastLane(LanePlan plan) {
  --plan.lanes;
  for (LaneTable& table : plan.tables) {
    for (std::uint8_t& lane : table) lane = std::min<std::uint8_t>(lane, plan.lanes - 1);
  }
  return plan;
}

TEST(Deadlock, NoPlanHasALaneTooMany) {
  const std::vector<std::pair<Topology, Routing>> systems{{MakeDragonfly(1, 4, 2, Relative), Routing::kMinimal},
                                                          {MakeDragonfly(1, 4, 2, Relative), Routing::kValiant},
                                                          {MakeDragonfly(1, 4, 2, Relative), Routing::kProgressive},
                                                          {MakeAries(3, 4, 3, 5), Routing::kMinimal},
                                                          {MakeAries(3, 4, 3, 5), Routing::kValiant},
                                                          {MakeTorus({8}), Routing::kMinimal},
                                                          {MakeTorus({4, 5, 6}), Routing::kMinimal},
                                                          {MakeTree(3, 3), Routing::kValiant}};
  for (const auto& [topology, routing] : systems) {
    const LanePlan plan = WithoutLastLane(PlanLanes(topology, routing));
    const DeadlockCheck check = CheckDeadlock(topology, routing, plan);
    EXPECT_FALSE(check.deadlock_free) << topology.name << " " << NameOf(routing);
    ExpectRealCycle(topology, plan, check);
  }
}

TEST(Deadlock, APlantedMapIsShownWithItsCycle) {
  const Topology topology = MakeDragonfly(2, 4, 2, Relative);
  LanePlan plan = PlanLanes(topology, Routing::kValiant);
  for (LaneTable& table : plan.tables) {
    for (int index = 0; index < 256; ++index) {
      if ((index >> 2 & 3) != 0) table[index] = static_cast<std::uint8_t>(std::min(index >> 4, plan.lanes - 1));
    }
  }
  const DeadlockCheck check = CheckDeadlock(topology, Routing::kValiant, plan);
  EXPECT_FALSE(check.deadlock_free);
  ExpectRealCycle(topology, plan, check);
  const std::string text = ToText(topology, check);
  EXPECT_NE(text.find("DEADLOCK possible"), std::string::npos);
  const Channel& first = check.cycle.front();
  const Link& link = topology.links[first.arc / 2];
  const Port& tail = (first.arc & 1) == 0 ? link.a : link.b;
  const Port& head = (first.arc & 1) == 0 ? link.b : link.a;
  EXPECT_NE(text.find("switch " + std::to_string(tail.at) + " port " + std::to_string(tail.port) + " -> switch " +
                      std::to_string(head.at) + " port " + std::to_string(head.port) + ", lane 0"),
            std::string::npos)
      << text;
  EXPECT_EQ(ToJson(topology, check)["cycle"].size(), check.cycle.size());
}

TEST(Deadlock, KindsOfTurnsProveWhatIsTooLargeForTheGraph) {
  for (const Routing routing : {Routing::kMinimal, Routing::kValiant, Routing::kProgressive}) {
    for (const Topology& topology : {MakeDragonfly(1, 4, 2, Relative), MakeAries(3, 4, 3, 5)}) {
      const LanePlan plan = PlanLanes(topology, routing);
      const DeadlockCheck check = CheckDeadlock(topology, routing, plan, 0);
      EXPECT_FALSE(check.full);
      EXPECT_TRUE(check.deadlock_free) << ToText(topology, check);
      const LanePlan bad = WithoutLastLane(plan);
      const DeadlockCheck doubt = CheckDeadlock(topology, routing, bad, 0);
      EXPECT_FALSE(doubt.deadlock_free);
      EXPECT_NE(ToText(topology, doubt).find("nothing proved"), std::string::npos);
      EXPECT_FALSE(doubt.kinds.empty());
    }
  }
  const Topology topology = MakeDragonfly(1, 4, 2, Relative);
  EXPECT_NE(ToText(topology, CheckDeadlock(topology, Routing::kMinimal, PlanLanes(topology, Routing::kMinimal), 0))
                .find("local lane 0 < global lane 0 < local lane 1"),
            std::string::npos);
}

TEST(Deadlock, ATorusNeedsTheWholeGraph) {
  const Topology topology = MakeTorus({4, 4});
  const DeadlockCheck check = CheckDeadlock(topology, Routing::kMinimal, PlanLanes(topology, Routing::kMinimal), 0);
  EXPECT_FALSE(check.deadlock_free) << "straight turns stay in their lane: kinds alone prove nothing";
}

/// The largest preset takes seconds: with minimal routing from the tier ci on, with the others in full.
bool IsDue(const Topology& topology, Routing routing) {
  if (topology.switches.size() <= 1000) return true;
  const bench::Tier tier = bench::TierFromEnvironment();
  return tier == bench::Tier::kFull || (tier == bench::Tier::kCi && routing == Routing::kMinimal);
}

TEST(Deadlock, EveryPresetIsFreeOfIt) {
  int proved = 0;
  for (const Preset& preset : Presets()) {
    if (preset.name == "slingshot-max" && bench::TierFromEnvironment() == bench::Tier::kQuick) continue;
    const Topology topology = Build("preset:" + preset.name);
    const bool grouped = topology.family == "dragonfly" || topology.family == "aries";
    for (const Routing routing : {Routing::kMinimal, Routing::kValiant, Routing::kProgressive}) {
      if (!IsDue(topology, routing) || (routing == Routing::kProgressive && !grouped)) continue;
      if (routing == Routing::kValiant && topology.family == "torus") continue;
      const DeadlockCheck check = Check(topology, routing);
      EXPECT_TRUE(check.deadlock_free) << preset.name << ": " << ToText(topology, check);
      EXPECT_EQ(check.full, topology.switches.size() <= 1000) << preset.name;
      ++proved;
    }
  }
  EXPECT_GE(proved, 15);
}

std::uint64_t PortsOf(const Routes& routes, const std::vector<int>& arcs) {
  std::uint64_t mask = 0;
  for (const int arc : arcs) mask |= std::uint64_t{1} << routes.wiring().TailPort(arc);
  return mask;
}

/// Tables with all ports of minimal routing, or the lowest of them alone.
PortTables TablesOf(const Topology& topology, const Routes& routes, bool all) {
  const auto take = [all](std::uint64_t mask) { return all ? mask : mask & -mask; };
  std::vector<std::vector<std::uint64_t>> of_group, of_switch(topology.switches.size(), std::vector<std::uint64_t>(32));
  std::vector<std::vector<int>> next;
  for (int domain = 0; domain < routes.domains(); ++domain) {
    routes.Towards(domain, &next);
    of_group.emplace_back();
    for (const auto& arcs : next) of_group.back().push_back(take(PortsOf(routes, arcs)));
    for (const int from : routes.Members(domain)) {
      for (const int to : routes.Members(domain)) {
        std::vector<int> arcs;
        if (from != to) routes.Inside(from, to, &arcs);
        of_switch[from][topology.switches[to].index] = take(PortsOf(routes, arcs));
      }
    }
  }
  return {[of_group](int at, int group) { return of_group[group][at]; },
          [of_switch](int at, int index) { return of_switch[at][index]; }};
}

TEST(Deadlock, TablesAreCheckedAsTheyAreWritten) {
  for (const Topology& topology :
       {MakeDragonfly(1, 4, 2, Relative), MakeAries(3, 4, 3, 5), MakeTorus({5, 4}), MakeTree(3, 3)}) {
    const Routes routes(topology);
    for (const Routing routing : {Routing::kMinimal, Routing::kValiant, Routing::kProgressive}) {
      const bool grouped = topology.family == "dragonfly" || topology.family == "aries";
      if (routing != Routing::kMinimal && !grouped) continue;
      const LanePlan plan = PlanLanes(topology, routing);
      const DeadlockCheck all = CheckTables(topology, routing, plan, TablesOf(topology, routes, true));
      const DeadlockCheck one = CheckTables(topology, routing, plan, TablesOf(topology, routes, false));
      EXPECT_TRUE(one.full);
      EXPECT_TRUE(one.deadlock_free) << ToText(topology, one);
      EXPECT_TRUE(all.deadlock_free);
      EXPECT_GT(one.turns, 0);
      EXPECT_LE(one.turns, all.turns);
      EXPECT_EQ(all.turns, CheckDeadlock(topology, routing, plan).turns);
    }
  }
}

TEST(Deadlock, TablesThatGoRoundAreFound) {
  const Topology topology = MakeTorus({4});
  const Routes routes(topology);
  const LanePlan plan = PlanLanes(topology, Routing::kMinimal);
  const PortTables good = TablesOf(topology, routes, false);
  EXPECT_TRUE(CheckTables(topology, Routing::kMinimal, plan, good).deadlock_free);
  // To switch 0 everything goes up, but switch 3 sends it back: it never arrives.
  PortTables bad = good;
  bad.of_group = [&](int at, int group) {
    return group == 0 ? good.of_group(at, at == 3 ? 2 : at + 1) : good.of_group(at, group);
  };
  EXPECT_FALSE(CheckTables(topology, Routing::kMinimal, plan, bad).deadlock_free);
  bad.of_group = [](int, int) { return std::uint64_t{1} << 60; };
  EXPECT_THROW(CheckTables(topology, Routing::kMinimal, plan, bad), UsageError) << "a port without a link";
  bad.of_group = [](int, int) { return std::uint64_t{0}; };
  EXPECT_THROW(CheckTables(topology, Routing::kMinimal, plan, bad), UsageError) << "no port";
}

TEST(Lanes, RefusesWhatVlmapCannotSay) {
  EXPECT_THROW(PlanLanes(MakeTorus({4, 4}), Routing::kValiant), UsageError);
  EXPECT_THROW(PlanLanes(MakeTree(2, 2), Routing::kProgressive), UsageError);
  EXPECT_THROW(ParseRouting("minimum"), UsageError);
  EXPECT_EQ(ParseRouting("valiant"), Routing::kValiant);
  const Topology topology = MakeDragonfly(1, 4, 2, Relative);
  LanePlan plan = PlanLanes(topology, Routing::kValiant);
  plan.lanes = 2;
  EXPECT_THROW(CheckDeadlock(topology, Routing::kValiant, plan), UsageError) << "tables lead beyond the lanes";
}

TEST(Lanes, ClassesThatDoNotFitAreRefusedWithTheSum) {
  const std::vector<ClassLanes> fit{{"LL", 3}, {"BD", 3},           {"BE", 3},
                                    {"ET", 3}, {"reduction up", 2}, {"reduction down", 2}};
  EXPECT_EQ(FirstLanes(fit, 16), (std::vector<int>{0, 3, 6, 9, 12, 14}));
  std::vector<ClassLanes> many = fit;
  many.push_back({"ET2", 2});
  try {
    FirstLanes(many, 16);
    FAIL() << "18 lanes fit into 16";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("3 (LL) + 3 (BD) + 3 (BE) + 3 (ET) + 2 (reduction up) + 2 (reduction down) + 2 "
                        "(ET2) = 18, the profile has 16"),
              std::string::npos)
        << error.what();
  }
}

TEST(Lanes, MovedTablesKeepTheirRule) {
  const LaneTable table = PlanLanes(MakeDragonfly(1, 4, 2, Relative), Routing::kValiant).tables.front();
  const LaneTable moved = MoveLanes(table, {6, 7, 12});
  for (int out = 1; out <= 2; ++out) {
    for (int vl = 0; vl < 16; ++vl) EXPECT_EQ(moved[vl << 4 | 0 << 2 | out], 6) << "from an edge port";
    EXPECT_EQ(moved[6 << 4 | 2 << 2 | out], 7) << "after a global link";
    EXPECT_EQ(moved[7 << 4 | 2 << 2 | out], 12);
    EXPECT_EQ(moved[7 << 4 | 1 << 2 | out], out == 1 ? 12 : 7) << "after a local link";
    EXPECT_EQ(moved[2 << 4 | 2 << 2 | out], 2) << "a lane of another class";
  }
}

}  // namespace
}  // namespace tilefly::topology
