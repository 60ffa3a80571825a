// SPDX-License-Identifier: Apache-2.0
// Flow channels in runs of golden beside golden, and what endpoints make of pauses (docs/blocks/flow_channel.md, NIC).
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "cosim/device_factory.h"
#include "cosim/endpoint/link_pauses.h"
#include "cosim/errors.h"
#include "golden/flows/flow_pause.h"
#include "runs/switch/switch_run.h"

namespace tilefly::cosim {
namespace {

runs::RunOptions FlowOptions(const char* ports, std::uint32_t seed) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.kinds = runs::ParsePortKinds(ports, 8);
  options.devices = {"golden", "golden"};
  options.generator.load = 0.9;
  options.generator.size = "64,300,1500";
  options.generator.classes = "0,1,2";
  options.generator.traffic = "hotspot:2,5:0.5";
  options.acks = 0.6;
  options.flow_channels = 1;
  options.seed = seed;
  options.max_cycles = 8000;
  return options;
}

/// Sums of counters over runs.
class Sums {
 public:
  void Run(const runs::RunOptions& options) {
    runs::SwitchRun run(options, MakeDevice("golden", kTile8), MakeDevice("golden", kTile8));
    const runs::Outcome outcome = run.Run({});
    ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << "seed " << options.seed << ": " << outcome.message;
    for (int port = 0; port < 8; ++port) {
      for (const Counter counter : kCounterValues) {
        sums_[counter] += run.lockstep().a().Counter(port, static_cast<int>(counter));
      }
      const Endpoint& endpoint = *run.endpoints()[static_cast<std::size_t>(port)];
      forged += endpoint.acks().forged();
      if (!run.setup().mode(port).flows) continue;
      started_in_pause += endpoint.pauses().started_in_pause();
      (endpoint.pauses().obeys() ? obeyed : ignored) += endpoint.pauses().received();
    }
  }
  std::uint64_t operator[](Counter counter) const { return sums_.at(counter); }

  std::int64_t forged = 0, obeyed = 0, ignored = 0, started_in_pause = 0;

 private:
  std::map<Counter, std::uint64_t> sums_;
};

/// Each run is checked by its scoreboard, its endpoints and golden's checker of FLOW-1 to FLOW-13, and drains.
TEST(FlowRun, PacketsAreHeldReleasedAndForgotten) {
  Sums sums;
  for (const char* ports : {"fabric", "enhanced", "mixed"}) {
    for (std::uint32_t seed = 1; seed <= 3; ++seed) ASSERT_NO_FATAL_FAILURE(sums.Run(FlowOptions(ports, seed)));
  }
  EXPECT_GT(sums[Counter::kFlowHeld], 500u);
  EXPECT_GT(sums[Counter::kFlowThrottled], 50u);
  EXPECT_GT(sums[Counter::kFlowLost], 20u);
  EXPECT_GT(sums[Counter::kFlowStray], 20u);
  EXPECT_GT(sums[Counter::kMarksIn], 100u);
  EXPECT_GT(sums.forged, 50);
  EXPECT_GT(sums.obeyed, 50);
  EXPECT_GT(sums.ignored, 50);
  EXPECT_GT(sums.started_in_pause, 50);
}

/// Beside frames for other switches, damaged and replicated ones, stalls, and links that go down.
TEST(FlowRun, BesideAllElse) {
  Sums sums;
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    runs::RunOptions options = FlowOptions(seed % 2 == 0 ? "fabric" : "mixed", seed);
    options.generator.routed = 0.4;
    options.generator.replicated = 0.02;
    options.generator.faults = 0.05;
    options.flow_channels = 0.6;
    options.stalls.share = 0.03;
    options.outages.every = seed % 3 == 0 ? 2000 : 0;
    options.link_delay = seed == 5 ? 40 : 0;
    ASSERT_NO_FATAL_FAILURE(sums.Run(options));
  }
  EXPECT_GT(sums[Counter::kFlowHeld], 100u);
  EXPECT_GT(sums[Counter::kRoutedMin] + sums[Counter::kRoutedNonmin], 100u);
}

TEST(FlowRun, WithLinksThatRepeat) {
  Sums sums;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    runs::RunOptions options = FlowOptions("fabric", seed);
    options.retry = 0.7;
    options.link_delay = 20;
    ASSERT_NO_FATAL_FAILURE(sums.Run(options));
  }
  EXPECT_GT(sums[Counter::kFlowHeld], 100u);
}

