// SPDX-License-Identifier: Apache-2.0
// Runs that are cut: all that is counted has come by the cycle of the end, and is what a run of so many cycles has.
#include "testbenches/network/delivery_probe.h"
#include "testbenches/network/routed_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

/// What came to NICs: packets by their last words, and acks.
class Arrivals : public DeliveryProbe {
 public:
  explicit Arrivals(const Network& network) : DeliveryProbe(network.wiring()), wiring_(network.wiring()) {}
  void Carries(const LinkEvent& event) override {
    const FarEnd& far = wiring_.far(event.node, event.port);
    if (event.kind == LinkKind::kAck && far.endpoint >= 0) acks.push_back(event.wire + far.delay);
  }
  std::vector<Cycle> acks;

 private:
  const Wiring& wiring_;
};

std::int64_t SumOf(const Figures& figures, std::int64_t Nic::Counters::*counter) {
  std::int64_t sum = 0;
  for (const NodeFigures& node : figures.nodes) {
    for (const Nic::Counters& nic : node.nics) sum += nic.*counter;
  }
  return sum;
}

/// The run that ends its traffic by itself in the cycle of the cut has sent and received the same until then.
void ExpectTheSameLoads(const topology::Topology& topology, NetworkOptions options, const Network& cut) {
  options.cycles = cut.nics().end - cut.nics().begin;
  Network whole(topology, options);
  ASSERT_EQ(whole.Run(), Ending::kDrained);
  const Statistics& sums = cut.statistics();
  EXPECT_EQ(sums.sent(), whole.statistics().sent());
  EXPECT_EQ(sums.offered_words, whole.statistics().offered_words);
  EXPECT_EQ(sums.accepted_words, whole.statistics().accepted_words);
  EXPECT_EQ(cut.Remaining().packets, whole.Remaining().packets);
}

void ExpectWhatHasCome(const topology::Topology& topology, const NetworkOptions& options, Cycle stop) {
  Network network(topology, options);
  Arrivals seen(network);
  network.set_probe(&seen);
  const Cycle begin = network.nics().begin;
  ASSERT_EQ(network.Run([&](Cycle cycle) { return cycle >= begin + stop; }), Ending::kStopped);
  const Cycle end = network.cycle();
  EXPECT_GE(end, begin + stop);
  EXPECT_LT(end, begin + stop + 2000);
  const Statistics& sums = network.statistics();
  const auto come = std::count_if(seen.deliveries.begin(), seen.deliveries.end(),
                                  [&](const Delivery& one) { return one.last < end; });
  EXPECT_EQ(sums.delivered(), come);
  EXPECT_EQ(sums.in_flight(), sums.sent() - come);
  EXPECT_EQ(static_cast<std::int64_t>(network.WhatIsLeft().records), sums.in_flight());
  const Figures figures(network);
  const auto acks = std::count_if(seen.acks.begin(), seen.acks.end(), [&](Cycle wire) { return wire < end; });
  EXPECT_LE(SumOf(figures, &Nic::Counters::acks), acks);
  if (options.nics.resend == 0) EXPECT_EQ(SumOf(figures, &Nic::Counters::acks), acks);
  ExpectTheSameLoads(topology, options, network);
}

TEST(Cut, CountsWhatHasCome) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const bool bench : {false, true}) {
    for (const bool acks : {false, true}) {
      NetworkOptions options = With("min", "uniform", 0.7, 100000);
      options.traffic.size = "64,512,4096";
      options.warmup = 500;
      options.bench_timing = bench;
      options.acks = acks ? AckUse::kOn : AckUse::kOff;
      for (const Cycle stop : {1000, 2500, 4321}) ExpectWhatHasCome(topology, options, stop);
    }
  }
}

TEST(Cut, CountsCopiesThatHaveCome) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = With("min", "uniform", 0.5, 100000);
  options.warmup = 500;
  options.acks = AckUse::kOn;
  options.nics.resend = 5000;
  for (const Cycle stop : {1000, 3000}) ExpectWhatHasCome(topology, options, stop);
}

/// It is ended while registers are written.
TEST(Cut, BeforeTrafficNothingHappens) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  Network network(topology, With("min", "uniform", 0.5, 100000));
  ASSERT_EQ(network.Run([](Cycle) { return true; }), Ending::kStopped);
  EXPECT_LE(network.cycle(), network.nics().begin);
  EXPECT_EQ(network.statistics().sent(), 0);
}

}  // namespace
}  // namespace tilefly::network
