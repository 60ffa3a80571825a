// SPDX-License-Identifier: Apache-2.0
// Paths of ordered packets at a port with flow channels (docs/blocks/flow_channel.md, "Path of ordered packets"), and
// packets that outputs give back.
#include <gtest/gtest.h>

#include "golden/routing/draws.h"
#include "testbenches/ingress/flow_port_rig.h"

namespace tilefly::golden {
namespace {

constexpr Cycle kA0 = FlowPortRig::kA0;

/// Four ports lead to the destination's switch; a packet draws one of them.
struct Ordered : FlowPortRig {
  static constexpr PortMask kWays = 0b1101'0010;
  static constexpr std::uint64_t kSeed = 2;

  Ordered() {
    Write(CfgSpace::kRouteSwitch, 4, kWays);
    Write(SwitchReg::kSeed, kSeed);
  }
  static Header Packet(int flow, bool ordered = true) {
    Header header = HeaderTo(FabricAddress(kGroup, 4, 1), 100, kLane);
    header.mode = static_cast<std::uint8_t>(RouteMode::kAdaptive0);
    header.src = FabricAddress(kGroup, kSwitch, kInput);
    header.flow = static_cast<std::uint16_t>(flow);
    header.ordered = ordered;
    return header;
  }
  /// The way that the port's k-th packet is routed.
  static int Drawn(std::uint32_t k, PortMask ways = kWays) {
    const Draws draws(Scramble(kSeed), FabricAddress(kGroup, kSwitch, kInput), k);
    return ChoosePort(draws.minimal_port(0), ways);
  }
  /// The way of the pair's hash, which knows no flow number.
  static int Hashed(PortMask ways = kWays) {
    const Header header = Packet(0);
    return ChoosePort(HashIn(kGroup, kSwitch, FlowHash(0, header.src, header.dst)), ways);
  }
  std::vector<int> Outputs() const {
    std::vector<int> outputs;
    for (const Asked& one : asked) outputs.push_back(one.output);
    return outputs;
  }
};

/// Else the tests below see nothing.
TEST(FlowPaths, DrawsDiffer) {
  EXPECT_NE(Ordered::Drawn(0), Ordered::Drawn(1));
  for (const std::uint32_t k : {0, 1, 19}) EXPECT_NE(Ordered::Drawn(k), Ordered::Hashed());
}

TEST(FlowPaths, OrderedPacketsOfAPairTakeOnePathWhateverTheirFlow) {
  Ordered rig;
  for (int i = 0; i < 6; ++i) rig.Send(kA0 + 8 * i, Ordered::Packet(i));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 120));
  EXPECT_EQ(rig.Outputs(), std::vector<int>(6, Ordered::Drawn(0)));
  EXPECT_EQ(rig.Count(Counter::kRoutedMin), 6u);
}

/// The entry is idle behind its last ack: the next packet goes as routed, and so do those behind it.
TEST(FlowPaths, AnIdlePairTakesANewPath) {
  Ordered rig;
  rig.Send(kA0, Ordered::Packet(1));
  rig.Home(kA0 + 60, Ordered::AckOf(Ordered::Packet(1), 3, false, 1280));
  for (int i = 1; i < 6; ++i) rig.Send(kA0 + 80 + 8 * i, Ordered::Packet(1));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 200));
  std::vector<int> expected(6, Ordered::Drawn(1));
  expected[0] = Ordered::Drawn(0);
  EXPECT_EQ(rig.Outputs(), expected);
}

/// The ack of cycle a + 18 comes behind the choice of the path.
TEST(FlowPaths, TheChoiceReadsTheStateAsCommitted) {
  for (const Cycle earlier : {0, 1}) {
    Ordered rig;
    rig.Send(kA0, Ordered::Packet(1));
    rig.Send(kA0 + 48, Ordered::Packet(1));
    rig.Home(kA0 + 48 + 18 - earlier, Ordered::AckOf(Ordered::Packet(1), 3, false, 1280));
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 120));
    ASSERT_EQ(rig.asked.size(), 2u);
    EXPECT_EQ(rig.asked[1].output, Ordered::Drawn(earlier == 0 ? 0 : 1));
  }
}

TEST(FlowPaths, BehindAnUnorderedPacketTheHashPathIsTaken) {
  Ordered rig;
  rig.Send(kA0, Ordered::Packet(1, false));
  for (int i = 0; i < 4; ++i) rig.Send(kA0 + 20 + 8 * i, Ordered::Packet(i));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 120));
  std::vector<int> expected(5, Ordered::Hashed());
  expected[0] = Ordered::Drawn(0);
  EXPECT_EQ(rig.Outputs(), expected);
}

