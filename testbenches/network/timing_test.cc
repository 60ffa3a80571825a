// SPDX-License-Identifier: Apache-2.0
// Latencies of quiet systems are the sum of their stages (docs/network.md, Cycles).
#include <gtest/gtest.h>

#include <map>

#include "golden/ingress/cut_through.h"
#include "testbenches/network/delivery_probe.h"
#include "topology/builder.h"

namespace tilefly::golden {
namespace {

struct Way {
  int switches = 1;
  Cycle links = 0;  ///< delays between switches
};

/// The way that the topology has between two endpoints of a dragonfly with one link for each pair of groups, read from
/// its links alone.
Way WayOf(const topology::Topology& topology, const LinkTiming& timing, int source, int destination) {
  const auto at = [&](int endpoint) { return topology.endpoints[endpoint].port.at; };
  Way way;
  int here = at(source);
  const int target = at(destination);
  const auto go = [&](const topology::Link& link, int to) {
    here = to;
    ++way.switches;
    way.links += timing.DelayOf(link.kind, link.metres);
  };
  const auto group = [&](int one) { return topology.switches[one].group; };
  const auto hop_to = [&](int next) {
    if (here == next) return;
    for (const topology::Link& link : topology.links) {
      if (link.a.at == here && link.b.at == next) return go(link, next);
      if (link.b.at == here && link.a.at == next) return go(link, next);
    }
    ADD_FAILURE() << "no link";
  };
  if (group(here) != group(target)) {
    const int own = group(here);
    for (const topology::Link& link : topology.links) {
      for (const auto& [near, far] : {std::pair{link.a, link.b}, std::pair{link.b, link.a}}) {
        if (group(near.at) != own || group(far.at) != group(target)) continue;
        hop_to(near.at);
        go(link, far.at);
      }
    }
  }
  hop_to(target);
  return way;
}

Cycle ExpectedLatency(const Way& way, Cycle terminal, int length, int nic_lanes) {
  const Cycle words = WordOffset(WordsOf(length) - 1, nic_lanes);
  const Cycle late = std::max<Cycle>(0, StartOffset(length, 4) - 46);
  return terminal + words + 63 + way.links + (way.switches - 1) * (63 + late) + terminal + words;
}

/// Sends one packet for each pair, long after the one before, and compares.
void ExpectSumOfStages(const topology::Topology& topology, NetworkOptions options, int length) {
  constexpr Cycle kApart = 3000;
  const int endpoints = static_cast<int>(topology.endpoints.size());
  for (int source = 0; source < endpoints; ++source) {
    for (int destination = 0; destination < endpoints; ++destination) {
      if (source != destination)
        options.traffic.plan.push_back(
            {static_cast<Cycle>(options.traffic.plan.size()) * kApart, source, destination, length});
    }
  }
  const std::vector<PlannedPacket> plan = options.traffic.plan;
  options.cycles = static_cast<Cycle>(plan.size()) * kApart;
  options.warmup = 0;
  Network network(topology, options);
  DeliveryProbe probe(network.wiring());
  network.set_probe(&probe);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  ASSERT_EQ(probe.deliveries.size(), plan.size());
  const LinkTiming timing = options.bench_timing ? LinkTiming::Bench() : LinkTiming::Chip(network.profile());
  std::map<int, int> of_switches;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Delivery& delivery = probe.deliveries[i];
    const Way way = WayOf(topology, timing, plan[i].source, plan[i].destination);
    const Cycle terminal = timing.DelayOf(topology::LinkKind::kTerminal, topology.endpoints[plan[i].source].metres);
    ASSERT_EQ(delivery.destination, network.nics().addresses[plan[i].destination]);
    ASSERT_EQ(delivery.hops, way.switches) << plan[i].source << " to " << plan[i].destination;
    ASSERT_EQ(delivery.last - network.nics().begin - plan[i].at,
              ExpectedLatency(way, terminal, length, options.nic_lanes))
        << plan[i].source << " to " << plan[i].destination;
    ++of_switches[way.switches];
  }
  EXPECT_EQ(of_switches.size(), 4u) << "ways of one to four switches were to be seen";
}

TEST(QuietDragonfly, LatencyOfEveryPairIsTheSumOfItsStages) {
  for (const char* arrangement : {"absolute", "relative", "circulant"}) {
    const auto topology = topology::Build(std::string("dragonfly:p=2,a=4,h=2,arrangement=") + arrangement);
    ExpectSumOfStages(topology, {}, 512);
  }
}

TEST(QuietDragonfly, LatencyIsTheSumOfItsStagesWithBenchLinks) {
  NetworkOptions options;
  options.bench_timing = true;
  ExpectSumOfStages(topology::Build("dragonfly:p=2,a=4,h=2"), options, 64);
}

TEST(QuietDragonfly, LongPacketsWaitForTheirCutThroughStartInEverySwitchButTheFirst) {
  ExpectSumOfStages(topology::Build("dragonfly:p=2,a=4,h=2"), {}, 4224);
}

TEST(QuietDragonfly, SlowNicsSendAndReceiveAtTheirRate) {
  NetworkOptions options;
  options.nic_lanes = 2;
  ExpectSumOfStages(topology::Build("dragonfly:p=2,a=4,h=2"), options, 1000);
}

}  // namespace
}  // namespace tilefly::golden
