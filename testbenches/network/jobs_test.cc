// SPDX-License-Identifier: Apache-2.0
// Jobs on systems: times of quiet ones, the same results whatever the lookahead, and how those end that do not.
#include "testbenches/network/jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "network/wait_report.h"
#include "testbenches/bench/settings.h"
#include "testbenches/network/delivery_probe.h"
#include "testbenches/network/hand_made.h"
#include "topology/builder.h"
#include "workload/goal.h"

namespace tilefly::network {
namespace {

using testing::HasSubstr;
using workload::Allocation;
using workload::JobStatistics;

constexpr Cycle kTerminal = 210;

const topology::Topology& Lone() {
  static const topology::Topology topology = LoneSwitch();
  return topology;
}

NetworkOptions OptionsOf(workload::Workload workload) {
  NetworkOptions options;
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  UseJobs(std::move(workload), &options);
  return options;
}

NetworkOptions Jobs(const std::string& traffic, int endpoints, Allocation allocation = Allocation::kLinear) {
  return OptionsOf(workload::MakeWorkload(traffic, "", endpoints, allocation, 3));
}

/// A GOAL text on the first endpoints.
NetworkOptions Goal(const std::string& text, int endpoints) {
  workload::Workload workload;
  workload.seats.resize(static_cast<std::size_t>(endpoints));
  workload.jobs.emplace_back();
  workload.jobs[0].schedule = workload::ParseGoal(text, "test.goal");
  workload.jobs[0].plan = workload::MakePlan(workload.jobs[0].schedule);
  workload::Allocate(Allocation::kLinear, 1, &workload);
  return OptionsOf(std::move(workload));
}

/// A packet's latency through a quiet switch from NIC to NIC (docs/network.md, Cycles).
Cycle LatencyOf(int words, int lanes = 4) { return 2 * (kTerminal + golden::WordOffset(words - 1, lanes)) + 63; }

TEST(Jobs, PingPongOfAQuietSwitchTakesTwoLatencies) {
  for (const int lanes : {4, 2}) {
    for (const int bytes : {0, 8, 1000, 4096}) {
      NetworkOptions options = Jobs("pingpong:iterations=4,at=1/6,bytes=" + std::to_string(bytes), 8);
      options.nic_lanes = lanes;
      Network network(Lone(), options);
      ASSERT_EQ(network.Run(), Ending::kDrained);
      EXPECT_EQ(network.NotHome(), "");
      const JobStatistics& job = network.statistics().jobs.at(0);
      const Cycle latency = LatencyOf(WordsOf(78 + bytes), lanes);
      for (int i = 0; i < 4; ++i) EXPECT_EQ(job.phase_end[i] - network.nics().begin, (i + 1) * 2 * latency);
      EXPECT_EQ(job.messages, 8);
      EXPECT_EQ(job.bytes, 8 * bytes);
      EXPECT_EQ(job.message_latency.Quantile(0), latency);
      EXPECT_EQ(job.message_latency.Quantile(1), latency);
      EXPECT_EQ(job.ranks_done, 2);
    }
  }
}

TEST(Jobs, AreOfTheEndpointsOfTheSystem) {
  for (const int endpoints : {6, 12}) {
    try {
      Network network(Lone(), Jobs("pingpong", endpoints));
      ADD_FAILURE() << endpoints << " seats for 8 endpoints";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("8 endpoints, and the workload has seats for " + std::to_string(endpoints)),
                std::string::npos) << error.what();
    }
  }
}

/// 131 words a packet, the first with 16 bytes more as well.
TEST(Jobs, PacketsOfAMessageFollowWithoutAGap) {
  Network network(Lone(), Jobs("pingpong:iterations=1,ranks=2,bytes=20480", 8));
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.statistics().jobs[0].message_latency.Quantile(1), 4 * 131 + LatencyOf(131));
  EXPECT_EQ(network.statistics().sent(), 10);
}

/// Of a run that is cut: what was sent and what was not is the message.
TEST(Jobs, WhatWasNotSentIsTheRestOfTheMessage) {
  const char* const text = "num_ranks 2\nrank 0 {\nl1: send 100001b to 1\n}\nrank 1 {\nl1: recv 100001b from 0\n}\n";
  Network whole(Lone(), Goal(text, 8));
  ASSERT_EQ(whole.Run(), Ending::kDrained);
  ASSERT_EQ(whole.statistics().sent(), 25);
  for (const Cycle cycles : {1, 100, 200, 1000, 3000, 3240}) {
    NetworkOptions options = Goal(text, 8);
    options.cycles = cycles;
    Network network(Lone(), options);
    EXPECT_EQ(network.Run(), Ending::kLate) << cycles;
    const Nic::Queue left = network.Remaining();
    EXPECT_EQ(network.statistics().sent() + left.packets, 25) << cycles;
    EXPECT_EQ(network.statistics().offered_words + left.words, whole.statistics().offered_words) << cycles;
    EXPECT_EQ(left.measured_words, left.words) << cycles;
  }
}