/// Sixteen other keys of the pair's set: the pair's packets are counted by class, and take the hash path. While the class
/// channel is in use, so does the packet that gets an entry.
TEST(FlowPaths, PacketsOfAClassChannelTakeTheHashPath) {
  Ordered rig;
  const Header pair = Ordered::Packet(1);
  for (int i = 0; i < 20; ++i) rig.Write(CfgSpace::kRouteSwitch, i, i == 4 ? Ordered::kWays : Bit(1));
  std::vector<Header> others;
  for (int i = 0; others.size() < 16; ++i) {
    if (i == 4) continue;
    Header other = pair;
    other.dst = FabricAddress(Ordered::kGroup, i, ((4 ^ 1) ^ i) & 63);
    other.mode = static_cast<std::uint8_t>(RouteMode::kMinHash);
    ASSERT_EQ(Ordered::EntryOf(other), Ordered::EntryOf(pair));
    rig.Send(kA0 + 8 * static_cast<Cycle>(others.size()), other);
    others.push_back(other);
  }
  constexpr Cycle kFull = kA0 + 8 * 16;
  rig.Send(kFull, pair);
  rig.Home(kFull + 30, Ordered::AckOf(others[0], 3, false, 1280));
  rig.Send(kFull + 40, pair);
  rig.Home(kFull + 80, Ordered::AckOf(pair, 3, false, 1280, false, true));
  rig.Send(kFull + 90, pair);  // the entry is busy, and has no path
  rig.Home(kFull + 120, Ordered::AckOf(pair, 6, false, 1280));
  rig.Send(kFull + 130, pair);  // draw 19
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kFull + 200));
  const std::vector<int> outputs = rig.Outputs();
  ASSERT_EQ(outputs.size(), 20u);
  EXPECT_EQ(std::vector<int>(outputs.begin() + 16, outputs.end() - 1), std::vector<int>(3, Ordered::Hashed()));
  EXPECT_EQ(outputs.back(), Ordered::Drawn(19));
  EXPECT_EQ(rig.Count(Counter::kFlowFull), 1u);
}

/// The path's port is down: the hash path is taken, and the entry keeps its path.
TEST(FlowPaths, APathIsLeftWhileItsPortIsDown) {
  Ordered rig;
  const int path = Ordered::Drawn(0);
  for (int i = 0; i < 3; ++i) rig.Send(kA0 + 40 * i, Ordered::Packet(i));
  rig.Down(kA0 + 40 + 16, kA0 + 40 + 17, Bit(path));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 160));
  EXPECT_EQ(rig.Outputs(), (std::vector<int>{path, Ordered::Hashed(Ordered::kWays & ~Bit(path)), path}));
}

/// A held packet has the path and the lane of its arrival, though its entry is told of other loads and tables since.
TEST(FlowPaths, AHeldPacketKeepsItsPathAndItsLane) {
  Ordered rig;
  rig.Throttle(Ordered::Packet(1));
  rig.Send(kA0 + 60, Ordered::Packet(2, false));  // draw 1
  rig.Write(CfgSpace::kRouteSwitch, 4, Bit(0), kA0 + 100);
  for (int tc = 0; tc < 8; ++tc) {
    rig.Write(CfgSpace::kVlmap, VlmapIndex::Of(1, 1, Ordered::kLane, tc).ToBits(), 9, kA0 + 110);
  }
  rig.Home(kA0 + 200, Ordered::AckOf(Ordered::Packet(1), 2, true, 0));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 260));
  ASSERT_EQ(rig.asked.size(), 2u);
  EXPECT_EQ(rig.asked[1], (Ordered::Asked{kA0 + 204, Ordered::Drawn(1), Ordered::kLane}));
}

/// Counted once: the packet that an output gave back is held by no throttle, and keeps the bits of its first pass.
TEST(FlowPaths, APacketThatWasTakenBackIsNotHeld) {
  Ordered rig;
  rig.GrantAll(0);
  rig.Throttle(Ordered::Packet(1));
  const int path = Ordered::Drawn(0);
  rig.Send(kA0 + 60, Ordered::Packet(1));  // held
  constexpr Cycle kBack = kA0 + 100;
  rig.TakeBack(kBack, path, Ordered::kLane);
  rig.Home(kBack + 2 - 4 + 18 - 1, Ordered::AckOf(Ordered::Packet(1), 2, true, 0));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kBack + 60));
  // The release is due in the cycle in which the packet is at the end of the pipeline again.
  EXPECT_EQ(rig.AskedIn(), (std::vector<Cycle>{kA0 + 21, kBack + 2 - 4 + 21, kBack + 2 - 4 + 22}));
  EXPECT_EQ(rig.asked[1].output, Ordered::Drawn(0)) << "the entry's path";
  EXPECT_EQ(rig.goes.size(), 1u);
  EXPECT_EQ(rig.Count(Counter::kFlowHeld), 1u);
  EXPECT_EQ(rig.port().channels()->Entry(Ordered::kClass, Ordered::Packet(1).dst)->in_flight(), 3u);
}

}  // namespace
}  // namespace tilefly::golden
