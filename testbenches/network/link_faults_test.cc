// SPDX-License-Identifier: Apache-2.0
// Links that go down: jobs that reduce over them end, others do not notice, and the books balance.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/stall_report.h"
#include "network/wait_report.h"
#include "support/errors.h"
#include "testbenches/bench/settings.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using testing::HasSubstr;
using workload::JobStatistics;

/// Job 0 over both leaves, job 1 in leaf 0.
NetworkOptions TwoJobs(const topology::Topology& topology, const std::string& keys) {
  NetworkOptions options;
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  UseJobs(workload::MakeWorkload("allreduce:sharp,at=0/1/4/5,check=yes," + keys +
                                     "+allreduce:sharp,at=2/3,bytes=20000,iterations=3,check=yes",
                                 "", static_cast<int>(topology.endpoints.size()), workload::Allocation::kLinear, 3),
          &options);
  return options;
}

const topology::Topology& Fat() {
  static const topology::Topology topology = topology::Build("fattree:leaves=2,hosts=4,uplinks=4");
  return topology;
}
constexpr int kUplink = 4;  ///< the one of group 0

/// Whenever it is: all ranks of the job end, and the other job goes on.
TEST(LinkFaults, EndTheJobsThatReduceOverThem) {
  if (bench::TierFromEnvironment() == bench::Tier::kQuick) GTEST_SKIP() << "a minute with sanitizers: from tier ci on";
  for (Cycle at = 0; at < 6000; at += at < 1500 ? 60 : 7) {
    NetworkOptions options = TwoJobs(Fat(), "bytes=12288,iterations=2");
    options.faults = {{1, kUplink, at}};
    Network network(Fat(), options);
    ASSERT_EQ(network.Run(), Ending::kDrained) << at;
    const std::vector<JobStatistics>& jobs = network.statistics().jobs;
    EXPECT_EQ(jobs[1].ranks_done, 2) << at;
    EXPECT_EQ(jobs[1].failure.cycle, kNever) << at;
    if (jobs[0].ranks_done == 4) continue;
    ASSERT_NE(jobs[0].failure.cycle, kNever) << at;
    EXPECT_EQ(jobs[0].failure.code, static_cast<int>(RedCode::kLink)) << at << ": both ends know at once";
    EXPECT_EQ(network.standing().in_flight, 0);
  }
}

TEST(LinkFaults, AreToldWithinTheTimeOfTheTree) {
  NetworkOptions options = TwoJobs(Fat(), "bytes=1MiB");
  options.faults = {{2, 0, 20000}};  // the same link, by its other end
  Network network(Fat(), options);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  const JobStatistics& job = network.statistics().jobs[0];
  EXPECT_EQ(job.failure.code, static_cast<int>(RedCode::kLink));
  EXPECT_GE(job.failure.cycle - network.nics().begin, 20000);
  EXPECT_LT(job.failure.cycle - network.nics().begin, 20000 + 1000);
  EXPECT_EQ(job.ranks_done, 0);
}

/// The host behind the link finds out by itself.
TEST(LinkFaults, OfAHostAreFoundByItsTimeout) {
  NetworkOptions options = TwoJobs(Fat(), "bytes=1MiB,timeout=100us");
  options.faults = {{0, 1, 20000}};
  Network network(Fat(), options);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.statistics().jobs[0].failure.code, static_cast<int>(RedCode::kLink)) << "the others, first";
  // Endpoint 1 had its last result or credit, or sent its last segment, shortly before or after.
  EXPECT_GT(network.cycle() - network.nics().begin, 19000 + 78125);
  EXPECT_LT(network.cycle() - network.nics().begin, 21000 + 2 * 78125) << "and the leaf's, which waits for it";
  EXPECT_EQ(network.statistics().jobs[1].ranks_done, 2);
}

TEST(LinkFaults, WithoutATimeoutTheRankThatWaitsIsNamed) {
  NetworkOptions options = TwoJobs(Fat(), "bytes=1MiB,timeout=0");
  options.faults = {{0, 1, 20000}};
  Network network(Fat(), options);
  ASSERT_EQ(network.Run(), Ending::kWaiting);
  const WaitReport report(network);
  EXPECT_EQ(report.ranks, 1) << "the others have failed";
  EXPECT_EQ(report.receives.size(), 1u);
  EXPECT_THAT(report.Text(network),
              testing::ContainsRegex("rank 1 waits: reduce 1048576b in the switches .*: [0-9]+ of 256 packets ready, "
                                     "[0-9]+ results came"));
}

NetworkOptions Uniform() {
  NetworkOptions options;
  options.traffic.load = 0.5;
  options.traffic.size = "64,496,4096";
  options.cycles = 6000;
  options.stall_cycles = 3000;
  options.seed = 9;
  return options;
}

/// What was on the link is lost, what wants to go over it waits.
TEST(LinkFaults, LeaveTheBooksBalanced) {
  const auto dragonfly = topology::Build("dragonfly:p=2,a=4,h=2");
  std::int64_t lost = 0;
  for (const int port : {0, 3, 6}) {  // of an endpoint, local, global
    for (Cycle at = 2000; at < 2200; at += 20) {
      NetworkOptions options = Uniform();
      options.faults = {{5, port, at}};
      Network network(dragonfly, options);
      EXPECT_EQ(network.Run(), Ending::kStuck);
      const Statistics& sums = network.statistics();
      EXPECT_GT(sums.in_flight(), 0);
      EXPECT_EQ(static_cast<std::int64_t>(network.WhatIsLeft().records), sums.in_flight());
      lost += sums.lost;
      // Of a link into a port that stores, the packet on it is broken off; switches that cut through pass it on.
      for (std::size_t drop = 1; drop < sums.drops.size(); ++drop) {
        if (static_cast<Drop>(drop) != Drop::kBroken) EXPECT_EQ(sums.drops[drop], 0) << drop;
      }
    }
  }
  EXPECT_GT(lost, 30);
}

