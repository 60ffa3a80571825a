// SPDX-License-Identifier: Apache-2.0
// Tables and lanes as the switches of a system hold them: free of deadlock, and refused where they cannot be so.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "golden/routing/route_names.h"
#include "network/network.h"
#include "support/errors.h"
#include "testbenches/bench/settings.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/systems.h"
#include "topology/builder.h"
#include "topology/channel_graph.h"

namespace tilefly::network {
namespace {

NetworkOptions Unloaded(const std::string& routing) {
  NetworkOptions options;
  options.routing = RoutingOptions::Named(routing);
  options.traffic.load = 0;
  return options;
}

/// The lanes of class `tc`, counted from 0, as the switches' registers have them.
topology::LanePlan WrittenPlan(Network* network, int tc) {
  const topology::Topology& topology = network->topology();
  const std::vector<int>& lanes = network->lanes().of_class(tc);
  topology::LanePlan plan;
  plan.lanes = static_cast<int>(lanes.size());
  for (const topology::Link& link : topology.links) {
    const auto class_of = [&](const topology::Port& end) {
      return network->node(end.at).registers()->port(end.port).mode.pclass;
    };
    plan.port_class.push_back({class_of(link.a), class_of(link.b)});
  }
  std::map<topology::LaneTable, int> seen;
  for (int node = 0; node < network->nodes(); ++node) {
    const golden::Tables& tables = network->node(node).registers()->tables();
    topology::LaneTable own{};
    for (int index = 0; index < 256; ++index) {
      const VlmapIndex at = VlmapIndex::FromBits(static_cast<std::uint64_t>(index));
      if (at.vl_in >= plan.lanes) continue;
      const auto found =
          std::find(lanes.begin(), lanes.end(), tables.Vl(tc, lanes[at.vl_in], at.pclass_in, at.pclass_out));
      own[index] = static_cast<std::uint8_t>(found - lanes.begin());
    }
    const auto [it, is_new] = seen.emplace(own, static_cast<int>(plan.tables.size()));
    if (is_new) plan.tables.push_back(own);
    plan.table_of.push_back(it->second);
  }
  return plan;
}

topology::DeadlockCheck CheckWritten(const topology::Topology& topology, const NetworkOptions& options, int tc = 0) {
  Network network(topology, options);
  const auto towards = [&](int at, int group, int number) {
    return network.node(at).registers()->routes().Towards({group, number});
  };
  const topology::PortTables tables = {
      [&](int at, int group) { return towards(at, group, 0); },
      [&](int at, int index) { return towards(at, topology.switches[at].group, index); }};
  return topology::CheckTables(topology, network.routes().paths(), WrittenPlan(&network, tc), tables);
}

void ExpectFreeOfDeadlock(const topology::Topology& topology, const NetworkOptions& options, int tc = 0) {
  const topology::DeadlockCheck check = CheckWritten(topology, options, tc);
  EXPECT_TRUE(check.deadlock_free) << options.routing.name << ": " << topology::ToText(topology, check);
  EXPECT_EQ(check.full, topology.switches.size() <= 1000);
}

bool IsTorus(const topology::Topology& topology) { return topology.family == "torus"; }

TEST(WrittenTables, OfEveryPresetAreFreeOfDeadlockInEveryMode) {
  for (const topology::Preset& preset : topology::Presets()) {
    const topology::Topology topology = topology::Build("preset:" + preset.name);
    if (topology.switches.size() > 1000 && bench::TierFromEnvironment() != bench::Tier::kFull) continue;
    for (const char* mode : {"min", "valiant", "adaptive_1"}) {
      if (mode == std::string("valiant") && IsTorus(topology)) continue;
      SCOPED_TRACE(preset.name);
      ExpectFreeOfDeadlock(topology, Unloaded(mode));
    }
  }
}

TEST(WrittenTables, OfEveryFamilyAreFreeOfDeadlockInEveryMode) {
  for (const char* system :
       {"dragonfly:p=2,a=4,h=2,arrangement=circulant", "dragonfly:p=2,a=4,h=4,g=5,links=3",
        "aries:p=1,chassis=3,blades=4,h=2,g=4", "tree:k=3,n=3", "tree:k=2,n=4", "fattree:leaves=3,hosts=2,uplinks=2",
        "fattree", "torus:size=5x4", "torus:size=4x4x4,trunk=2", "torus:size=4x3x4x3", "torus:size=2x8"}) {
    const topology::Topology topology = topology::Build(system);
    for (const golden::RouteName& mode : golden::kRouteNames) {
      SCOPED_TRACE(system);
      NetworkOptions options = Unloaded(mode.name);
      options.traffic.classes = {{2, 1, 512}, {5, 1, 512}};
      if (IsTorus(topology) && mode.mode == RouteMode::kNminHash) {
        EXPECT_THROW(Network(topology, options), UsageError);
        continue;
      }
      ExpectFreeOfDeadlock(topology, options, 2);
      ExpectFreeOfDeadlock(topology, options, 5);
    }
  }
  ExpectFreeOfDeadlock(RingOf(7), Unloaded("adaptive_0"));
}

TEST(WrittenTables, WithLanesThatDoNotRiseAreFoundOut) {
  for (const char* system : {"dragonfly:p=2,a=4,h=2", "torus:size=5x4"}) {
    const topology::Topology topology = topology::Build(system);
    NetworkOptions options = Unloaded("min");
    options.plan = OneLane(topology);
    EXPECT_FALSE(CheckWritten(topology, options).deadlock_free) << system;
  }
}

/// Which ports lead where is also said by a walk through the links.
TEST(WrittenTables, HaveAllMinimalPortsAndNoOthers) {
  const topology::Topology topology = topology::Build("tree:k=3,n=3");
  Network network(topology, Unloaded("min"));
  EXPECT_EQ(network.routes().ToGroup(0, 1), 0b111000u) << "any way up";
  EXPECT_EQ(network.routes().ToGroup(9, 2), 0b000100u) << "down to the only one";
  EXPECT_EQ(network.routes().ToGroup(0, 9), 0u) << "nothing is sent to a switch without endpoints";
  const topology::Topology parallel = topology::Build("dragonfly:p=2,a=2,h=4,g=3,links=4");
  Network dragonfly(parallel, Unloaded("min"));
  int parallel_ports = 0;
  for (int node = 0; node < dragonfly.nodes(); ++node) {
    for (int group = 0; group < 3; ++group) {
      if (parallel.switches[node].group == group) continue;
      const golden::PortMask mask = dragonfly.routes().ToGroup(node, group);
      golden::ForEachBit(mask, [&](int port) {
        const FarEnd& far = dragonfly.wiring().far(node, port);
        EXPECT_EQ(parallel.switches[far.node].group, group);
      });
      parallel_ports += __builtin_popcountll(mask);
    }
  }
  EXPECT_EQ(parallel_ports, 3 * 2 * 4) << "each global link is in the mask of its own switch";
}

TEST(Lanes, AreRefusedWithTheSumWhenThereAreNotEnough) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = Unloaded("adaptive_0");
  for (int tc = 0; tc < 6; ++tc) options.traffic.classes.push_back({tc, 1, 512});
  EXPECT_NE(Refusal(topology, options)
                .find("3 (class 0) + 3 (class 1) + 3 (class 2) + 3 (class 3) + 3 (class 4) + 3 (class 5) = 18, "
                      "the profile has 16; take fewer classes"),
            std::string::npos)
      << Refusal(topology, options);
  options.traffic.classes.pop_back();
  EXPECT_EQ(Refusal(topology, options), "accepted");
}

TEST(Lanes, OfAFileThatAreTooFewAreRefusedByClass) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = Unloaded("min");
  for (int tc = 0; tc < golden::kMaxClasses; ++tc)
    options.lanes[tc] = {"plan.yaml: class C" + std::to_string(tc % 6), {tc % 6, 10 + tc % 6}};
  EXPECT_EQ(Refusal(topology, options), "accepted");
  options.routing = RoutingOptions::Named("valiant");
  const std::string text = Refusal(topology, options);
  EXPECT_NE(text.find("plan.yaml: class C0 has 2 lanes"), std::string::npos) << text;
  EXPECT_NE(text.find("6 classes need 6 * 3 = 18 of the 16 lanes"), std::string::npos) << text;
  EXPECT_NE(text.find("take fewer classes, at most 5, or --routing min, which takes 2 lanes a class"),
            std::string::npos)
      << text;
}

