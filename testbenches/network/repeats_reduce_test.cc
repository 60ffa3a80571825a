// SPDX-License-Identifier: Apache-2.0
// Reductions in the switches over links that send damaged words again: every result is right, and none is lost.
#include <gtest/gtest.h>

#include "network/figures.h"
#include "network/reduction_check.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/repeating_run.h"
#include "testbenches/network/routed_run.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/systems.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

NetworkOptions Reduces(const std::string& traffic) {
  NetworkOptions options;
  options.warmup = 0;
  options.cycles = Cycle{1} << 40;
  UseJobs(workload::MakeWorkload(traffic, "", 72, workload::Allocation::kRandom, 5), &options);
  return options;
}

constexpr const char* kAllReduce = "allreduce:sharp,bytes=40000,iterations=3,check=yes";

TEST(ReducingDirtyLinks, GiveTheRightResults) {
  for (const double ber : {1e-6, 1e-5}) {
    Network network(Dragonfly(), Repeating(Reduces(kAllReduce), ber));
    ASSERT_EQ(network.Run(), Ending::kDrained) << ber;
    EXPECT_EQ(network.NotHome(), "");
    const workload::JobStatistics& job = network.statistics().jobs.at(0);
    EXPECT_EQ(job.ranks_done, 72);
    EXPECT_EQ(job.failure.cycle, kNever);
    EXPECT_EQ(network.statistics().lost, 0);
    EXPECT_GT(network.statistics().retry.replays, ber > 5e-6 ? 20 : 3);
    EXPECT_EQ(network.statistics().retry.broken_copies, network.statistics().retry.broken_ended);
  }
}

std::vector<Cycle> PhasesOf(const NetworkOptions& options, int processes, int threads) {
  const topology::Topology& topology = Dragonfly();
  std::vector<Cycle> phases;
  OnThreads(processes, [&](Processes& all) {
    NetworkOptions own = options;
    own.threads = threads;
    Network network(topology, own, &all);
    EXPECT_EQ(network.Run(), Ending::kDrained);
    const Figures figures(network);
    if (!all.first()) return;
    phases = figures.statistics.jobs.at(0).phase_end;
    phases.push_back(figures.statistics.retry.resent_words);
    for (Cycle& end : phases) end -= network.nics().begin;
  });
  return phases;
}

TEST(ReducingDirtyLinks, EqualCleanOnesAndAreTheSameOnProcessesAndThreads) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds, a minute with sanitizers: from tier ci on";
  NetworkOptions clean = Reduces(kAllReduce);
  clean.retry = true;
  EXPECT_EQ(PhasesOf(Repeating(clean, 1e-15), 1, 1), PhasesOf(clean, 1, 1));
  const NetworkOptions dirty = Repeating(clean, 5e-6);
  const std::vector<Cycle> whole = PhasesOf(dirty, 1, 1);
  EXPECT_NE(whole, PhasesOf(clean, 1, 1));
  EXPECT_EQ(PhasesOf(dirty, 2, 1), whole);
  EXPECT_EQ(PhasesOf(dirty, 3, 1), whole);
  EXPECT_EQ(PhasesOf(dirty, 1, 3), whole);
}

}  // namespace
}  // namespace tilefly::network
