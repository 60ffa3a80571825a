// SPDX-License-Identifier: Apache-2.0
// Systems that deadlock say so, and who waits for whom; those that are only overloaded go on.
#include <gtest/gtest.h>

#include "network/stall_report.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/jobs.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

NetworkOptions Overloaded(const std::string& pattern) {
  NetworkOptions options;
  options.bench_timing = true;
  options.traffic.pattern = pattern;
  options.traffic.load = 1;
  options.cycles = 20000;
  options.warmup = 5000;
  options.stall_cycles = 3000;
  return options;
}

/// All go two switches on in the same direction on one lane: the ring fills.
TEST(Stall, ARingWithoutADatelineDeadlocksAndTheCycleIsFound) {
  const topology::Topology ring = RingOf(5);
  NetworkOptions options = Overloaded("permutation:shift:4");
  options.plan = OneLane(ring);
  Network network(ring, options);
  EXPECT_EQ(network.Run(), Ending::kStuck);
  EXPECT_GT(network.statistics().in_flight(), 0);
  EXPECT_LT(network.cycle(), 60000);
  const StallReport report(network);
  EXPECT_GT(report.blocked_nics, 0);
  ASSERT_EQ(report.cycle.size(), 5u);
  for (std::size_t i = 0; i < report.cycle.size(); ++i) {
    const StalledLane& one = report.lanes[report.cycle[i]];
    const StalledLane& next = report.lanes[report.cycle[(i + 1) % report.cycle.size()]];
    EXPECT_EQ(one.port, 2);
    EXPECT_EQ(next.node, (one.node + 1) % 5);
  }
  EXPECT_NE(report.Text(network).find("a cycle of 5"), std::string::npos) << report.Text(network);
}

TEST(Stall, ARingHalfLoadedDoesNotStall) {
  const topology::Topology ring = RingOf(5);
  NetworkOptions options = Overloaded("permutation:shift:4");
  options.traffic.load = 0.1;
  Network network(ring, options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_TRUE(StallReport(network).lanes.empty());
}

/// Nothing moves but what is on the links, much longer than the limit: packets there, then credits on the way back.
TEST(Stall, WhatIsOnALongLinkIsProgress) {
  topology::Topology ring = RingOf(5);
  for (topology::Link& link : ring.links) link.metres = 10000;
  NetworkOptions options;
  options.traffic.pattern = "permutation:shift:4";
  options.traffic.load = 0.9;
  options.cycles = 3000;
  options.warmup = 0;
  options.stall_cycles = 1000;
  Network network(ring, options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  EXPECT_GT(network.cycle(), 100000);
}

/// The message of one job waits for a link that is down; the ranks of the other compute, and are done all the same.
TEST(Stall, AHostThatWorksIsProgress) {
  const topology::Topology ring = RingOf(5);
  NetworkOptions options;
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  options.faults = {{0, 2, 0}};
  UseJobs(workload::MakeWorkload("pingpong:at=0/2,iterations=1+pingpong:at=4/6,iterations=3", "", 10,
                                 workload::Allocation::kLinear, 1, {100000, 0, 0}),
          &options);
  Network network(ring, options);
  EXPECT_EQ(network.Run(), Ending::kStuck);
  EXPECT_EQ(network.statistics().jobs.at(0).ranks_done, 0);
  EXPECT_EQ(network.statistics().jobs.at(1).ranks_done, 2);
}

/// Two lanes, l0 g0 l1, keep an overloaded dragonfly moving.
TEST(Stall, AnOverloadedDragonflyDrains) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const char* pattern : {"uniform", "adversarial:1", "hotspot:0:0.3"}) {
    Network network(topology, Overloaded(pattern));
    EXPECT_EQ(network.Run(), Ending::kDrained) << pattern;
    EXPECT_EQ(network.NotHome(), "") << pattern;
  }
}

/// Minimal routing leaves one global link to the a * p endpoints of a group.
TEST(Saturation, AdversarialTrafficGetsOneLinkForEachGroup) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  Network network(topology, Overloaded("adversarial:1"));
  network.Run();
  const double slots = 72.0 * static_cast<double>(network.options().cycles - network.options().warmup);
  const double accepted = static_cast<double>(network.statistics().accepted_words) / slots;
  EXPECT_LE(accepted, 1.0 / 8 + 0.001);
  EXPECT_GE(accepted, 0.8 / 8);
}

TEST(Saturation, ModerateUniformLoadIsAccepted) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = Overloaded("uniform");
  options.traffic.load = 0.3;
  Network network(topology, options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  const Statistics& statistics = network.statistics();
  const Nic::Queue left = network.Remaining();
  const double slots = 72.0 * static_cast<double>(options.cycles - options.warmup);
  const double offered = static_cast<double>(statistics.offered_words + left.measured_words) / slots;
  EXPECT_NEAR(offered, 0.3, 0.01);
  EXPECT_NEAR(static_cast<double>(statistics.accepted_words) / slots, offered, 0.005);
}

}  // namespace
}  // namespace tilefly::network
