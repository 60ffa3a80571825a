// SPDX-License-Identifier: Apache-2.0
// The deadlock check of tables as they are written.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/errors.h"
#include "testbenches/topology/graphs.h"
#include "topology/channel_graph.h"

namespace tilefly::topology {
namespace {

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

TEST(PortTables, AreCheckedAsTheyAreWritten) {
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

TEST(PortTables, ThatGoRoundAreFound) {
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

}  // namespace
}  // namespace tilefly::topology
