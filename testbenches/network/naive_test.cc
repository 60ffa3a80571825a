// SPDX-License-Identifier: Apache-2.0
// Systems deliver the same packets in the same cycles as the naive one: the lone switch, which is the golden Switch
// driven directly, and a dragonfly.
#include <gtest/gtest.h>

#include <algorithm>

#include "testbenches/bench/settings.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/naive_system.h"
#include "testbenches/network/routed_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

void ExpectNaive(const topology::Topology& topology, const NetworkOptions& options, std::size_t least) {
  Network network(topology, options);
  NaiveSystem naive(network);
  DeliveryProbe probe(network.wiring());
  network.set_probe(&probe);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  std::vector<Delivery> expected = naive.Run(network.cycle() + 2000);
  std::sort(expected.begin(), expected.end());
  std::sort(probe.deliveries.begin(), probe.deliveries.end());
  EXPECT_EQ(probe.deliveries, expected);
  EXPECT_GE(expected.size(), least);
  const std::vector<workload::JobStatistics>& jobs = network.statistics().jobs;
  ASSERT_EQ(jobs.size(), naive.jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    EXPECT_EQ(jobs[j].phase_end, naive.jobs[j].phase_end);
    EXPECT_EQ(jobs[j].last, naive.jobs[j].last);
    EXPECT_EQ(jobs[j].ranks_done, naive.jobs[j].ranks_done);
  }
}

TEST(Naive, ALoneSwitchIsTheGoldenSwitch) {
  for (const bool bench : {false, true}) {
    ExpectNaive(LoneSwitch(), Sized("uniform", 0.8, "32,512,4224", bench), 100);
    ExpectNaive(LoneSwitch(), Sized("hotspot:2:0.7", 1, "32,100", bench), 1000);
  }
}

TEST(Naive, ADragonflyIsItsSwitches) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2,arrangement=circulant");
  ExpectNaive(topology, Sized("uniform", 0.9, "32,64,512,4224", true), 500);
  ExpectNaive(topology, Sized("adversarial:3", 1, "512", true), 500);
  ExpectNaive(topology, Sized("bursts:8", 0.4, "200,2000", false), 500);
}

TEST(Naive, SlowNicsAndManyClasses) {
  NetworkOptions options = Sized("uniform", 0.8, "64,700", false);
  options.nic_lanes = 2;
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) options.traffic.classes.push_back({tc, 1.0 + tc, kTile8.mtu_bytes});
  ExpectNaive(topology::Build("dragonfly:p=2,a=4,h=2"), options, 500);
}

TEST(Naive, AdaptiveModesSeeTheSameLoads) {
  if (bench::TierFromEnvironment() == bench::Tier::kQuick) GTEST_SKIP() << "a minute with sanitizers: from tier ci on";
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const char* mode : {"adaptive_0", "adaptive_1", "adaptive_3", "valiant", "in_order"}) {
    NetworkOptions options = Sized("adversarial:1", 0.5, "64,512", true);
    options.routing = RoutingOptions::Named(mode);
    ExpectNaive(topology, options, 500);
  }
}

TEST(Naive, JobsEndInTheSameCycles) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const auto with = [&](const std::string& traffic, workload::Allocation allocation, bool bench) {
    NetworkOptions options;
    options.bench_timing = bench;
    options.warmup = 0;
    options.cycles = 1'000'000;
    UseJobs(workload::MakeWorkload(traffic, "", 72, allocation, 5), &options);
    return options;
  };
  using workload::Allocation;
  ExpectNaive(
      topology,
      with("halo3d:bytes=9000,compute=500ns,iterations=3,ranks=24+alltoall:bytes=100", Allocation::kRandom, true),
      2000);
  ExpectNaive(topology, with("allreduce:rabenseifner,bytes=20000,iterations=2", Allocation::kLinear, false), 500);
  NetworkOptions slow = with("sweep3d:bytes=1000,blocks=2,compute=100ns,ranks=20+gather:bytes=10000,ranks=30",
                             Allocation::kInterleaved, false);
  slow.hosts.message_overhead = 77;
  slow.hosts.packet_overhead = 33;
  slow.nic_lanes = 2;
  ExpectNaive(topology, slow, 500);
}

}  // namespace
}  // namespace tilefly::network
