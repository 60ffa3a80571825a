// SPDX-License-Identifier: Apache-2.0
// End-to-end acks in systems (docs/network.md, Cycles; docs/blocks/acks.md).
#include <gtest/gtest.h>

#include <algorithm>

#include "support/errors.h"
#include "testbenches/network/naive_system.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

NetworkOptions With(const char* routing, bool bench, AckUse acks = AckUse::kOn) {
  NetworkOptions options;
  options.routing = RoutingOptions::Named(routing);
  options.bench_timing = bench;
  options.traffic.pattern = "adversarial:1";
  options.traffic.load = 0.5;
  options.traffic.size = "64,500,2000";
  options.cycles = 3000;
  options.warmup = 0;
  options.acks = acks;
  return options;
}

struct Outcome {
  std::vector<Delivery> deliveries;
  std::int64_t packets = 0, acks = 0, bad = 0;
  Cycle acked_cycles = 0;
};

Outcome Carry(const topology::Topology& topology, const NetworkOptions& options) {
  Network network(topology, options);
  DeliveryProbe probe(network.wiring());
  network.set_probe(&probe);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  Outcome outcome;
  outcome.deliveries = std::move(probe.deliveries);
  std::sort(outcome.deliveries.begin(), outcome.deliveries.end());
  for (int n = 0; n < network.nodes(); ++n) {
    for (const Nic& nic : network.node(n).nics()) {
      outcome.packets += nic.counters().packets;
      outcome.acks += nic.counters().acks;
      outcome.acked_cycles += nic.counters().acked_cycles;
    }
    for (int port = 0; port < network.profile().ports; ++port) {
      outcome.bad +=
          static_cast<std::int64_t>(network.ReadCounter(n, port, static_cast<int>(tilefly::Counter::kBadAcks)));
    }
  }
  return outcome;
}

TEST(Acks, EveryPacketIsAcknowledgedAndNoFlowIsLeftOpen) {
  for (const char* shape :
       {"dragonfly:p=2,a=4,h=2", "dragonfly:p=2,a=4,h=2,arrangement=circulant", "dragonfly:p=1,a=2,h=1"}) {
    for (const char* routing : {"min", "valiant", "adaptive_0", "in_order"}) {
      const Outcome outcome = Carry(topology::Build(shape), With(routing, false));
      EXPECT_EQ(outcome.acks, outcome.packets) << shape << " " << routing;
      EXPECT_GT(outcome.acks, 100);
      EXPECT_EQ(outcome.bad, 0);
    }
  }
}

TEST(Acks, ASystemIsItsSwitches) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const char* routing : {"adaptive_0", "nmin_hash"}) {
    for (const bool bench : {false, true}) {
      const NetworkOptions options = With(routing, bench);
      Network network(topology, options);
      NaiveSystem naive(network);
      const Outcome outcome = Carry(topology, options);
      std::vector<Delivery> expected = naive.Run(network.nics().end + 12000);
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(outcome.deliveries, expected);
      EXPECT_EQ(outcome.acks, naive.acks_of_nics);
      EXPECT_EQ(outcome.acked_cycles, naive.ack_cycles_of_nics - naive.sent_cycles_of_nics);
    }
  }
}

TEST(Acks, LookaheadAndOrdersChangeNothing) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const bool bench : {false, true}) {
    NetworkOptions options = With("adaptive_0", bench);
    const Outcome longest = Carry(topology, options);
    const auto expect_same = [&](const char* what) {
      const Outcome outcome = Carry(topology, options);
      EXPECT_EQ(outcome.deliveries, longest.deliveries) << what;
      EXPECT_EQ(outcome.acked_cycles, longest.acked_cycles) << what;
    };
    options.lookahead = 3;
    expect_same("a short lookahead");
    options.lookahead = 0;
    options.order = 5;
    expect_same("another order");
    options.order = 0;
    options.whole = true;
    expect_same("one domain");
  }
}

TEST(Acks, LoadsOfNeighboursChangeAdaptiveRoutingAndNothingElse) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  EXPECT_NE(Carry(topology, With("adaptive_0", false)).deliveries,
            Carry(topology, With("adaptive_0", false, AckUse::kOff)).deliveries);
  EXPECT_EQ(Carry(topology, With("min", false)).deliveries,
            Carry(topology, With("min", false, AckUse::kOff)).deliveries);
}

/// A quiet packet: the room of its output is free 2 + floor(4(w-1)/m) after the take; 15 cycles on the ack is on the
/// link, and each switch behind takes 19.
TEST(Acks, AQuietPacketsAckComesInItsTime) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const int destination : {1, 3, 60}) {
    NetworkOptions options = With("min", false);
    options.traffic.plan = {{100, 0, destination, 512}};
    Network network(topology, options);
    DeliveryProbe probe(network.wiring());
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    const Delivery& delivery = probe.deliveries.at(0);
    const topology::Port at = topology.endpoints[destination].port;
    const Cycle terminal = network.wiring().far(at.at, at.port).delay;
    // The numbers of docs/blocks/acks.md, written apart from golden/common/stage_times.h.
    Cycle expected = delivery.last - terminal - golden::kTakeToWire + 2 + 15;
    int node = at.at;
    for (int behind = delivery.hops - 1; behind > 0; --behind) {  // the way that the packet came
      const FarEnd& far = network.wiring().far(node, static_cast<int>(delivery.path >> 6 * (behind - 1) & 63));
      expected += far.delay + 19;
      node = far.node;
    }
    ASSERT_EQ(node, topology.endpoints[0].port.at);
    expected += terminal;
    const Nic::Counters& counters = network.node(0).nic(topology.endpoints[0].port.port)->counters();
    ASSERT_EQ(counters.acks, 1);
    EXPECT_EQ(counters.acked_cycles, expected - (network.nics().begin + 100)) << delivery.hops << " switches";
  }
}

TEST(Acks, AreRefusedWhereTheyDoNotFindBack) {
  const auto topology = topology::Build("torus:size=8x8");
  EXPECT_THROW(Network(topology, With("min", false)), UsageError);
  const Network possible(topology, With("min", false, AckUse::kWherePossible));
  EXPECT_FALSE(possible.acks());
  EXPECT_TRUE(Network(topology::Build("dragonfly:p=2,a=4,h=2"), With("min", false, AckUse::kWherePossible)).acks());
}

}  // namespace
}  // namespace tilefly::network