/// A port with flow channels, from whose link the flow {1, 2} went in, and whose endpoint obeys pauses or ignores them.
struct Pauses {
  explicit Pauses(bool obeys) : setup(kTile8, runs::ParsePortKinds("fabric", 8), 4) {
    setup.SetAcks(1, 1);
    setup.SetFlows(1, 1);
    frame.enh = true;
    frame.source = kPort;
    frame.header.tc = 1;
    frame.header.dst = 2;
    frame.bytes.resize(100);
    std::uint64_t seed = 0;
    do {
      pauses = std::make_unique<LinkPauses>(setup, kPort, ++seed);
    } while (pauses->obeys() != obeys);
    pauses->Started(0, frame);
  }
  void Receive(Cycle now, int tc, std::uint32_t dst, int period, int credit) {
    golden::FlowPause pause;
    pause.tc = static_cast<std::uint8_t>(tc);
    pause.destination = dst;
    pause.period = static_cast<std::uint8_t>(period);
    pause.credit = static_cast<std::uint16_t>(credit);
    Ctrl ctrl;
    golden::PutPause(pause, &ctrl);
    pauses->Receive(now, ctrl);
  }

  static constexpr int kPort = 3;
  SwitchSetup setup;
  Frame frame;
  std::unique_ptr<LinkPauses> pauses;
};

TEST(LinkPausesTest, AnEndpointObeysAPauseFromTheNextCycleOnForItsTimeAndBeyondItsCredit) {
  Pauses one(true);
  const int period = one.setup.flow_channel(Pauses::kPort).period;
  ASSERT_GT(period, 0);
  EXPECT_FALSE(one.pauses->Holds(100, one.frame));
  one.Receive(100, 1, 2, period, 0);
  EXPECT_TRUE(one.pauses->Holds(101, one.frame));
  EXPECT_TRUE(one.pauses->Holds(100 + 64 * period, one.frame));
  EXPECT_FALSE(one.pauses->Holds(101 + 64 * period, one.frame));
  Frame other = one.frame;
  other.header.tc = 2;
  EXPECT_FALSE(one.pauses->Holds(101, other)) << "another class";
  other = one.frame;
  other.header.hop = 1;
  EXPECT_FALSE(one.pauses->Holds(101, other)) << "it is not counted";
  one.Receive(200, 1, 2, 0, 0);
  EXPECT_FALSE(one.pauses->Holds(201, one.frame)) << "the pause is over";
  if (one.setup.flow_channel(Pauses::kPort).hold == 0) return;
  one.Receive(300, 1, 2, period, 1);
  EXPECT_FALSE(one.pauses->Holds(301, one.frame)) << "the credit may fall below 0";
  one.pauses->Started(301, one.frame);
  EXPECT_TRUE(one.pauses->Holds(302, one.frame));
  EXPECT_EQ(one.pauses->started_in_pause(), 1);
}

TEST(LinkPausesTest, AnEndpointMayIgnorePauses) {
  Pauses one(false);
  one.Receive(100, 1, 2, one.setup.flow_channel(Pauses::kPort).period, 0);
  EXPECT_FALSE(one.pauses->Holds(101, one.frame));
  EXPECT_EQ(one.pauses->received(), 1);
}

TEST(LinkPausesTest, APauseThatMakesNoSenseFails) {
  for (const bool obeys : {true, false}) {
    Pauses one(obeys);
    const int period = one.setup.flow_channel(Pauses::kPort).period, hold = one.setup.flow_channel(Pauses::kPort).hold;
    EXPECT_NO_THROW(one.Receive(100, 1, 2, period, hold));
    EXPECT_THROW(one.Receive(100, 1, 3, period, 0), CheckFailure) << "no packet of this flow went in";
    EXPECT_THROW(one.Receive(100, 1, 2, period + 1, 0), CheckFailure);
    EXPECT_THROW(one.Receive(100, 1, 2, period, hold + 1), CheckFailure);
    EXPECT_THROW(one.Receive(100, 1, 2, 0, 1), CheckFailure);
  }
  const SwitchSetup without(kTile8, runs::ParsePortKinds("fabric", 8), 4);
  LinkPauses none(without, 3, 1);
  Ctrl ctrl;
  golden::PutPause({2, 0, 1, 64}, &ctrl);
  EXPECT_THROW(none.Receive(10, ctrl), CheckFailure) << "the port has no flow channels";
}

}  // namespace
}  // namespace tilefly::cosim
