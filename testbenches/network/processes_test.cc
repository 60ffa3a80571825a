// SPDX-License-Identifier: Apache-2.0
// No result depends on the number of processes. Here they are threads; testbenches/mpi has the program under mpirun.
#include "network/processes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "network/figures.h"
#include "network/stall_report.h"
#include "network/wait_report.h"
#include "support/errors.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"
#include "workload/goal.h"

namespace tilefly::network {
namespace {

NetworkOptions Loaded(const std::string& pattern) {
  NetworkOptions options;
  options.traffic.pattern = pattern;
  options.traffic.load = 0.6;
  options.traffic.size = "64,496,4096";
  options.cycles = 4000;
  options.warmup = 1000;
  options.seed = 5;
  options.stalls = true;
  options.journeys.slowest = 5;
  options.journeys.packets = {{0, 3}, {5, 1}};
  return options;
}

struct Outcome {
  std::string figures;
  std::string stall;
  std::string waits;
};

/// A run on `size` processes as the first one sees it; ended when `stop` is reached.
Outcome RunOn(int size, const topology::Topology& topology, const NetworkOptions& options, Cycle stop = kNever) {
  Outcome outcome;
  OnThreads(size, [&](Processes& processes) {
    Network network(topology, options, &processes);
    const Ending ending = network.Run([&](Cycle cycle) { return cycle >= stop; });
    const Figures figures(network);
    const StallReport report(network);
    std::string waits;
    if (ending == Ending::kWaiting) waits = WaitReport(network).Text(network);
    if (processes.first()) outcome = {Text(network, ending, figures), report.Text(network), waits};
  });
  return outcome;
}

class RanksOf : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(RanksOf, AnyNumberOfProcessesGivesTheSame) {
  const auto& [name, pattern] = GetParam();
  const auto topology = topology::Build(name);
  const NetworkOptions options = Loaded(pattern);
  const Outcome one = RunOn(1, topology, options);
  EXPECT_EQ(one.figures.rfind("ending 0 ", 0), 0u) << one.figures.substr(0, 200);
  for (const int size : {2, 3, 4}) EXPECT_EQ(RunOn(size, topology, options).figures, one.figures) << size;
}

INSTANTIATE_TEST_SUITE_P(Systems, RanksOf,
                         testing::Combine(testing::Values("dragonfly:p=2,a=4,h=2",
                                                          "aries:p=2,chassis=2,blades=4,h=2,g=4",
                                                          "dragonfly:p=4,a=4,h=3,g=4,links=4,nics=2"),
                                          testing::Values("uniform", "adversarial:1")));

/// Idle rounds are skipped by all, also by a process that has nothing due for long.
TEST(Processes, LongIdleSystemsAreSkipped) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options;
  options.cycles = Cycle{1} << 40;
  options.traffic.plan = {{0, 3, 60, 512}, {(Cycle{1} << 40) - 10, 60, 3, 512}};
  const Outcome one = RunOn(1, topology, options);
  EXPECT_NE(one.figures.find("class 2 2 "), std::string::npos) << one.figures.substr(0, 400);
  for (const int size : {2, 9}) EXPECT_EQ(RunOn(size, topology, options).figures, one.figures) << size;
}

TEST(Processes, AStoppedRunIsTheSame) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const Outcome one = RunOn(1, topology, Loaded("uniform"), 3000);
  EXPECT_EQ(one.figures.rfind("ending 2 ", 0), 0u) << one.figures.substr(0, 200);
  for (const int size : {2, 4}) EXPECT_EQ(RunOn(size, topology, Loaded("uniform"), 3000).figures, one.figures) << size;
}

