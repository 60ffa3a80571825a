// SPDX-License-Identifier: Apache-2.0
// Edge ports of the ack network in a run of golden alone: endpoints answer, and see what comes back.
#include <gtest/gtest.h>

#include "cosim/device_factory.h"
#include "cosim/errors.h"
#include "golden/acks/ack_route.h"
#include "runs/switch/switch_run.h"

namespace tilefly::cosim {
namespace {

runs::RunOptions AckOptions(const char* ports, double share) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.kinds = runs::ParsePortKinds(ports, 8);
  options.devices = {"golden"};
  options.generator.load = 0.7;
  options.generator.size = "64,300";
  options.generator.routed = 0.5;
  options.acks = share;
  options.max_cycles = 4000;
  return options;
}

TEST(AckRun, PacketsAreAnsweredOnBothSides) {
  for (const char* ports : {"fabric", "enhanced", "mixed"}) {
    runs::SwitchRun run(AckOptions(ports, 0.5), MakeDevice("golden", kTile8), nullptr);
    const runs::Outcome outcome = run.Run({});
    ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << ports << ": " << outcome.message;
    std::uint64_t made = 0, back = 0;
    std::int64_t sent = 0, received = 0;
    for (int port = 0; port < 8; ++port) {
      made += run.lockstep().a().Counter(port, static_cast<int>(Counter::kAcksMade));
      back += run.lockstep().a().Counter(port, static_cast<int>(Counter::kAcksIn));
      const LinkAcks& acks = run.endpoints()[static_cast<std::size_t>(port)]->acks();
      EXPECT_EQ(acks.sent() != 0 && run.setup().mode(port).acks, false) << "the switch answers there";
      sent += acks.sent();
      received += acks.received();
    }
    EXPECT_GT(made, 200u) << ports;
    EXPECT_GT(back, 100u) << ports;
    EXPECT_GT(sent, 100) << ports;
    EXPECT_GT(received, 100) << ports;
  }
}

/// Of the edge ports those with flow channels mark acks.
TEST(AckRun, EdgePortsWithFlowChannelsMarkAcks) {
  for (const double share : {0.0, 1.0}) {
    runs::RunOptions options = AckOptions("fabric", 0.8);
    options.flow_channels = share;
    options.generator.load = 1;
    options.generator.traffic = "hotspot:2,5:0.6";
    runs::SwitchRun run(options, MakeDevice("golden", kTile8), nullptr);
    const runs::Outcome outcome = run.Run({});
    ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
    std::uint64_t marks = 0;
    for (int port = 0; port < 8; ++port) {
      const std::uint64_t made = run.lockstep().a().Counter(port, static_cast<int>(Counter::kMarksMade));
      const PortMode& mode = run.setup().mode(port);
      EXPECT_TRUE(share < 1 || mode.flows == mode.acks);
      EXPECT_TRUE(mode.flows || made == 0);
      marks += made;
    }
    EXPECT_EQ(marks > 50, share == 1) << marks;
  }
}

TEST(AckRun, WithoutTheOptionThereAreNone) {
  runs::SwitchRun run(AckOptions("fabric", 0), MakeDevice("golden", kTile8), nullptr);
  ASSERT_EQ(run.Run({}).verdict, runs::Verdict::kPass);
  for (const auto& endpoint : run.endpoints()) EXPECT_EQ(endpoint->acks().sent() + endpoint->acks().received(), 0);
}

TEST(AckRun, PortsWithFlowChannelsMarkSomeOfTheirAcks) {
  runs::RunOptions options = AckOptions("enhanced", 0.7);
  options.generator.traffic = "hotspot:2,5:0.7";
  options.generator.load = 1;
  options.flow_channels = 0.6;
  runs::SwitchRun run(options, MakeDevice("golden", kTile8), nullptr);
  const runs::Outcome outcome = run.Run({});
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  std::uint64_t made = 0, marks = 0;
  for (int port = 0; port < 8; ++port) {
    const PortMode& mode = run.setup().mode(port);
    EXPECT_TRUE(mode.acks || !mode.flows) << port;
    const auto count = [&](Counter counter) { return run.lockstep().a().Counter(port, static_cast<int>(counter)); };
    if (!mode.flows) EXPECT_EQ(count(Counter::kMarksMade), 0u) << port;
    made += mode.flows ? count(Counter::kAcksMade) : 0;
    marks += count(Counter::kMarksMade);
  }
  EXPECT_NE(run.setup().flow_ports(), 0u);
  EXPECT_GT(marks, 50u);
  EXPECT_GT(made - marks, 50u);
}

TEST(AckRun, AnAckThatCameTheWrongWayFails) {
  const SwitchSetup setup(kTile8, runs::ParsePortKinds("fabric", 8), 4);
  LinkAcks acks(setup, 3, 1);
  Ack ack;
  ack.port = 3;
  ack.path = 5 | 3 << 6;
  const auto receive = [&](int hops) {
    ack.hops = static_cast<std::uint8_t>(hops);
    Ctrl ctrl;
    golden::PutAck(ack, &ctrl);
    acks.Receive(10, ctrl);
  };
  EXPECT_NO_THROW(receive(0)) << "of the source's switch";
  EXPECT_NO_THROW(receive(1)) << "of two hops, of which one is left";
  EXPECT_THROW(receive(2), CheckFailure);
  EXPECT_THROW(receive(5), CheckFailure);
  ack.port = 4;
  EXPECT_THROW(receive(0), CheckFailure) << "its way was by port 5 or 4";
}

}  // namespace
}  // namespace tilefly::cosim