TEST(Jobs, OverheadsComeBeforeMessagesAndPackets) {
  NetworkOptions options = Jobs("pingpong:iterations=1,ranks=2,bytes=12288", 8);
  options.hosts.message_overhead = 1000;
  options.hosts.packet_overhead = 500;
  Network network(Lone(), options);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.statistics().jobs[0].message_latency.Quantile(0), 1500 + 2 * 500 + LatencyOf(131));
}

/// A send ends with its last word on the link, a receive with the last word there; a calc rounds up to cycles.
TEST(Jobs, OperationsEndWhenThePageSays) {
  const std::string text =
      "num_ranks 2\nrank 0 {\na: send 100b to 1\nb: calc 128\nb requires a\nc: send 100b to 1 tag 1\nc requires b\n}\n"
      "rank 1 {\nrecv 100b from 0\nrecv 100b from 0 tag 1\n}\n";
  Network network(Lone(), Goal(text, 8));
  ASSERT_EQ(network.Run(), Ending::kDrained);
  const int words = WordsOf(178);
  EXPECT_EQ(network.statistics().jobs[0].last - network.nics().begin, (words - 1) + 100 + LatencyOf(words));
}

std::vector<Delivery> DeliveriesOf(const topology::Topology& topology, const NetworkOptions& options,
                                   std::vector<JobStatistics>* jobs) {
  Network network(topology, options);
  DeliveryProbe probe(network.wiring());
  network.set_probe(&probe);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  *jobs = network.statistics().jobs;
  std::sort(probe.deliveries.begin(), probe.deliveries.end());
  return probe.deliveries;
}

TEST(Jobs, NeitherLookaheadNorOrderOfVisitsChangesAnything) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = Jobs("alltoall:bytes=700,order=random,ranks=30+halo3d:bytes=5000,iterations=3,compute=900ns",
                                72, Allocation::kRandom);
  options.bench_timing = true;
  std::vector<JobStatistics> expected, jobs;
  const std::vector<Delivery> longest = DeliveriesOf(topology, options, &expected);
  EXPECT_GT(longest.size(), 1000u);
  const auto same = [&](const NetworkOptions& other) {
    EXPECT_EQ(DeliveriesOf(topology, other, &jobs), longest);
    for (std::size_t j = 0; j < expected.size(); ++j) {
      EXPECT_EQ(jobs[j].phase_end, expected[j].phase_end);
      EXPECT_EQ(jobs[j].last, expected[j].last);
      EXPECT_EQ(jobs[j].message_latency.Entries(), expected[j].message_latency.Entries());
    }
  };
  for (const Cycle lookahead : {1, 7}) {
    NetworkOptions other = options;
    other.lookahead = lookahead;
    same(other);
  }
  NetworkOptions other = options;
  other.order = 1;
  same(other);
  other.whole = true;
  same(other);
}

TEST(Jobs, BooksOfEveryPatternBalance) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const char* text : {"pingpong:bytes=5000", "alltoall:bytes=64,window=8", "bisection:bytes=30000",
                           "allreduce:ring,bytes=100000", "allreduce:rabenseifner,bytes=100000", "barrier:iterations=3",
                           "broadcast:bytes=10000", "gather:bytes=5000", "ring:bytes=5000,order=random,sync=yes",
                           "gather:two-sided,iterations=20", "gather:put,iterations=100", "broadcast:get,iterations=20", "halo3d:bytes=4097", "sweep3d:bytes=100"}) {
    const NetworkOptions options = Jobs(text, 72);
    Network network(topology, options);
    ASSERT_EQ(network.Run(), Ending::kDrained) << text;
    EXPECT_EQ(network.NotHome(), "") << text;
    const JobStatistics& job = network.statistics().jobs[0];
    EXPECT_EQ(job.ranks_done, 72) << text;
    EXPECT_EQ(job.bytes, options.hosts.workload->jobs[0].schedule.Bytes()) << text;
    EXPECT_EQ(network.statistics().delivered(), network.statistics().sent()) << text;
    EXPECT_EQ(network.Remaining().packets, 0) << text;
  }
}

