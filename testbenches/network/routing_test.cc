// SPDX-License-Identifier: Apache-2.0
// Modes of routing in systems (docs/network.md, Routing): which paths they take, and what comes of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "golden/routing/route_names.h"
#include "testbenches/network/delivery_probe.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/routed_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

TEST(Conservation, EverythingArrivesInEveryModeAndTheSystemIsLeftAsItWas) {
  const Cycle cycles = Tier() == bench::Tier::kQuick ? 1500 : Tier() == bench::Tier::kCi ? 5000 : 50000;
  for (const char* system :
       {"dragonfly:p=2,a=4,h=2", "aries:p=2,chassis=3,blades=4,h=2,g=3", "tree:k=3,n=3", "torus:size=4x4,p=2"}) {
    const topology::Topology topology = topology::Build(system);
    for (const golden::RouteName& mode : golden::kRouteNames) {
      if (topology.family == "torus" && mode.mode == RouteMode::kNminHash) continue;
      for (const char* pattern : {"uniform", "permutation:tornado", "hotspot:3:0.2"}) {
        SCOPED_TRACE(system);
        NetworkOptions options = With(mode.name, pattern, 0.9, cycles);
        options.bench_timing = true;
        options.traffic.size = "64,512,4096";
        RunToTheEnd(topology, options);
      }
    }
  }
}

/// Two lanes and datelines: what one lane cannot do.
TEST(Torus, ThatDeadlocksOnOneLaneDrainsOnThoseOfItsPlan) {
  const topology::Topology topology = topology::Build("torus:size=5x4,p=2");
  NetworkOptions options = With("min", "uniform", 1, 10000);
  options.bench_timing = true;
  options.stall_cycles = 3000;
  RunToTheEnd(topology, options);
  options.plan = OneLane(topology);
  Network network(topology, options);
  EXPECT_EQ(network.Run(), Ending::kStuck);
}

/// Ways of the packets of each pair, as their headers say them.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> WaysOf(const topology::Topology& topology,
                                                                                  const std::string& routing) {
  NetworkOptions options = With(routing, "cbr", 0.2, 20000);
  Network network(topology, options);
  DeliveryProbe probe(network.wiring());
  network.set_probe(&probe);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> ways;
  for (const Delivery& one : probe.deliveries) ways[{one.source, one.destination}].insert(one.path);
  return ways;
}

/// Each pair of groups has two links, so some switches have two ways to another group. Sources send to one destination
/// each.
TEST(Paths, ByHashAreAsManyAsThereAreFlows) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=4,g=5,links=2");
  const auto mean = [&](const std::string& routing) {
    double sum = 0;
    const auto ways = WaysOf(topology, routing);
    for (const auto& [pair, paths] : ways) sum += static_cast<double>(paths.size());
    EXPECT_GT(ways.size(), 30u);
    return sum / static_cast<double>(ways.size());
  };
  EXPECT_EQ(mean("in_order"), 1) << "one way for all flows of a pair";
  const double by_flow = mean("min_hash");
  EXPECT_GT(by_flow, 1.2) << "as many as the pair has, at most 16";
  EXPECT_GE(mean("min"), by_flow);
  EXPECT_GT(mean("valiant"), 2 * mean("min"));
  EXPECT_GT(mean("valiant"), mean("nmin_hash"));
}

/// Six endpoints of a group send bursts to another one, all over one switch's global port; an endpoint of that switch
/// sends there as well, later.
class OnePacket {
 public:
  OnePacket(const std::string& routing, int burst, const std::array<int, 4>& biases)
      : topology_(topology::Build("dragonfly:p=2,a=4,h=2")) {
    options_ = With(routing, "uniform", 0, 20000);
    options_.routing.biases = biases;
    Aim();
    for (int endpoint = 0; endpoint < 8; ++endpoint) {
      if (endpoint / 2 == gate_) continue;
      for (int i = 0; i < burst; ++i) options_.traffic.plan.push_back({0, endpoint, 16 + endpoint, 512});
    }
    options_.traffic.plan.push_back({kLater, 2 * gate_, 16, 512});
  }

