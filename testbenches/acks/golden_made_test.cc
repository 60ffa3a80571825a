// SPDX-License-Identifier: Apache-2.0
// Acks as an edge port makes them (docs/blocks/acks.md, Made): when, for which packets, and what they say.
#include "testbenches/acks/ack_rig.h"

namespace tilefly::golden {
namespace {

constexpr int kIn = 1, kOut = 6;

/// The cycle in which the room of a packet that a link took goes free.
Cycle FreeOf(const Departure& departure) {
  return departure.take + 2 + 4 * (departure.format.words - 1) / departure.serdes_lanes;
}

struct Case {
  int length;
  int lanes;
};

TEST(MadeAck, IsOnTheLinkOfTheIngressPort15CyclesAfterTheRoomIsFree) {
  for (const auto& [length, lanes] :
       {Case{64, 4}, Case{32, 4}, Case{700, 4}, Case{4224, 4}, Case{100, 3}, Case{640, 1}}) {
    AckRig rig(kTile8, Bit(kOut), lanes);
    Header header = HeaderFrom(FabricAddress(8, 4, 33), AckRig::Own(kOut), 3, length);
    header.flow = 777;
    header.path = 0x3fffffff;
    rig.Send(kIn, header);
    rig.Drain();
    ASSERT_EQ(rig.departures.size(), 1u);
    ASSERT_EQ(rig.acks.size(), 1u);
    const auto& [wire, ack, port] = rig.acks[0];
    EXPECT_EQ(wire, FreeOf(rig.departures[0]) + 15) << length << " bytes on " << lanes << " lanes";
    EXPECT_EQ(port, kIn);
    EXPECT_FALSE(ack.mark);
    EXPECT_EQ(ack.load, 0);
    EXPECT_EQ(ack.flow, 777);
    EXPECT_EQ(ack.cells, CellsOf(length));
    EXPECT_EQ(ack.hops, 2) << "of 3, one less on the link";
    EXPECT_EQ(ack.port, 33);
    EXPECT_EQ(ack.path, (0x3fffffffu & ~(63u << 12)) | kIn << 12) << "as the header leaves";
    EXPECT_EQ(rig.Count(kOut, Counter::kAcksMade), 1u);
  }
}

TEST(MadeAck, TakesTheSameTimeBetweenAllPairs) {
  for (int in = 0; in < kRosetta64.ports; in += 9) {
    for (int out = 3; out < kRosetta64.ports; out += 11) {
      if (in == out) continue;
      AckRig rig(kRosetta64, Bit(out));
      rig.Send(in, HeaderFrom(FabricAddress(8, 4, 3), AckRig::Own(out), 5));
      rig.Drain();
      ASSERT_EQ(rig.acks.size(), 1u);
      EXPECT_EQ(rig.acks[0].wire, FreeOf(rig.departures[0]) + 15) << in << " to " << out;
      EXPECT_EQ(rig.acks[0].port, in);
    }
  }
}

TEST(MadeAck, OfAPacketThatCameFromItsSourceGoesToTheSourcesPort) {
  AckRig rig(kTile8, Bit(kOut) | Bit(kIn) | Bit(3));
  rig.Send(kIn, HeaderFrom(AckRig::Own(3), AckRig::Own(kOut), 0));
  rig.Drain();
  ASSERT_EQ(rig.acks.size(), 1u);
  EXPECT_EQ(rig.acks[0].port, 3) << "the one that the header says";
  EXPECT_EQ(rig.acks[0].ack.hops, 0) << "of 0, on the link none";
  EXPECT_EQ(rig.Count(3, Counter::kAcksIn), 1u);
  EXPECT_EQ(rig.Count(kIn, Counter::kAcksIn), 0u);
}

TEST(MadeAck, HasAWayBackFromSixSwitchesAndNoMore) {
  for (int hop = 0; hop < 16; ++hop) {
    AckRig rig(kTile8, Bit(kOut));
    rig.Send(kIn, HeaderFrom(FabricAddress(8, 4, 5), AckRig::Own(kOut), hop));
    rig.Drain();
    const bool dropped = hop >= kTile8.hop_limit;
    const bool made = !dropped && hop <= 5;
    EXPECT_EQ(rig.acks.size(), made) << hop;
    EXPECT_EQ(rig.Count(kOut, Counter::kAcksMade), made) << hop;
    EXPECT_EQ(rig.Count(kOut, Counter::kBadAcks), !dropped && !made) << hop;
    if (made) {
      EXPECT_EQ(rig.acks[0].port, hop == 0 ? 5 : kIn) << hop;
    }
  }
}

TEST(MadeAck, IsBadWhenTheSourcesPortDoesNotExist) {
  AckRig rig(kTile8, Bit(kOut));
  rig.Send(kIn, HeaderFrom(FabricAddress(8, 4, 8), AckRig::Own(kOut), 0));
  rig.Drain();
  EXPECT_EQ(rig.acks.size(), 0u);
  EXPECT_EQ(rig.Count(kOut, Counter::kBadAcks), 1u);
}

TEST(MadeAck, IsNotForReplicatedPacketsNorOnOtherPorts) {
  AckRig rig(kTile8, 0xff & ~Bit(2));
  rig.Write(WriteRegister(kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kFloodBroadcast), Bit(4) | Bit(5)));
  rig.Settle();
  rig.Send(kIn, HeaderFrom(FabricAddress(8, 4, 3), HeaderBits::kReplicated, 0));
  rig.Send(0, HeaderFrom(FabricAddress(8, 4, 3), AckRig::Own(2), 1));
  rig.Drain();
  rig.Write(WriteRegister(kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kFloodBroadcast), Bit(4)));
  rig.Settle();
  rig.Send(kIn, HeaderFrom(FabricAddress(8, 4, 3), HeaderBits::kReplicated, 0));  // to one port
  rig.Drain();
  EXPECT_EQ(rig.departures.size(), 4u);
  EXPECT_EQ(rig.acks.size(), 0u);
  EXPECT_EQ(rig.Count(Counter::kAcksMade) + rig.Count(Counter::kBadAcks), 0u);
  EXPECT_EQ(rig.device().flows().size(), 0u) << "nor is it in an account";
}

