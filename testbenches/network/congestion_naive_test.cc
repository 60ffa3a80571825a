// SPDX-License-Identifier: Apache-2.0
// NICs that obey pauses of flows (docs/blocks/flow_channel.md, NIC) against the naive system, which looks at everything
// in every cycle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "testbenches/network/congestion_run.h"
#include "testbenches/network/naive_system.h"
#include "testbenches/network/repeating_run.h"
#include "workload/goal.h"

namespace tilefly::network {
namespace {

/// What the naive system does behind the last packet: pauses go on until all channels are forgotten.
constexpr Cycle kFlowsForgotten = 12'000;

/// What a run must have at least, so that it has shown something.
struct LeastPauses {
  std::int64_t throttled = 1;  ///< cycles
  std::int64_t put_aside = 1;
  std::size_t packets = 300;
};

/// Returns the most packets, or messages, that a NIC had aside.
std::size_t ExpectNaivePauses(const topology::Topology& topology, const NetworkOptions& options,
                              const LeastPauses& least) {
  Network network(topology, options);
  NaiveSystem naive(network);
  NicProbe probe(network.wiring());
  network.set_probe(&probe);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  std::vector<Delivery> expected = naive.Run(network.cycle() + kFlowsForgotten);
  std::sort(expected.begin(), expected.end());
  std::sort(probe.deliveries.begin(), probe.deliveries.end());
  EXPECT_EQ(probe.deliveries.size(), expected.size());
  EXPECT_TRUE(probe.deliveries == expected);
  const Nic::Counters sum = SumOf(network);
  EXPECT_EQ(sum.throttled_cycles, naive.waits.throttled);
  EXPECT_EQ(sum.measured_throttled, naive.waits.measured_throttled);
  EXPECT_EQ(sum.window_cycles, naive.waits.window);
  EXPECT_EQ(sum.stalled_cycles, naive.waits.credit);
  EXPECT_EQ(sum.measured_retry, naive.waits.retry);
  EXPECT_EQ(sum.resends, naive.resent);
  EXPECT_EQ(sum.duplicates, naive.duplicates);
  EXPECT_EQ(sum.pauses, naive.pauses());
  EXPECT_GE(sum.throttled_cycles, least.throttled);
  EXPECT_GE(naive.put_aside, least.put_aside);
  EXPECT_GE(expected.size(), least.packets);
  const std::vector<workload::JobStatistics>& jobs = network.statistics().jobs;
  EXPECT_EQ(jobs.size(), naive.jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    EXPECT_EQ(jobs[j].phase_end, naive.jobs[j].phase_end);
    EXPECT_EQ(jobs[j].last, naive.jobs[j].last);
    EXPECT_EQ(jobs[j].ranks_done, naive.jobs[j].ranks_done);
  }
  return naive.most_aside;
}

TEST(Congestion, ASystemWithPausesIsTheNaiveOne) {
  for (const bool bench : {false, true}) {
    NetworkOptions options = Congested(bench);
    ExpectNaivePauses(CongestedSystem(), options, {100, 100, 500});
    options.traffic.classes = {{1, 1, kTile8.mtu_bytes}, {3, 0.4, kTile8.mtu_bytes}, {4, 2, 600}};
    for (const bool class_queues : {true, false}) {
      options.nics.class_queues = class_queues;
      ExpectNaivePauses(CongestedSystem(), options, {1, 100, 500});
    }
  }
}

/// Pauses that are over before the port repeats them: flows go on by themselves, several of a NIC at a time, and the oldest
/// packet that was put aside goes first. Two of three cycles are measured.
TEST(Congestion, PausesThatEndAreThoseOfTheNaiveSystem) {
  for (const bool bench : {false, true}) {
    SCOPED_TRACE(bench);
    NetworkOptions options = Congested(bench);
    options.warmup = options.cycles / 3;
    options.traffic.pattern = "hotspot:5,8,10:0.9";
    options.congestion.channel.period = 6;
    options.congestion.channel.hold = 10;
    ExpectNaivePauses(CongestedSystem(), options, {100, 100, 500});
    options.nics.class_queues = false;
    options.traffic.classes = {{1, 1, kTile8.mtu_bytes}, {3, 1, 600}};
    ExpectNaivePauses(CongestedSystem(), options, {100, 100, 500});
  }
}

/// With little room a queue waits for the paused flow of its first packet.
TEST(Congestion, ASystemWhoseNicsPutFewPacketsAsideIsTheNaiveOne) {
  for (const int most : {0, 1, 5}) {
    NetworkOptions options = Congested(true);
    options.congestion.most_aside = most;
    const std::size_t aside = ExpectNaivePauses(CongestedSystem(), options, {1000, most > 0 ? 20 : 0, 300});
    EXPECT_EQ(aside, static_cast<std::size_t>(most));
  }
}

TEST(Congestion, CopiesAndWindowsObeyPausesAsInTheNaiveSystem) {
  NetworkOptions options = Congested(true);
  options.nics.window = 20;
  ExpectNaivePauses(CongestedSystem(), options, {1, 50, 300});
  options.nics.resend = 1500;
  options.nics.most_resends = 3;
  ExpectNaivePauses(CongestedSystem(), options, {1, 50, 300});
  options.routing = RoutingOptions::Named("in_order");
  options.routing.flows = 30;
  ExpectNaivePauses(CongestedSystem(), options, {1, 50, 300});
  options.routing = RoutingOptions::Named("adaptive_0");
  LoseBeyond(150, &options);
  ExpectNaivePauses(CongestedSystem(), options, {1, 20, 300});
}

/// Each rank sends long messages to rank 0, and between them short ones to its neighbour.
NetworkOptions LongAndShort(const NetworkOptions& from, int endpoints) {
  std::string text = fmt::format("num_ranks {}\n", endpoints);
  for (int rank = 0; rank < endpoints; ++rank) {
    text += fmt::format("rank {} {{\n", rank);
    int label = 0;
    for (int round = 0; round < 4; ++round) {
      const int right = 1 + rank % (endpoints - 1), left = 1 + (rank + endpoints - 3) % (endpoints - 1);
      if (rank > 0) {
        text += fmt::format("l{}: send 9000b to 0 tag {}\n", ++label, round);
        text += fmt::format("l{}: send 700b to {} tag {}\n", ++label, right, 10 + round);
        text += fmt::format("l{}: recv 700b from {} tag {}\n", ++label, left, 10 + round);
      }
      for (int other = 1; rank == 0 && other < endpoints; ++other)
        text += fmt::format("l{}: recv 9000b from {} tag {}\n", ++label, other, round);
    }
    text += "}\n";
  }
  workload::Workload workload;
  workload.seats.resize(static_cast<std::size_t>(endpoints));
  workload.jobs.emplace_back();
  workload.jobs[0].schedule = workload::ParseGoal(text, "test.goal");
  workload.jobs[0].plan = workload::MakePlan(workload.jobs[0].schedule);
  workload::Allocate(workload::Allocation::kLinear, 1, &workload);
  NetworkOptions options = from;
  options.cycles = Cycle{1} << 40;
  options.traffic.pattern = "uniform";
  UseJobs(std::move(workload), &options);
  return options;
}

TEST(Congestion, MessagesOfPausedFlowsGiveWayAsInTheNaiveSystem) {
  const topology::Topology topology = CongestedSystem();
  const int endpoints = static_cast<int>(topology.endpoints.size());
  NetworkOptions options = LongAndShort(Congested(true), endpoints);
  ExpectNaivePauses(topology, options, {100, 10, 100});
  options.hosts.message_overhead = 40;
  options.hosts.packet_overhead = 13;
  ExpectNaivePauses(topology, options, {100, 10, 100});
  options.congestion.most_aside = 1;
  EXPECT_EQ(ExpectNaivePauses(topology, options, {100, 10, 100}), 1u);
  options.nics.resend = 3000;
  options.nics.most_resends = 100;
  ExpectNaivePauses(topology, options, {100, 10, 100});
}

TEST(Congestion, PausesOverLinksThatRepeatAreThoseOfTheNaiveSystem) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds, a minute with sanitizers: from tier ci on";
  NetworkOptions options = Congested(true);
  options.cycles = 2000;
  faults::Plan plan;
  plan.channel.word_ber = 1e-5;
  plan.channel.slot_ber = 1e-4;
  ExpectNaivePauses(CongestedSystem(), With(options, plan), {1, 10, 100});
}

}  // namespace
}  // namespace tilefly::network