  /// Switches that the packet passed, for each of some seeds.
  std::vector<int> Hops() {
    std::vector<int> hops;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      options_.seed = seed;
      Network network(topology_, options_);
      DeliveryProbe probe(network.wiring());
      network.set_probe(&probe);
      EXPECT_EQ(network.Run(), Ending::kDrained);
      for (const Delivery& one : probe.deliveries) {
        if (one.source == network.nics().addresses[2 * gate_]) hops.push_back(one.hops);
      }
    }
    EXPECT_EQ(hops.size(), 12u);
    return hops;
  }

  /// Share of the seeds with a path longer than the minimal one.
  double Detours() {
    const std::vector<int> hops = Hops();
    return static_cast<double>(std::count_if(hops.begin(), hops.end(), [](int n) { return n > 3; })) /
           static_cast<double>(hops.size());
  }

 private:
  static constexpr Cycle kLater = 1200;  ///< then the bursts' requests wait at the gate

  /// The switch of group 0 that has the link to group 2, where endpoints 16 to 23 are.
  void Aim() {
    for (const topology::Link& link : topology_.links) {
      if (link.a.at < 4 && link.b.at / 4 == 2) gate_ = link.a.at;
      if (link.b.at < 4 && link.a.at / 4 == 2) gate_ = link.b.at;
    }
  }

  const topology::Topology topology_;
  NetworkOptions options_;
  int gate_ = 0;
};

constexpr int kBurst = 60;  ///< of each of the six endpoints: more than the gate takes in a while
constexpr int kMost = RoutingOptions::kMostBias;

TEST(OnePacket, LeavesItsMinimalPathByTheBiasOfItsMode) {
  const std::vector<std::pair<std::array<int, 4>, std::set<std::string>>> cases = {
      {RoutingOptions::kBiases, {"adaptive_0", "adaptive_1", "adaptive_2", "adaptive_3"}},
      {{kMost, kMost, kMost, kMost}, {"adaptive_1"}},  // none at injection
      {{0, kMost, kMost, kMost}, {"adaptive_0", "adaptive_1"}},
      {{kMost, kMost, 0, kMost}, {"adaptive_1", "adaptive_2"}},
      {{kMost, kMost, kMost, 0}, {"adaptive_1", "adaptive_3"}}};
  for (const auto& [biases, evading] : cases) {
    for (const char* mode : {"adaptive_0", "adaptive_1", "adaptive_2", "adaptive_3", "min", "min_hash", "in_order"}) {
      const double detours = OnePacket(mode, kBurst, biases).Detours();
      if (evading.count(mode) != 0) {
        EXPECT_GT(detours, 0.8) << mode << ", biases of " << biases[0] << " " << biases[2] << " " << biases[3];
      } else {
        EXPECT_EQ(detours, 0) << mode << ", biases of " << biases[0] << " " << biases[2] << " " << biases[3];
      }
      EXPECT_EQ(OnePacket(mode, 0, biases).Detours(), 0) << mode << " where nothing waits";
    }
  }
}

/// It goes to another switch of its group and finds nothing waiting there on the way back to the gate.
TEST(OnePacket, TurnsBackAtTheSecondSwitchInAdaptive1) {
  const std::vector<int> straight = OnePacket("adaptive_0", kBurst, {0, kMost, 0, 0}).Hops();
  const std::vector<int> again = OnePacket("adaptive_1", kBurst, {0, kMost, 0, 0}).Hops();
  EXPECT_EQ(std::count(straight.begin(), straight.end(), 4), 0);
  EXPECT_GT(std::count(again.begin(), again.end(), 4), 0) << "local, local, global";
}

TEST(Registers, OfAdaptiveModesAreThoseOfThePage) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  Network network(topology, With("adaptive_2", "uniform", 0, 100));
  for (int node = 0; node < network.nodes(); ++node) {
    const golden::RouteTables& routes = network.node(node).registers()->routes();
    EXPECT_EQ(routes.Targets(false), 9);
    EXPECT_EQ(routes.Targets(true), 4);
    EXPECT_EQ(routes.Bias(0), 0);
    EXPECT_EQ(routes.Bias(1), 264);
    EXPECT_EQ(routes.Bias(2), 88);
    EXPECT_EQ(routes.Bias(3), 660);
    constexpr int kLocal = 1, kGlobal = 2;
    EXPECT_EQ(routes.Links(false, false, kLocal), 3);
    EXPECT_EQ(routes.Links(false, false, kGlobal), 2);
    EXPECT_EQ(routes.Links(false, true, kLocal), 1);
    EXPECT_EQ(routes.Links(true, false, kLocal), 5);
    EXPECT_EQ(routes.Links(true, false, kGlobal), 4);
    EXPECT_EQ(routes.Links(true, true, kLocal), 2);
  }
}

}  // namespace
}  // namespace tilefly::network