/// A dragonfly on one lane deadlocks, over several groups: no process knows the whole cycle.
TEST(Processes, TheStallReportIsTheSame) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = Loaded("uniform");
  options.bench_timing = true;
  options.plan = OneLane(topology);
  options.traffic.load = 1;
  options.cycles = 60000;
  options.stall_cycles = 3000;
  const Outcome one = RunOn(1, topology, options);
  EXPECT_EQ(one.figures.rfind("ending 1 ", 0), 0u) << one.figures.substr(0, 200);
  EXPECT_NE(one.stall.find("a cycle of "), std::string::npos) << one.stall;
  for (const int size : {2, 3, 9}) {
    const Outcome other = RunOn(size, topology, options);
    EXPECT_EQ(other.figures, one.figures) << size;
    EXPECT_EQ(other.stall, one.stall) << size;
  }
}

NetworkOptions With(workload::Workload workload) {
  NetworkOptions options = Loaded("uniform");
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  UseJobs(std::move(workload), &options);
  return options;
}

TEST(Processes, JobsAreTheSame) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const char* pattern : {"allreduce:rabenseifner,bytes=20000,iterations=2", "alltoall:bytes=3000"}) {
    const NetworkOptions options = With(workload::MakeWorkload(pattern, "", 72, workload::Allocation::kRandom, 3));
    const Outcome one = RunOn(1, topology, options);
    EXPECT_EQ(one.figures.rfind("ending 0 ", 0), 0u) << one.figures.substr(0, 200);
    for (const int size : {2, 5}) EXPECT_EQ(RunOn(size, topology, options).figures, one.figures) << pattern << size;
  }
}

/// Three ranks in three groups, each of which waits for the one before.
TEST(Processes, WhoWaitsForWhomIsTheSame) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  std::string text = "num_ranks 3\n";
  for (int r = 0; r < 3; ++r) {
    text += fmt::format("rank {} {{\na: recv 8b from {} tag 7\nb: send 8b to {} tag 7\nb requires a\n}}\n", r,
                        (r + 2) % 3, (r + 1) % 3);
  }
  workload::Workload workload;
  workload.seats.resize(72);
  workload.jobs.emplace_back();
  workload.jobs[0].schedule = workload::ParseGoal(text, "test.goal");
  workload.jobs[0].plan = workload::MakePlan(workload.jobs[0].schedule);
  workload::Allocate(workload::Allocation::kInterleaved, 1, &workload);
  const NetworkOptions options = With(std::move(workload));
  const Outcome one = RunOn(1, topology, options);
  EXPECT_NE(one.waits.find("a cycle of 3"), std::string::npos) << one.figures.substr(0, 200) << one.waits;
  for (const int size : {2, 9}) {
    const Outcome other = RunOn(size, topology, options);
    EXPECT_EQ(other.figures, one.figures) << size;
    EXPECT_EQ(other.waits, one.waits) << size;
  }
}

std::string RefusalOf(int size, const topology::Topology& topology) {
  try {
    OnThreads(size, [&](Processes& processes) { Network network(topology, Loaded("uniform"), &processes); });
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Processes, MoreThanGroupsAreRefused) {
  const std::string many = RefusalOf(10, topology::Build("dragonfly:p=2,a=4,h=2"));
  EXPECT_NE(many.find("10 processes for 9 groups; start at most 9"), std::string::npos) << many;
  const std::string tree = RefusalOf(2, topology::Build("tree:k=4,n=2"));
  EXPECT_NE(tree.find("not divided into groups"), std::string::npos) << tree;
  EXPECT_NE(tree.find("without mpirun"), std::string::npos) << tree;
}

/// Fails in the step of a cycle.
class FailingProbe : public NodeProbe {
 public:
  void Stepped(int, Cycle now, const golden::Switch&) override {
    if (now > 3000) throw std::logic_error("planted");
  }
  void ToldCredit(int, int, const LinkCredit&) override {}
};

TEST(Processes, AFailureOfOneEndsAll) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  EXPECT_THROW(OnThreads(3,
                         [&](Processes& processes) {
                           Network network(topology, Loaded("uniform"), &processes);
                           FailingProbe probe;
                           if (processes.index() == 1) network.set_probe(&probe);
                           network.Run();
                         }),
               std::logic_error);
}

}  // namespace
}  // namespace tilefly::network
