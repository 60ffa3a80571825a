// SPDX-License-Identifier: Apache-2.0
// What congestion control does against an incast (docs/blocks/flow_channel.md, What a contributor sees).
#include <gtest/gtest.h>

#include "support/random.h"
#include "testbenches/network/incast_run.h"
#include "testbenches/network/routed_run.h"

namespace tilefly::network {
namespace {

struct IncastShares {
  double destination, victim;
};

IncastShares SharesOf(const topology::Topology& topology, const Incast& incast, bool on) {
  Network network(topology, OptionsOf(incast, on));
  WordsProbe probe(network);
  network.set_probe(&probe);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  const double busy = probe.Share(-1, incast.destination, incast.settled, incast.stop);
  return {busy, probe.Share(incast.victim, incast.victim_to, incast.settled, incast.stop)};
}

/// The victim's share of its destination's link when it is alone.
double QuietOf(const topology::Topology& topology, Incast incast) {
  incast.contributors.clear();
  return SharesOf(topology, incast, false).victim;
}

void ExpectVictimGoesOn(const topology::Topology& topology, const Incast& incast) {
  const double quiet = QuietOf(topology, incast);
  const IncastShares on = SharesOf(topology, incast, true), off = SharesOf(topology, incast, false);
  EXPECT_NEAR(quiet, 0.5, 0.02);
  EXPECT_GE(on.victim, 0.95 * quiet);
  EXPECT_GE(on.destination, 0.95);
  EXPECT_GE(off.destination, 0.95);
  EXPECT_LE(off.victim, 0.8 * quiet) << "without congestion control the victim must suffer, or this shows nothing";
  testing::Test::RecordProperty("victim_on", std::to_string(on.victim / quiet));
  testing::Test::RecordProperty("victim_off", std::to_string(off.victim / quiet));
  testing::Test::RecordProperty("busy_on", std::to_string(on.destination));
}

TEST(Incast, OfEightSourcesLeavesAVictimItsBandwidth) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds: from tier ci on";
  const topology::Topology topology = topology::Build("dragonfly:p=4,a=4,h=2");
  for (const int length : {4096 + 62, 512}) {
    SCOPED_TRACE(length);
    Incast incast = IntoOneGroup(8);
    incast.length = length;
    ExpectVictimGoesOn(topology, incast);
  }
}

/// Fifty sources of fifty switches, drawn, at the size of Shandy. The first window keeps each source from sending what the
/// buffers of the network take before the first marks are back (docs/blocks/flow_channel.md, Measured in systems).
TEST(Incast, OfFiftySourcesAtTheSizeOfShandyLeavesAVictimItsBandwidth) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds, a minute with sanitizers: from tier ci on";
  const topology::Topology topology = topology::Build("preset:shandy");
  const auto endpoints = static_cast<std::uint32_t>(topology.endpoints.size());
  Incast incast;
  Stream random(7, 0, 0, Purpose::kOrder);
  std::vector<int> of_switch(topology.switches.size(), -1);
  incast.destination = 0;
  of_switch[static_cast<std::size_t>(topology.endpoints[0].port.at)] = 0;
  while (incast.contributors.size() < 50) {
    const auto endpoint = static_cast<int>(random.Below(endpoints));
    int& taken = of_switch[static_cast<std::size_t>(topology.endpoints[endpoint].port.at)];
    if (taken < 0) incast.contributors.push_back(taken = endpoint);
  }
  const auto beside = [&](int endpoint) {
    for (int e = 0; e < static_cast<int>(endpoints); ++e) {
      if (e != endpoint && topology.endpoints[e].port.at == topology.endpoints[endpoint].port.at) return e;
    }
    return -1;
  };
  incast.victim = beside(incast.contributors[0]);
  incast.victim_to = beside(incast.destination);
  incast.stop = incast.end = 400'000;
  incast.settled = 0;
  ExpectVictimGoesOn(topology, incast);
}

/// All sources but one come to an end. The last one then has 90 % of the link within a few round trips.
TEST(Incast, TheLastSourceRecovers) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds: from tier ci on";
  constexpr Cycle kRecovered = 8000, kFair = 48'000;
  const topology::Topology topology = topology::Build("dragonfly:p=4,a=4,h=2");
  for (const int count : {2, 8}) {
    Incast incast = IntoOneGroup(count);
    incast.victim = -1;
    incast.stop = kFair / count;  // what they send in this time comes in `kFair` cycles: each has its share of the link
    incast.on = 1;
    incast.end = 90'000;
    Network network(topology, OptionsOf(incast, true));
    WordsProbe probe(network);
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    Cycle over = 0;
    for (int i = 1; i < count; ++i) over = std::max(over, probe.LastOf(incast.contributors[i]));
    EXPECT_NEAR(static_cast<double>(over), kFair, 0.2 * kFair);
    const Cycle from = (over + kRecovered) / WordsProbe::kWindow * WordsProbe::kWindow;
    EXPECT_GE(probe.Share(incast.contributors[0], 0, from, from + 5 * WordsProbe::kWindow), 0.9) << count;
    EXPECT_LT(probe.Share(incast.contributors[0], 0, 20'000, 40'000), 1.3 / count) << "it had its share before";
  }
}

/// Incasts one after another: when one is over, no flow channel is throttled any more.
TEST(Incast, EpisodesLeaveNoFlowThrottled) {
  constexpr Cycle kGap = 30'000;
  const int episodes = Tier() == bench::Tier::kFull ? 1000 : Tier() == bench::Tier::kCi ? 200 : 20;
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = WithAcks("adaptive_0");
  options.congestion.on = true;
  options.congestion.channel.idle = 4;
  options.cycles = episodes * kGap;
  Stream random(3, 0, 0, Purpose::kOrder);
  const auto endpoints = static_cast<std::uint32_t>(topology.endpoints.size());
  for (int k = 0; k < episodes; ++k) {
    const auto destination = static_cast<int>(random.Below(endpoints));
    const int sources = 3 + static_cast<int>(random.Below(6)), packets = 12 + static_cast<int>(random.Below(12));
    for (int i = 0; i < sources; ++i) {
      const auto source = static_cast<int>(random.Below(endpoints));
      const int length = random.Below(2) == 0 ? 4096 : 100 + static_cast<int>(random.Below(1000));
      for (int j = 0; j < packets && source != destination; ++j)
        options.traffic.plan.push_back({k * kGap + j, source, destination, length});
    }
  }
  std::stable_sort(options.traffic.plan.begin(), options.traffic.plan.end(),
                   [](const PlannedPacket& a, const PlannedPacket& b) { return a.at < b.at; });
  Network network(topology, options);
  int throttled = 0;
  std::optional<Ending> ending;
  for (int k = 1; k <= episodes; ++k) {
    bool seen = false;
    for (Cycle at = 500; at < kGap && !ending; at += 500) {
      ending = network.RunTo(network.nics().begin + (k - 1) * kGap + at);
      seen |= CountThrottled(network).channels > 0;
    }
    throttled += seen;
    if (k < episodes) EXPECT_EQ(CountThrottled(network).channels, 0) << "episode " << k;  // the run ends with the last one
    EXPECT_EQ(network.standing().in_flight, 0) << "episode " << k;
  }
  if (!ending) ending = network.Run();
  EXPECT_EQ(ending, Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  EXPECT_GE(throttled, 3 * episodes / 4) << "incasts in which a flow was throttled";
}

}  // namespace
}  // namespace tilefly::network
