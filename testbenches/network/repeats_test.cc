// SPDX-License-Identifier: Apache-2.0
// Links that send damaged words again (docs/network.md, Links with faults) against the naive system, which runs both halves
// of the retry block at every end of these links in every cycle.
#include <gtest/gtest.h>

#include <algorithm>

#include "testbenches/network/hand_made.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/naive_system.h"
#include "testbenches/network/routed_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

NetworkOptions Repeating(NetworkOptions options, double ber) {
  faults::Plan plan;
  plan.channel.word_ber = ber;
  options.retry = true;
  options.fault_plan = std::make_shared<const faults::Plan>(plan);
  return options;
}

void ExpectNaive(const topology::Topology& topology, const NetworkOptions& options, std::int64_t replays) {
  Network network(topology, options);
  NaiveSystem naive(network);
  DeliveryProbe probe(network.wiring());
  network.set_probe(&probe);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  std::vector<Delivery> expected = naive.Run(network.cycle() + 2000);
  std::sort(expected.begin(), expected.end());
  std::sort(probe.deliveries.begin(), probe.deliveries.end());
  EXPECT_EQ(probe.deliveries.size(), expected.size());
  EXPECT_TRUE(probe.deliveries == expected);
  const Statistics& sums = network.statistics();
  EXPECT_EQ(sums.in_flight(), 0);
  EXPECT_EQ(sums.delivered(), static_cast<std::int64_t>(expected.size()) - naive.CountBroken());
  EXPECT_EQ(sums.delivered() + sums.dropped(), sums.sent());
  EXPECT_EQ(sums.retry.resent_words, naive.repeats().resent_words);
  EXPECT_EQ(sums.retry.replays, naive.repeats().replays);
  EXPECT_EQ(sums.retry.nacks, naive.repeats().nacks);
  EXPECT_EQ(sums.retry.timeouts, naive.repeats().timeouts);
  EXPECT_EQ(sums.retry.broken_copies, sums.retry.broken_ended);
  EXPECT_GE(sums.retry.replays, replays);
  for (int n = 0; n < network.nodes(); ++n) {
    for (int port = 0; port < network.profile().ports; ++port) {
      for (const Counter counter : {Counter::kCreditsHealed, Counter::kOldStamps, Counter::kRxDamaged, Counter::kRxPackets}) {
        const int index = static_cast<int>(counter);
        EXPECT_EQ(network.node(n).golden()->ReadCounter(port, index), naive.ReadCounter(n, port, index))
            << "switch " << n << " port " << port << " counter " << index;
      }
    }
  }
}

TEST(RepeatingLinks, ADragonflyWithErrorsIsTheNaiveOne) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  ExpectNaive(topology, Repeating(Sized("uniform", 0.5, "64,512,4224", false), 1e-5), 10);
}

TEST(RepeatingLinks, WithoutAnErrorNothingMoves) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  ExpectNaive(topology, Repeating(Sized("uniform", 0.7, "64,512,4224", false), 1e-15), 0);
}

}  // namespace
}  // namespace tilefly::network