TEST(Lanes, OfAFileThatAreTooFewAreRefusedWithARemedyThatHelps) {
  const topology::Topology torus = topology::Build("torus:size=4x4");
  NetworkOptions options = Unloaded("min");
  const auto give = [&](int classes) {
    for (int tc = 0; tc < golden::kMaxClasses; ++tc)
      options.lanes[tc] = {"plan.yaml: class C" + std::to_string(tc % classes), {tc % classes}};
    return Refusal(torus, options);
  };
  const std::string few = give(7);
  EXPECT_NE(few.find("leave lanes out of the file: then 7 * 2 = 14 of the 16 lanes"), std::string::npos) << few;
  EXPECT_EQ(few.find("--routing min"), std::string::npos) << "which it is: " << few;
  const topology::Topology graph = topology::Build("aries:p=1,chassis=3,blades=4,h=2,g=4");
  options.routing = RoutingOptions::Named("adaptive_1");
  for (int tc = 0; tc < golden::kMaxClasses; ++tc)
    options.lanes[tc] = {"plan.yaml: class C" + std::to_string(tc), {tc}};
  const std::string many = Refusal(graph, options);
  EXPECT_NE(many.find("8 classes need 8 * 5 = 40 of the 16 lanes: take fewer classes, at most 3, or --routing min"),
            std::string::npos)
      << many;
}

TEST(Lanes, OfAFileAreTakenInTheirOrder) {
  NetworkOptions options = Unloaded("valiant");
  for (LaneClass& one : options.lanes) one = {"plan.yaml: class A", {9, 2, 14, 3}};
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  ExpectFreeOfDeadlock(topology, options, 4);
  Network network(topology, options);
  EXPECT_EQ(network.lanes().of_class(4), (std::vector<int>{9, 2, 14}));
  EXPECT_EQ(network.nics().lane[4], 9);
}

TEST(Hops, APathBeyondTheHopLimitIsRefused) {
  EXPECT_NE(Refusal(RingOf(40), Unloaded("min")).find("paths over 21 switches, the hop limit of profile tile8 is 15"),
            std::string::npos)
      << Refusal(RingOf(40), Unloaded("min"));
  EXPECT_EQ(Refusal(RingOf(14), Unloaded("min")), "accepted");
  EXPECT_NE(Refusal(RingOf(16), Unloaded("adaptive_0")).find("paths over 17 switches"), std::string::npos)
      << "8 links to an intermediate switch and 8 on";
}

TEST(Hops, DetoursAreRefusedWhereVlmapCannotTellThemApart) {
  EXPECT_NE(Refusal(topology::Build("torus:size=4x4"), Unloaded("valiant")).find("use minimal"), std::string::npos);
}

}  // namespace
}  // namespace tilefly::network
