// SPDX-License-Identifier: Apache-2.0
// No result depends on how far switches run ahead nor on the order in which switches are visited.
#include <gtest/gtest.h>

#include "testbenches/network/delivery_probe.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

NetworkOptions Loaded(bool bench) {
  NetworkOptions options;
  options.bench_timing = bench;
  options.traffic.load = 0.7;
  options.traffic.size = "64,496,4096";
  options.cycles = 3000;
  options.warmup = 500;
  options.seed = 11;
  return options;
}

TEST(Lookahead, LengthChangesNothing) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const bool bench : {false, true}) {
    NetworkOptions options = Loaded(bench);
    const std::vector<Delivery> longest = DeliveriesOf(topology, options);
    EXPECT_GT(longest.size(), 1000u);
    for (const Cycle lookahead : {1, 7}) {
      options.lookahead = lookahead;
      EXPECT_EQ(DeliveriesOf(topology, options), longest) << lookahead;
    }
    options.whole = true;
    EXPECT_EQ(DeliveriesOf(topology, options), longest) << "one domain";
    options.lookahead = 0;
    EXPECT_EQ(DeliveriesOf(topology, options), longest) << "one domain, longest lookahead";
  }
}

TEST(Lookahead, OrderOfVisitsChangesNothing) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = Loaded(true);
  const std::vector<Delivery> in_order = DeliveriesOf(topology, options);
  for (const std::uint64_t order : {1, 2}) {
    options.order = order;
    EXPECT_EQ(DeliveriesOf(topology, options), in_order);
  }
}

/// Loads are those of epochs of the switch's own cycles, whenever it is stepped.
TEST(Lookahead, ChangesNothingForAdaptiveModes) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const char* mode : {"adaptive_0", "adaptive_1", "adaptive_2", "valiant"}) {
    NetworkOptions options = Loaded(true);
    options.routing = RoutingOptions::Named(mode);
    options.traffic.pattern = "adversarial:1";
    options.traffic.load = 0.5;
    const std::vector<Delivery> longest = DeliveriesOf(topology, options);
    EXPECT_GT(longest.size(), 1000u);
    for (const Cycle lookahead : {1, 7}) {
      options.lookahead = lookahead;
      options.order = static_cast<std::uint64_t>(lookahead);
      EXPECT_EQ(DeliveriesOf(topology, options), longest) << mode << ", lookahead " << lookahead;
    }
    options.lookahead = 0;
    options.whole = true;
    EXPECT_EQ(DeliveriesOf(topology, options), longest) << mode << ", one domain";
  }
}

TEST(Lookahead, SeedsChangeTheTraffic) {
  const auto topology = topology::Build("dragonfly:p=1,a=2,h=1");
  NetworkOptions options = Loaded(true);
  options.cycles = 20000;
  const std::vector<Delivery> first = DeliveriesOf(topology, options);
  EXPECT_EQ(DeliveriesOf(topology, options), first);
  options.seed = 12;
  EXPECT_NE(DeliveriesOf(topology, options), first);
}

TEST(Lookahead, ALongIdleNetworkIsSkipped) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options;
  options.cycles = Cycle{1} << 40;
  options.traffic.plan = {{0, 3, 60, 512}, {(Cycle{1} << 40) - 10, 60, 3, 512}};
  Network network(topology, options);
  int polls = 0;
  EXPECT_EQ(network.Run([&](Cycle) { return ++polls > 1000; }), Ending::kDrained);
  EXPECT_EQ(network.statistics().delivered(), 2);
}

}  // namespace
}  // namespace tilefly::network
