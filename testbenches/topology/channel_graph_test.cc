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

#include "testbenches/bench/settings.h"
#include "testbenches/topology/graphs.h"
#include "testbenches/topology/turns.h"
#include "topology/builder.h"

namespace tilefly::topology {
namespace {

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
      const VlmapIndex at = VlmapIndex::FromBits(static_cast<std::uint64_t>(index));
      if (at.pclass_in != 0) table[index] = static_cast<std::uint8_t>(std::min<int>(at.vl_in, plan.lanes - 1));
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

}  // namespace
}  // namespace tilefly::topology
