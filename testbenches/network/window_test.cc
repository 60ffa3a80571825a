// SPDX-License-Identifier: Apache-2.0
// Windows of NICs (docs/network.md, Outstanding packets).
#include <gtest/gtest.h>

#include "support/errors.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/naive_system.h"
#include "testbenches/network/nic_runs.h"

namespace tilefly::network {
namespace {

/// Cycles from a lone packet's first word to its ack.
Cycle RoundTripOf(const topology::Topology& topology, int destination, int length) {
  NetworkOptions options = WithAcks();
  SendAtOnce(1, destination, length, &options);
  Network network(topology, options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(SumOf(network).acks, 1);
  return SumOf(network).acked_cycles;
}

/// The ack of packet k counts a cycle after it has come; then packet k + N starts, when its link is free.
TEST(NicWindow, CarriesSoManyPacketsARoundTrip) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  constexpr int kPackets = 200, kLength = 512;
  const int busy = SlotCyclesOf(WordsOf(kLength), 4);
  for (const int destination : {1, 60}) {
    const Cycle round = RoundTripOf(topology, destination, kLength) + 1;
    const auto enough = static_cast<int>((round + busy - 1) / busy);
    for (const int window : {1, 2, 7, enough - 1, enough}) {
      NetworkOptions options = WithAcks();
      options.nics.window = window;
      SendAtOnce(kPackets, destination, kLength, &options);
      Network network(topology, options);
      NicProbe probe(network.wiring());
      network.set_probe(&probe);
      ASSERT_EQ(network.Run(), Ending::kDrained);
      const std::vector<Cycle>& starts = probe.starts[0];
      ASSERT_EQ(starts.size(), static_cast<std::size_t>(kPackets));
      const Cycle lost = std::max<Cycle>(0, round - Cycle{window} * busy);  // cycles of each round
      for (int k = 0; k < kPackets; ++k)
        ASSERT_EQ(starts[k] - starts[0], k * Cycle{busy} + k / window * lost) << window << ": packet " << k;
      EXPECT_EQ(SumOf(network).window_cycles, (kPackets - 1) / window * lost);
      EXPECT_EQ(SumOf(network).stalled_cycles, 0);
      ExpectBooks(network);
    }
  }
}

TEST(NicWindow, IsTheMostWhereAcksTellOfEveryPacket) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = WithAcks();
  EXPECT_EQ(Network(topology, options).nics().window, 1024);
  options.acks = AckUse::kOff;
  EXPECT_EQ(Network(topology, options).nics().window, 0);
  options.acks = AckUse::kOn;
  LoseBeyond(200, &options);
  EXPECT_EQ(Network(topology, options).nics().window, 0);
  options.nics.resend = 1000;
  EXPECT_EQ(Network(topology, options).nics().window, 1024);
}

std::string RefusalOf(const NetworkOptions& options) {
  try {
    Network(topology::Build("dragonfly:p=2,a=4,h=2"), options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(NicWindow, IsRefusedWhereItCannotBeKept) {
  NetworkOptions options = WithAcks();
  options.nics.window = 5;
  EXPECT_EQ(RefusalOf(options), "");
  options.acks = AckUse::kOff;
  EXPECT_NE(RefusalOf(options).find("--acks on"), std::string::npos);
  options.nics.window.reset();
  options.nics.resend = 1000;
  EXPECT_NE(RefusalOf(options).find("--acks on"), std::string::npos);
  options = WithAcks();
  options.nics.window = 5;
  LoseBeyond(200, &options);
  EXPECT_NE(RefusalOf(options).find("--resend"), std::string::npos);
}

/// Waits are those of a system that looks in every cycle.
TEST(NicWindow, ASystemIsTheNaiveOne) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const bool bench : {false, true}) {
    for (const int window : {1, 6, 40}) {
      NetworkOptions options = WithAcks("adaptive_0");
      options.bench_timing = bench;
      options.traffic.pattern = "adversarial:1";
      options.traffic.load = 0.7;
      options.traffic.size = "64,500,2000";
      options.nics.window = window;
      Network network(topology, options);
      NaiveSystem naive(network);
      NicProbe probe(network.wiring());
      network.set_probe(&probe);
      ASSERT_EQ(network.Run(), Ending::kDrained);
      std::vector<Delivery> expected = naive.Run(network.cycle() + 1000);
      std::sort(expected.begin(), expected.end());
      std::sort(probe.deliveries.begin(), probe.deliveries.end());
      EXPECT_EQ(probe.deliveries, expected);
      EXPECT_EQ(SumOf(network).window_cycles, naive.waits.window);
      EXPECT_EQ(SumOf(network).stalled_cycles, naive.waits.credit);
      if (window < 40) EXPECT_GT(naive.waits.window, 1000);
      ExpectBooks(network);
    }
  }
}

}  // namespace
}  // namespace tilefly::network