TEST(MadeAck, IsNotForAPacketThatLeavesStomped) {
  AckRig rig(kTile8, Bit(kOut));
  const Header header = HeaderFrom(FabricAddress(8, 4, 3), AckRig::Own(kOut), 1, 1000);
  for (const Drop status : {Drop::kStomped, Drop::kFcs, Drop::kNone, Drop::kBroken}) {
    const Cycle a0 = rig.now();
    rig.Send(kIn, header);
    rig.Run(31);
    rig.device().Finish(kIn, a0 + 31, {status, 1000, {}});
    rig.Run(40);
  }
  rig.Drain();
  EXPECT_EQ(rig.departures.size(), 4u);
  EXPECT_EQ(rig.acks.size(), 1u) << "of the good one";
  EXPECT_EQ(rig.Count(Counter::kBadAcks), 0u);
}

TEST(MadeAck, IsNotForAPacketWhoseWordsAreNotSent) {
  AckRig rig(kTile8, Bit(kOut));
  PortMode mode = AckRig::Fabric();
  mode.std_format = mode.acks = true;
  mode.credits = false;
  rig.SetMode(kOut, mode);
  rig.Settle();
  Header header = HeaderFrom(FabricAddress(8, 4, 3), AckRig::Own(kOut), 1, 100);
  rig.Send(kIn, header);
  header.kind = static_cast<std::uint8_t>(Kind::kEnhIp);
  rig.Run(50);
  rig.Send(kIn, header);
  rig.Drain();
  EXPECT_EQ(rig.departures.size(), 2u);
  EXPECT_EQ(rig.acks.size(), 1u);
  EXPECT_EQ(rig.acks[0].ack.cells, CellsOf(100)) << "of the packet, not of the frame that it became";
  EXPECT_EQ(rig.Count(Counter::kBadAcks), 0u);
}

TEST(MadeAck, TellsTheLoadThatWasCommittedTheCycleBefore) {
  AckRig rig(kTile8, Bit(kOut));
  std::vector<int> loads;  // after each cycle
  std::vector<std::pair<Cycle, int>> told;
  const auto step = [&] {
    rig.Step();
    loads.push_back(rig.device().load(kOut));
  };
  const Cycle begin = rig.now();
  for (int i = 0; i < 3000; ++i) {
    for (const int in : {0, 1, 2, 3, 4, 5}) {  // more than it can send
      if ((i + in) % 12 == 0) rig.Send(in, HeaderFrom(FabricAddress(8, 4, 3), AckRig::Own(kOut), 1, 32 + 40 * in));
    }
    step();
  }
  for (int i = 0; i < 20000 && rig.device().packets() != 0; ++i) step();
  rig.Drain();
  ASSERT_EQ(rig.acks.size(), rig.departures.size());
  std::map<Cycle, int> expected;  // by the cycle in which the room is free
  for (const Departure& departure : rig.departures) {
    const auto before = static_cast<std::size_t>(FreeOf(departure) - 1 - begin);
    expected[FreeOf(departure)] = std::min(4095, loads[before]);
  }
  int different = 0;
  std::size_t i = 0;
  for (const auto& [free, load] : expected) {
    EXPECT_EQ(rig.acks[i].ack.load, load) << "free in cycle " << free;
    const auto at = static_cast<std::size_t>(free - begin);
    different += at < loads.size() && loads[at] != loads[at - 1];
    ++i;
  }
  EXPECT_GT(different, 100) << "the cycle matters";
}

}  // namespace
}  // namespace tilefly::golden
