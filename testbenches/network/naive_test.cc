// SPDX-License-Identifier: Apache-2.0
// Systems deliver the same packets in the same cycles as the naive one: the lone switch, which is the golden Switch
// driven directly, and a dragonfly.
#include <gtest/gtest.h>

#include <algorithm>

#include "testbenches/network/hand_made.h"
#include "testbenches/network/naive_system.h"
#include "topology/builder.h"

namespace tilefly::golden {
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
}

NetworkOptions With(const std::string& pattern, double load, const std::string& size, bool bench) {
  NetworkOptions options;
  options.bench_timing = bench;
  options.traffic.pattern = pattern;
  options.traffic.load = load;
  options.traffic.size = size;
  options.cycles = 3000;
  options.warmup = 0;
  return options;
}

TEST(Naive, ALoneSwitchIsTheGoldenSwitch) {
  for (const bool bench : {false, true}) {
    ExpectNaive(LoneSwitch(), With("uniform", 0.8, "32,512,4224", bench), 100);
    ExpectNaive(LoneSwitch(), With("hotspot:2:0.7", 1, "32,100", bench), 1000);
  }
}

TEST(Naive, ADragonflyIsItsSwitches) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2,arrangement=circulant");
  ExpectNaive(topology, With("uniform", 0.9, "32,64,512,4224", true), 500);
  ExpectNaive(topology, With("adversarial:3", 1, "512", true), 500);
  ExpectNaive(topology, With("bursts:8", 0.4, "200,2000", false), 500);
}

TEST(Naive, SlowNicsAndManyClasses) {
  NetworkOptions options = With("uniform", 0.8, "64,700", false);
  options.nic_lanes = 2;
  for (int tc = 0; tc < kMaxClasses; ++tc) options.traffic.classes.push_back({tc, 1.0 + tc, kTile8.mtu_bytes});
  ExpectNaive(topology::Build("dragonfly:p=2,a=4,h=2"), options, 500);
}

}  // namespace
}  // namespace tilefly::golden
