// SPDX-License-Identifier: Apache-2.0
// Links that send damaged words again (docs/network.md, Links with faults) against the naive system, which runs both halves
// of the retry block at every end of these links in every cycle.
#include <gtest/gtest.h>

#include <algorithm>

#include "testbenches/network/hand_made.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/naive_system.h"
#include "testbenches/network/repeating_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

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

topology::Topology Dragonfly() { return topology::Build("dragonfly:p=2,a=4,h=2"); }

TEST(RepeatingLinks, ADragonflyWithErrorsIsTheNaiveOne) {
  ExpectNaive(Dragonfly(), Repeating(Sized("uniform", 0.5, "64,512,4224", false), 1e-5), 100);
}

TEST(RepeatingLinks, AreNaiveWithBurstsAndEventsOfThePlan) {
  NetworkOptions options = Sized("adversarial:1", 0.4, "32,1024", false);
  faults::Plan plan;
  plan.seed = 9;
  plan.channel.word_ber = 3e-6;
  plan.channel.burst = 5;
  const auto event = [&](Cycle at, faults::EventKind kind, int port, faults::Direction direction, int count, double value) {
    faults::PlannedEvent one;
    one.at = at;
    one.kind = kind;
    one.link = {faults::LinkName::End::kSwitchPort, 3, port};
    one.direction = direction;
    one.count = count;
    one.value = value;
    plan.events.push_back(one);
  };
  event(700, faults::EventKind::kDropWord, 3, faults::Direction::kOut, 7, 0);
  event(900, faults::EventKind::kBadWord, 4, faults::Direction::kBoth, 40, 0);
  event(1500, faults::EventKind::kBer, 5, faults::Direction::kIn, 1, 1e-4);
  event(2500, faults::EventKind::kBer, 5, faults::Direction::kIn, 1, 0);
  ExpectNaive(Dragonfly(), With(options, plan), 20);
}

TEST(RepeatingLinks, AreNaiveOnShortLinksWithAdaptiveRoutingAndAcks) {
  NetworkOptions options = Repeating(Sized("uniform", 0.6, "64,512", true), 2e-5);
  options.routing = RoutingOptions::Named("adaptive_0");
  options.cycles = 2000;
  ExpectNaive(Dragonfly(), options, 50);
  options = Repeating(Sized("adversarial:1", 0.4, "64,512", false), 1e-5);
  options.acks = AckUse::kOn;
  options.cycles = 2000;
  options.routing = RoutingOptions::Named("adaptive_0");
  ExpectNaive(Dragonfly(), options, 50);
}

TEST(RepeatingLinks, AreNaiveWhereSomeLinksDamageNothing) {
  faults::Plan plan;
  faults::PlannedLink link;
  link.link = {faults::LinkName::End::kSwitchPort, 0, 2};
  link.rates.word_ber = 1e-4;
  plan.links.push_back(link);
  NetworkOptions options = With(Sized("uniform", 0.5, "64,512", false), plan);
  ExpectNaive(Dragonfly(), options, 5);
}

}  // namespace
}  // namespace tilefly::network