TEST(LinkFaults, AreTheSameWhateverTheLookaheadAndProcesses) {
  const auto dragonfly = topology::Build("dragonfly:p=2,a=4,h=2");
  const auto text = [&](const NetworkOptions& options) {
    Network network(dragonfly, options);
    const Ending ending = network.Run();
    return Text(network, ending, Figures(network));
  };
  NetworkOptions options = Uniform();
  options.faults = {{5, 6, 2100}, {8, 1, 2500}, {5, 3, 2900}};
  const std::string whole = text(options);
  EXPECT_THAT(whole, HasSubstr("ending 1"));
  NetworkOptions other = options;
  other.lookahead = 7;
  other.order = 1;
  std::string last_lines = text(other);
  // A run that is stuck ends at the end of a slice; all else is the same.
  EXPECT_EQ(last_lines.substr(last_lines.find('\n')), whole.substr(whole.find('\n')));
  for (const Cycle at : {2000, 2300}) {
    std::vector<SavedBytes> pieces;
    Network first(dragonfly, options);
    EXPECT_FALSE(first.RunTo(first.nics().begin + at).has_value());
    first.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
    Network second(dragonfly, options);
    auto next = pieces.begin();
    second.Load([&] { return *next++; });
    const Ending ending = second.Run();
    EXPECT_EQ(Text(second, ending, Figures(second)), whole) << "from a checkpoint in " << at;
  }
  for (const int size : {2, 3}) {
    std::string own;
    OnThreads(size, [&](Processes& processes) {
      Network network(dragonfly, options, &processes);
      const Ending ending = network.Run();
      const Figures figures(network);
      if (processes.first()) own = Text(network, ending, figures);
    });
    EXPECT_EQ(own, whole) << size;
  }
}

/// As if nothing was to happen: nothing has by then.
TEST(LinkFaults, BehindTheEndOfTheRunMakeItNoLonger) {
  const auto dragonfly = topology::Build("dragonfly:p=2,a=4,h=2");
  const auto text = [&](std::vector<LinkFault> faults) {
    NetworkOptions options = Uniform();
    options.faults = std::move(faults);
    Network network(dragonfly, options);
    const Ending ending = network.Run();
    return Text(network, ending, Figures(network));
  };
  const std::string without = text({});
  EXPECT_THAT(without, HasSubstr("ending 0"));
  EXPECT_TRUE(text({{5, 6, 100000}, {5, 3, 50000}}) == without);
}

TEST(LinkFaults, TheReportOfAStandstillNamesTheLink) {
  const auto dragonfly = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = Uniform();
  options.faults = {{5, 6, 2100}, {5, 3, 2500}};
  Network network(dragonfly, options);
  ASSERT_EQ(network.Run(), Ending::kStuck);
  const StallReport report(network);
  ASSERT_EQ(report.down.size(), 4u) << "both ends of each";
  EXPECT_GT(report.down[0].packets + report.down[1].packets, 0);
  const FarEnd& far = network.wiring().far(5, 6);
  EXPECT_THAT(report.Text(network),
              HasSubstr(fmt::format("  switch 5 port 6: the link to switch {} port {} is down since "
                                    "cycle 2100 (--fail-link), ",
                                    far.node, far.port)));
}

/// Those in queues, and those that were granted before the link went down.
TEST(LinkFaults, EveryPacketInsideWaitsForALinkOrForCredit) {
  const auto dragonfly = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const int port : {0, 4}) {
    for (Cycle at = 1800; at < 1900; at += 20) {
      NetworkOptions options = Uniform();
      options.faults = {{3, port, at}};
      Network network(dragonfly, options);
      ASSERT_EQ(network.Run(), Ending::kStuck);
      const StallReport report(network);
      std::int64_t waiting = 0;
      for (const DownLink& link : report.down) waiting += link.packets;
      for (const StalledLane& lane : report.lanes) waiting += lane.packets;
      EXPECT_EQ(waiting, network.standing().in_flight) << port << " in cycle " << at;
    }
  }
}

TEST(LinkFaults, OfOneLinkTwiceAreRefused) {
  const auto dragonfly = topology::Build("dragonfly:p=2,a=4,h=2");
  Network network(dragonfly, Uniform());
  const FarEnd& far = network.wiring().far(5, 6);
  for (const LinkFault& again : {LinkFault{5, 6, 100}, LinkFault{5, 6, 900}, LinkFault{far.node, far.port, 900}}) {
    NetworkOptions options = Uniform();
    options.faults = {{5, 6, 100}, again};
    EXPECT_THROW(Network(dragonfly, options), UsageError) << again.node << "." << again.port;
  }
}

TEST(LinkFaults, OfLinksThatThereAreNotAreRefused) {
  for (const LinkFault& fault : {LinkFault{9, 0, 5}, LinkFault{0, 64, 5}, LinkFault{-1, 0, 5}, LinkFault{2, 15, 5}}) {
    NetworkOptions options = Uniform();
    options.faults = {fault};
    EXPECT_THROW(Network(Fat(), options), UsageError) << fault.node << "." << fault.port;
  }
}

}  // namespace
}  // namespace tilefly::network