TEST(Jobs, ALongCalcIsSkipped) {
  int polls = 0;
  Network network(Lone(), Goal("num_ranks 2\nrank 0 {\na: calc 1000000000000\nb: send 1b to 1\nb requires "
                               "a\n}\nrank 1 {\nrecv 1b from 0\n}\n",
                               8));
  EXPECT_EQ(network.Run([&](Cycle) { return ++polls > 1000; }), Ending::kDrained);
  EXPECT_GT(network.cycle(), Cycle{781'250'000'000});
}

TEST(Jobs, AScheduleThatDeadlocksIsReportedWithWhoWaitsForWhom) {
  // Each of the three waits for the one before; rank 3 waits for rank 0 and is no part of it.
  std::string text = "num_ranks 4\n";
  for (int r = 0; r < 3; ++r) {
    text += "rank " + std::to_string(r) + " {\na: recv 8b from " + std::to_string((r + 2) % 3) +
            " tag 7\nc: calc 5\nc requires a\nb: send 8b to " + std::to_string((r + 1) % 3) + " tag 7\nb requires c\n";
    text += r == 0 ? "d: send 1b to 3\nd irequires b\n}\n" : "}\n";
  }
  text += "rank 3 {\nw: recv 1b from 0\n}\n";
  Network network(Lone(), Goal(text, 8));
  EXPECT_EQ(network.Run(), Ending::kWaiting);
  EXPECT_EQ(network.NotHome(), "");
  const WaitReport report(network);
  EXPECT_EQ(report.ranks, 4);
  ASSERT_EQ(report.receives.size(), 4u);
  ASSERT_EQ(report.cycle.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const WaitingReceive& one = report.receives[report.cycle[i]];
    const WaitingReceive& next = report.receives[report.cycle[(i + 1) % 3]];
    EXPECT_EQ(next.rank, (one.rank + 2) % 3);
  }
  const std::string said = report.Text(network);
  EXPECT_THAT(said, HasSubstr("4 ranks wait"));
  EXPECT_THAT(said, HasSubstr("a cycle of 3"));
  EXPECT_THAT(said, HasSubstr("rank 0 waits: recv 8b from 2 tag 7 (a, line 3)"));
  EXPECT_THAT(said, testing::Not(HasSubstr("rank 3 waits")));
}

TEST(Jobs, TooFewCyclesAreNoDeadlock) {
  NetworkOptions options = Jobs("gather:bytes=100000", 8);
  options.cycles = 3000;
  Network network(Lone(), options);
  EXPECT_EQ(network.Run(), Ending::kLate);
  EXPECT_GT(network.Remaining().packets, 0);
}

TEST(Jobs, ACalcDoesNotOutlastTheCyclesGiven) {
  NetworkOptions options = Goal(
      "num_ranks 2\nrank 0 {\nl1: calc 2147483647\nl2: send 8b to 1\nl2 requires l1\n}\nrank 1 {\nrecv 8b from 0\n}\n",
      8);
  options.cycles = 10'000;
  Network network(Lone(), options);
  EXPECT_EQ(network.Run(), Ending::kLate);
  EXPECT_EQ(network.cycle() + 1 - network.nics().begin, options.cycles);
  EXPECT_EQ(network.statistics().jobs.at(0).ranks_done, 0);
}

/// Bytes a second of a link of 200 Gb/s.
constexpr double kLink = 32 * 781.25e6;

/// More than 0.9 of `bound` bytes a second, and nothing lost.
void ExpectBound(const topology::Topology& topology, const char* traffic, const char* routing, double bound) {
  NetworkOptions options = Jobs(traffic, static_cast<int>(topology.endpoints.size()));
  options.routing = RoutingOptions::Named(routing);
  Network network(topology, options);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  EXPECT_EQ(network.statistics().delivered(), network.statistics().sent());
  const JobStatistics& job = network.statistics().jobs[0];
  const double seconds = static_cast<double>(job.last - network.nics().begin) / 781.25e6;
  const double share = static_cast<double>(job.bytes) / seconds / bound;
  testing::Test::RecordProperty(traffic, std::to_string(share));
  EXPECT_GT(share, 0.9) << traffic;
  EXPECT_LT(share, 1) << traffic;
}

/// Four groups of four switches with a quarter of the NICs' bandwidth between them, as Shandy has: what the global
/// links let pass is used (headers take 2.3 % of it), and nothing is lost.
TEST(Jobs, GlobalLinksBoundAllToAllAndBisection) {
  const auto topology = topology::Build("dragonfly:p=4,a=4,h=3,g=4,links=1,global_cable=50m");
  // 12 directed links, passed by 48 of 63 messages; 8 between the halves.
  ExpectBound(topology, "alltoall:bytes=4096,order=random,iterations=8", "min", 12 * kLink * 63 / 48);
  ExpectBound(topology, "bisection:bytes=256KiB,iterations=8", "adaptive_3", 8 * kLink);
}

/// 448 directed links, passed by 7/8 of the bytes; 128 each way between the halves.
TEST(Jobs, ShandyReachesNineTenthsOfItsPeaks) {
  if (bench::TierFromEnvironment() != bench::Tier::kFull) GTEST_SKIP() << "in the full tier";
  const auto topology = topology::Build("preset:shandy");
  ExpectBound(topology, "alltoall:bytes=4096,order=random", "min", 448 * kLink * 8 / 7);
  ExpectBound(topology, "bisection:bytes=1MiB,iterations=4", "adaptive_3", 2 * 128 * kLink);
}

/// Real schedules of the folder that TILEFLY_DATA names.
TEST(Jobs, ARealScheduleRuns) {
  const char* const data = std::getenv("TILEFLY_DATA");
  if (data == nullptr) GTEST_SKIP() << "TILEFLY_DATA is not set";
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const NetworkOptions options = OptionsOf(
      workload::MakeWorkload("", std::string(data) + "/goal/binary_tree_32.goal", 72, Allocation::kRandom, 1));
  Network network(topology, options);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.statistics().jobs[0].messages, 31);
  EXPECT_EQ(network.statistics().jobs[0].ranks_done, 32);
}

}  // namespace
}  // namespace tilefly::network
