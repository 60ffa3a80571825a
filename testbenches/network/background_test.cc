// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic beside jobs: who sends it to whom, when it ends, and that nothing of it depends on slices,
// processes or checkpoints.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "network/wait_report.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/naive_system.h"
#include "testbenches/network/nic_runs.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/systems.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"
#include "workload/goal.h"

namespace tilefly::network {
namespace {

constexpr Cycle kTail = 2048;

NetworkOptions Beside(workload::Workload workload, const std::string& pattern, double load) {
  NetworkOptions options;
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  options.background.emplace();
  options.background->pattern = pattern;
  options.background->load = load;
  options.background->size = "64,700";
  options.background->endpoints = workload.Free();
  UseJobs(std::move(workload), &options);
  return options;
}

NetworkOptions Mixed(const std::string& pattern = "uniform", double load = 0.5) {
  return Beside(workload::MakeWorkload("pingpong:bytes=5000,ranks=4,iterations=2+alltoall:bytes=2000,ranks=8", "", 72,
                                       workload::Allocation::kRandom, 3),
                pattern, load);
}

Cycle LastOf(const Network& network) {
  Cycle last = 0;
  for (const workload::JobStatistics& job : network.statistics().jobs) last = std::max(last, job.last);
  return last;
}

TEST(Background, EndsTwoThousandCyclesAfterTheJobs) {
  Network network(Dragonfly(), Mixed());
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  const Statistics& statistics = network.statistics();
  EXPECT_EQ(network.nics().end, LastOf(network) + kTail);
  EXPECT_EQ(network.nics().measured.to, network.nics().end);
  EXPECT_EQ(statistics.jobs[0].ranks_done + statistics.jobs[1].ranks_done, 12);
  EXPECT_EQ(statistics.delivered(), statistics.sent());
  EXPECT_EQ(statistics.background.delivered, statistics.background.sent);
  const double slots = 60.0 * static_cast<double>(network.nics().end - network.nics().begin);
  const Nic::Queue queue = network.Remaining();
  EXPECT_EQ(queue.background_words, queue.measured_words);
  EXPECT_NEAR(static_cast<double>(statistics.background_words + queue.background_words) / slots, 0.5, 0.02);
}

/// Of every pattern. Numbers in patterns count the endpoints without a job.
TEST(Background, KeepsToTheEndpointsWithoutAJob) {
  for (const char* pattern : {"uniform", "adversarial:1", "permutation:random", "bursts:4", "cbr", "incast:3"}) {
    const NetworkOptions options = Mixed(pattern, 0.05);
    Network network(Dragonfly(), options);
    NicProbe probe(network.wiring());
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained) << pattern;
    const workload::Workload& workload = *options.hosts.workload;
    std::set<int> sent;
    for (const Delivery& one : probe.deliveries) {
      const auto endpoint = [&](std::uint32_t address) {
        const std::vector<std::uint32_t>& all = network.nics().addresses;
        return static_cast<int>(std::find(all.begin(), all.end(), address) - all.begin());
      };
      const int from = endpoint(one.source), to = endpoint(one.destination);
      EXPECT_EQ(workload.seats[from].job, workload.seats[to].job) << pattern;
      if (workload.seats[from].job >= 0) continue;
      sent.insert(from);
      if (pattern == std::string("incast:3")) EXPECT_EQ(to, options.background->endpoints[3]);
    }
    EXPECT_GT(sent.size(), 40u) << pattern;
  }
}

TEST(Background, DeliversInTheCyclesOfTheNaiveSystem) {
  for (const bool bench : {false, true}) {
    const auto small = topology::Build("dragonfly:p=2,a=2,h=1");
    NetworkOptions options = Beside(workload::MakeWorkload("pingpong:bytes=5000,ranks=2,iterations=2+alltoall:ranks=3",
                                                           "", 12, workload::Allocation::kRandom, 3),
                                    "uniform", 0.8);
    options.bench_timing = bench;
    Network network(small, options);
    NaiveSystem naive(network);
    DeliveryProbe probe(network.wiring());
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    std::vector<Delivery> expected = naive.Run(network.cycle() + 2000);
    std::sort(expected.begin(), expected.end());
    std::sort(probe.deliveries.begin(), probe.deliveries.end());
    EXPECT_EQ(probe.deliveries, expected);
    EXPECT_GE(expected.size(), 500u);
    for (int job : {0, 1}) EXPECT_EQ(network.statistics().jobs[job].phase_end, naive.jobs[job].phase_end);
  }
}

std::string TextOn(int size, const NetworkOptions& options, const topology::Topology& topology = Dragonfly()) {
  std::string text;
  OnThreads(size, [&](Processes& processes) {
    Network network(topology, options, &processes);
    const Ending ending = network.Run();
    const Figures figures(network);
    if (processes.first()) text = fmt::format("end {}\n", network.nics().end) + Text(network, ending, figures);
  });
  return text;
}

TEST(Background, IsTheSameForAllLookaheadsAndProcesses) {
  for (const bool bench : {false, true}) {
    NetworkOptions options = Mixed("uniform", 0.7);
    options.bench_timing = bench;
    const std::string one = TextOn(1, options);
    EXPECT_NE(one.find("ending 0 "), std::string::npos) << one.substr(0, 200);
    for (const int size : {2, 5}) EXPECT_EQ(TextOn(size, options), one) << size;
    options.lookahead = 7;
    options.order = 2;
    EXPECT_EQ(TextOn(1, options), one);
    EXPECT_EQ(TextOn(3, options), one);
    options.whole = true;
    options.lookahead = 0;
    EXPECT_EQ(TextOn(1, options), one) << "one domain";
  }
}

/// Rounds would be longer than the background goes on after the jobs.
TEST(Background, IsTheSameOverLongCables) {
  const auto far = topology::Build("dragonfly:p=2,a=2,h=1,global_cable=3000m");
  NetworkOptions options =
      Beside(workload::MakeWorkload("pingpong:ranks=4,iterations=2", "", 12, workload::Allocation::kLinear, 3),
             "uniform", 0.5);
  const std::string one = TextOn(1, options, far);
  EXPECT_NE(one.find("ending 0 "), std::string::npos) << one.substr(0, 200);
  for (const int size : {2, 3}) EXPECT_EQ(TextOn(size, options, far), one) << size;
  options.lookahead = 100;
  EXPECT_EQ(TextOn(2, options, far), one);
  options.whole = true;
  EXPECT_EQ(TextOn(1, options, far), one) << "one domain";
}

TEST(Background, GoesOnFromACheckpoint) {
  const NetworkOptions options = Mixed("bursts:3", 0.6);
  Network whole(Dragonfly(), options);
  const Ending ending = whole.Run();
  const std::string text = Text(whole, ending, Figures(whole));
  const Cycle last = LastOf(whole) - whole.nics().begin;
  for (const Cycle at : {Cycle{1500}, last + 1100, last + kTail + 200}) {
    std::deque<SavedBytes> pieces;
    Network first(Dragonfly(), options);
    ASSERT_FALSE(first.RunTo(first.nics().begin + at).has_value());
    first.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
    Network second(Dragonfly(), options);
    second.Load([&] {
      SavedBytes piece = std::move(pieces.front());
      pieces.pop_front();
      return piece;
    });
    const Ending end = second.Run();
    EXPECT_EQ(Text(second, end, Figures(second)), text) << at;
  }
}

/// Two ranks, each of which waits for the other: the background does not keep the run going for ever.
TEST(Background, EndsWithJobsThatWaitForEver) {
  const char* const text =
      "num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\n"
      "rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}\n";
  workload::Workload workload;
  workload.seats.resize(72);
  workload.jobs.emplace_back();
  workload.jobs[0].schedule = workload::ParseGoal(text, "test.goal");
  workload.jobs[0].plan = workload::MakePlan(workload.jobs[0].schedule);
  workload::Allocate(workload::Allocation::kLinear, 1, &workload);
  NetworkOptions options = Beside(std::move(workload), "uniform", 0.1);
  options.stall_cycles = 3000;
  Network network(Dragonfly(), options);
  EXPECT_EQ(network.Run(), Ending::kWaiting);
  EXPECT_TRUE(network.jobs_stood_still());
  EXPECT_EQ(network.statistics().in_flight(), 0);
  EXPECT_LT(network.cycle() - network.nics().begin, 20000);
  EXPECT_EQ(WaitReport(network).cycle.size(), 2u);
}

/// Beside an incast the packets of jobs wait for longer than --stall-cycles.
TEST(Background, HoldsPacketsUpWithoutEndingTheirJobs) {
  Network network(Dragonfly(), Mixed("incast:3", 0.2));
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_FALSE(network.jobs_stood_still());
  EXPECT_GT(network.statistics().jobs[1].message_latency.Quantile(1), network.options().stall_cycles);
}

/// A host that computes for longer than --stall-cycles does not stand still.
TEST(Background, WaitsForHostsThatWork) {
  NetworkOptions options = Beside(
      workload::MakeWorkload("halo3d:ranks=8,compute=50us,iterations=2", "", 72, workload::Allocation::kLinear, 3),
      "uniform", 0.01);
  options.stall_cycles = 500;
  Network network(Dragonfly(), options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.nics().end, LastOf(network) + kTail);
}

/// Reductions in switches are jobs as others are.
TEST(Background, EndsAfterReductions) {
  NetworkOptions options = Beside(workload::MakeWorkload("allreduce:sharp,bytes=20000,iterations=3,check=yes,ranks=20",
                                                         "", 72, workload::Allocation::kRandom, 3),
                                  "uniform", 0.6);
  const std::string one = TextOn(1, options);
  EXPECT_NE(one.find("ending 0 "), std::string::npos) << one.substr(0, 200);
  EXPECT_EQ(TextOn(4, options), one);
}

/// Idle jobs change nothing of what the others do.
TEST(Background, AJobAloneIsWhatItIsWithoutTheOthers) {
  const std::string pair = "pingpong:bytes=5000,ranks=4+alltoall:bytes=2000,ranks=20";
  workload::Workload kept = workload::MakeWorkload(pair, "", 72, workload::Allocation::kInterleaved, 3);
  std::string places;
  for (const int endpoint : kept.jobs[0].endpoints) places += (places.empty() ? "" : "/") + std::to_string(endpoint);
  workload::RunOnly("0", &kept);
  EXPECT_FALSE(kept.jobs[0].idle);
  EXPECT_TRUE(kept.jobs[1].idle);
  const auto run = [](workload::Workload workload) {
    NetworkOptions options;
    options.cycles = Cycle{1} << 40;
    options.warmup = 0;
    UseJobs(std::move(workload), &options);
    Network network(Dragonfly(), options);
    EXPECT_EQ(network.Run(), Ending::kDrained);
    return network.statistics().jobs[0].phase_end;
  };
  EXPECT_EQ(run(std::move(kept)),
            run(workload::MakeWorkload("pingpong:bytes=5000,at=" + places, "", 72, workload::Allocation::kLinear, 3)));
}

}  // namespace
}  // namespace tilefly::network
