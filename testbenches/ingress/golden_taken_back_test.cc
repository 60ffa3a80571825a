// SPDX-License-Identifier: Apache-2.0
// Packets that an input takes back and routes again, in the cycles of docs/blocks/link_retry.md, Taken back.
#include <gtest/gtest.h>

#include <vector>

#include "golden/ingress/cut_through.h"
#include "golden/routing/draws.h"
#include "testbenches/ingress/taken_back_rig.h"

namespace tilefly::golden {
namespace {

using Rig = TakenBackRig;
using Asked = TakenBackRig::Asked;
using Dropped = TakenBackRig::Dropped;

constexpr Cycle kA0 = Rig::kFirst;
constexpr int kLane = 5, kCells = 3;  ///< of a packet of 100 B

/// Of a quiet packet: from its trigger to its request, and from the event in which it was taken back to its second one.
constexpr Cycle kTriggerToRequest = 21, kBackToRequest = 2 - 4 + kTriggerToRequest;

TEST(TakenBack, APacketEntersThePipelineTwoCyclesBehindAndIsThenAPacketLikeAnother) {
  Rig rig;
  const Header header = Rig::HeaderTo(FabricAddress(0, 0, 6));
  rig.Send(kA0, header);
  constexpr Cycle kBack = kA0 + 41, kGrant = kBack + 60;
  rig.TakeBack(kBack, 6, kLane);
  rig.Grant(kGrant, 6, kLane);
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kGrant + 40));
  EXPECT_EQ(rig.asked, (std::vector<Asked>{{kA0 + 21, 6, kLane}, {kBack + kBackToRequest, 6, kLane}}));
  ASSERT_EQ(rig.left.size(), 1u);
  EXPECT_EQ(rig.left[0].cycle, kGrant + 1 + 4);
  Header expected = header;
  expected.hop = 1;
  EXPECT_TRUE(rig.left[0].header == expected);
  EXPECT_EQ(rig.Used(kBack + 30), kCells);
  EXPECT_EQ(rig.port().used(), 0);
  EXPECT_EQ(rig.port().packets(), 0u);
  ASSERT_EQ(rig.credits.size(), 1u);
  EXPECT_EQ(rig.credits[0].cycle, kGrant + 1 + 3 + kCells + 1);
  EXPECT_EQ(rig.Count(Counter::kRerouted), 1u);
  EXPECT_EQ(rig.Count(Counter::kRxPackets), 1u);
  EXPECT_TRUE(rig.drops.empty());
}

/// A packet of the MAC in its cycle a + 4: cut through 4 cycles behind its first word, stored behind its last one.
TEST(TakenBack, APacketOfTheMacGoesFirst) {
  for (const bool cut_through : {true, false}) {
    for (const int offset : {-1, 0, 1}) {
      Rig rig(cut_through);
      rig.Send(kA0, Rig::HeaderTo(FabricAddress(0, 0, 6)));
      const Cycle trigger = cut_through ? kA0 : kA0 + 3;
      const Cycle back = trigger + 60, other = back + 2 - 4 + offset;  // trigger of the other one
      rig.TakeBack(back, 6, kLane);
      rig.Send(cut_through ? other : other - 3, Rig::HeaderTo(FabricAddress(0, 0, 1)));
      ASSERT_NO_FATAL_FAILURE(rig.RunTo(back + 60));
      ASSERT_EQ(rig.asked.size(), 3u);
      std::vector<Asked> expected = {{other + 21, 1, kLane}, {back + kBackToRequest + (offset == 0), 6, kLane}};
      if (offset > 0) std::swap(expected[0], expected[1]);
      EXPECT_EQ(std::vector<Asked>(rig.asked.begin() + 1, rig.asked.end()), expected) << cut_through << offset;
    }
  }
}

/// The same, seen at the end of the pipeline: both come there in a cycle of their own.
TEST(TakenBack, NoTwoPacketsAreInOneCycleOfThePipeline) {
  for (const bool cut_through : {true, false}) {
    Rig rig(cut_through);
    rig.Send(kA0, Rig::HeaderTo(FabricAddress(0, 0, 6)));
    const Cycle back = kA0 + 60, other = back + 2 - 4;
    rig.TakeBack(back, 6, kLane);
    rig.Send(cut_through ? other : other - 3, Rig::HeaderTo(FabricAddress(0, 0, 1)));
    rig.Down(back, back + 60, Bit(1) | Bit(6));
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(back + 60));
    EXPECT_EQ(rig.drops, (std::vector<Dropped>{{back + 16, Drop::kNoRoute}, {back + 17, Drop::kNoRoute}}));
  }
}

/// A bad packet that is stored goes down the pipeline; a packet without room does not.
TEST(TakenBack, WhatAdmissionDropsLeavesItsCycleFree) {
  for (const bool refused : {true, false}) {
    Rig rig(refused);
    rig.Send(kA0, Rig::HeaderTo(FabricAddress(0, 0, 6)));
    Cycle at = kA0 + 10;
    for (int i = 0; refused && i < 28; ++i) at = rig.Send(at, Rig::HeaderTo(FabricAddress(0, 0, 1), kTile8.mtu_bytes)) + 1;
    const Cycle back = at + 100;
    rig.TakeBack(back, 6, kLane);
    const Cycle trigger = back + 2 - 4;
    if (refused) {
      rig.Send(trigger, Rig::HeaderTo(FabricAddress(0, 0, 1), kTile8.mtu_bytes));  // 28 x 89 + 3 + 89 > 2560
    } else {
      Header bad = Rig::HeaderTo(FabricAddress(0, 0, 1), 16 + 64);
      rig.Send(trigger - 2, bad);
      rig.Lose(trigger);
    }
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(back + 60));
    EXPECT_EQ(rig.asked.back(), (Asked{back + kBackToRequest + (refused ? 0 : 1), 6, kLane}));
    EXPECT_EQ(rig.Count(refused ? Drop::kBufferFull : Drop::kBroken), 1u);
  }
}

TEST(TakenBack, PacketsEnterThePipelineInTheirOrderOneACycle) {
  Rig rig;
  Cycle at = kA0;
  for (const int port : {6, 1, 4}) at = rig.Send(at, Rig::HeaderTo(FabricAddress(0, 0, port))) + 1;
  constexpr Cycle kBack = kA0 + 60;
  rig.TakeBack(kBack, 6, kLane);
  rig.TakeBack(kBack + 1, 1, kLane);
  rig.TakeBack(kBack + 2, 4, kLane);
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kBack + 60));
  ASSERT_EQ(rig.asked.size(), 6u);
  const Cycle first = kBack + kBackToRequest;
  EXPECT_EQ(std::vector<Asked>(rig.asked.begin() + 3, rig.asked.end()),
            (std::vector<Asked>{{first, 6, kLane}, {first + 1, 1, kLane}, {first + 2, 4, kLane}}));
}

/// The bit of cycle a + 16 counts, at the first pass and at the second.
TEST(TakenBack, ADestinationThatIsDownIsNoRoute) {
  for (const bool second : {false, true}) {
    for (const bool in_time : {true, false}) {
      Rig rig;
      rig.Send(kA0, Rig::HeaderTo(FabricAddress(0, 0, 6)));
      constexpr Cycle kBack = kA0 + 41;
      const Cycle a = second ? kBack - 2 : kA0;
      if (second) rig.TakeBack(kBack, 6, kLane);
      if (in_time) {
        rig.Down(a + 16, a + 17, Bit(6));
      } else {
        rig.Down(0, a + 16, second ? 0 : Bit(6));
        rig.Down(a + 17, a + 100, Bit(6));
      }
      ASSERT_NO_FATAL_FAILURE(rig.RunTo(a + 60));
      EXPECT_EQ(rig.asked.size(), (second ? 1u : 0u) + (in_time ? 0u : 1u));
      if (!in_time) continue;
      EXPECT_EQ(rig.drops, (std::vector<Dropped>{{a + 18, Drop::kNoRoute}}));
      EXPECT_EQ(rig.Count(Drop::kNoRoute), 1u);
      EXPECT_EQ(rig.Used(a + 17), kCells);
      EXPECT_EQ(rig.Used(a + 18), 0);
      ASSERT_EQ(rig.credits.size(), 1u);
      EXPECT_EQ(rig.credits[0].cycle, a + 19);
      EXPECT_EQ(rig.port().packets(), 0u);
    }
  }
}

/// Four ports to the neighbour; the first candidate is taken where all loads are 0.
struct Routed : Rig {
  static constexpr PortMask kWays = 0b1101'0010;
  explicit Routed(bool edge = false) : Rig(true, 4, edge) {
    Write(CfgSpace::kRouteSwitch, 4, kWays);
    Write(SwitchReg::kSeed, 77);
  }
  static Draws DrawsOf(std::uint32_t k) { return {Scramble(77), FabricAddress(0, 0, kInput), k}; }
  static Header HeaderOf(RouteMode mode) {
    Header header = HeaderTo(FabricAddress(0, 4, 1));
    header.mode = static_cast<std::uint8_t>(mode);
    header.src = FabricAddress(0, 0, kInput);
    header.flow = 9;
    return header;
  }
  static int FirstOf(std::uint32_t k, PortMask ways) { return ChoosePort(DrawsOf(k).minimal_port(0), ways); }
};

TEST(TakenBack, ThePacketDrawsOnceMoreAndIsCountedOnce) {
  Routed rig;
  rig.Send(kA0, Routed::HeaderOf(RouteMode::kAdaptive0));
  rig.Send(kA0 + 20, Routed::HeaderOf(RouteMode::kAdaptive0));  // the port's second draw
  const int first = Routed::FirstOf(0, Routed::kWays);
  constexpr Cycle kBack = kA0 + 60;
  rig.TakeBack(kBack, first, kLane);
  const int third = Routed::FirstOf(2, Routed::kWays & ~Bit(first));
  rig.Down(kBack, kBack + 100, Bit(first));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kBack + 60));
  EXPECT_EQ(rig.asked, (std::vector<Asked>{{kA0 + 21, first, kLane},
                                           {kA0 + 41, Routed::FirstOf(1, Routed::kWays), kLane},
                                           {kBack + kBackToRequest, third, kLane}}));
  EXPECT_EQ(rig.Count(Counter::kRoutedMin), 2u);
  EXPECT_EQ(rig.Count(Counter::kRxPackets), 2u);
}

/// At the first pass the header gets a via; at the second no port leads to any via, so the header is as it came.
TEST(TakenBack, TheHeaderPassesAsItCame) {
  Routed rig;
  rig.Write(SwitchReg::kSize, SwitchSize::Of(0, 32).ToBits());
  for (int number = 0; number < 32; ++number) {
    if (number != 4) rig.Write(CfgSpace::kRouteSwitch, number, Bit(0));
  }
  Header header = Routed::HeaderOf(RouteMode::kNminHash);
  header.via = 0x123;
  for (header.flow = 0;; ++header.flow) {  // one whose target is a candidate
    const std::uint32_t target = FlowHash(header.flow, header.src, header.dst) >> 27;
    if (target != 0 && target != 4) break;
  }
  rig.Send(kA0, header);
  constexpr Cycle kBack = kA0 + 60;
  rig.TakeBack(kBack, 0, kLane);
  rig.Down(kBack, kBack + 100, Bit(0));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kBack + 40));
  ASSERT_EQ(rig.asked.size(), 2u);
  EXPECT_EQ(rig.asked[0].output, 0);
  const std::uint32_t hash = HashIn(0, 0, FlowHash(header.flow, header.src, header.dst));
  EXPECT_EQ(rig.asked[1].output, ChoosePort(hash, Routed::kWays));
  rig.Grant(kBack + 41, rig.asked[1].output, kLane);
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kBack + 60));
  ASSERT_EQ(rig.left.size(), 1u);
  EXPECT_EQ(rig.left[0].header.via, 0x123);
  EXPECT_FALSE(rig.left[0].header.via_valid);
  EXPECT_EQ(rig.Count(Counter::kRoutedNonmin), 1u) << "the first pass counts";
  EXPECT_EQ(rig.Count(Counter::kRoutedMin), 0u);
}

/// An ordered flow keeps its path; where the path's port is down, its packets take the hash path.
TEST(TakenBack, AnOrderedFlowTakesTheHashPathWhereItsPortIsDown) {
  Routed rig(true);
  Header header = Routed::HeaderOf(RouteMode::kAdaptive0);
  header.ordered = true;
  rig.Send(kA0, header);
  const int path = Routed::FirstOf(0, Routed::kWays);
  constexpr Cycle kBack = kA0 + 60;
  rig.TakeBack(kBack, path, kLane);
  rig.Down(kBack, kBack + 30, Bit(path));
  rig.Send(kBack + 100, header);  // the port is up again: the flow's path still stands
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kBack + 99));
  const std::uint32_t hash = HashIn(0, 0, FlowHash(0, header.src, header.dst));
  ASSERT_EQ(rig.asked.size(), 2u);
  EXPECT_EQ(rig.asked[0].output, path);
  EXPECT_EQ(rig.asked[1].output, ChoosePort(hash, Routed::kWays & ~Bit(path)));
  EXPECT_EQ(rig.port().flows().cells(Rig::kInput, 9), static_cast<std::uint32_t>(kCells)) << "counted once";
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kBack + 160));
  ASSERT_EQ(rig.asked.size(), 3u);
  EXPECT_EQ(rig.asked[2].output, path);
  EXPECT_EQ(rig.Count(Counter::kRoutedMin), 2u);
  EXPECT_EQ(rig.port().flows().cells(Rig::kInput, 9), static_cast<std::uint32_t>(2 * kCells));
}

/// A packet that is taken back without its port being down goes by its flow's path, whatever it would draw.
TEST(TakenBack, AnOrderedPacketFollowsItsFlowAgain) {
  for (int seed = 0; seed < 6; ++seed) {
    Routed rig(true);
    Header header = Routed::HeaderOf(RouteMode::kAdaptive0);
    header.ordered = true;
    for (int i = 0; i <= seed; ++i) rig.Send(kA0 + 20 * i, header);
    const int path = Routed::FirstOf(0, Routed::kWays);
    rig.TakeBack(kA0 + 300, path, kLane);
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 360));
    EXPECT_EQ(rig.asked.back(), (Asked{kA0 + 300 + kBackToRequest, path, kLane}));
  }
}

struct Broadcast : Rig {
  explicit Broadcast(int lanes = 4) : Rig(true, lanes) { Write(PortReg::kFloodBroadcast, 0b0101'0010); }  // 1, 4, 6
  static Header HeaderOf(int bytes = 100) { return HeaderTo(HeaderBits::kReplicated, bytes); }
};

/// Copies for ports 1, 4 and 6. The cells go free with the last copy, whether it ends or leaves.
TEST(TakenBack, CopiesEnd) {
  for (const bool all : {true, false}) {
    Broadcast rig;
    rig.Send(kA0, Broadcast::HeaderOf());
    constexpr Cycle kBack = kA0 + 60;
    rig.TakeBack(kBack, 1, kLane);
    if (all) rig.TakeBack(kBack + 10, 6, kLane);
    else rig.Grant(kBack + 10, 6, kLane);
    rig.TakeBack(kBack + 50, 4, kLane);
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(kBack + 120));
    EXPECT_EQ(rig.asked, (std::vector<Asked>{{kA0 + 21, 1, kLane}, {kA0 + 22, 4, kLane}, {kA0 + 23, 6, kLane}}));
    EXPECT_EQ(rig.left.size(), all ? 0u : 1u);
    EXPECT_EQ(rig.Used(kBack + 49), kCells);
    EXPECT_EQ(rig.Used(kBack + 50), 0);
    ASSERT_EQ(rig.credits.size(), 1u);
    EXPECT_EQ(rig.credits[0].cycle, kBack + 51);
    EXPECT_EQ(rig.Count(Counter::kRerouted), all ? 3u : 2u);
    EXPECT_EQ(rig.Count(Counter::kRxPackets), 1u);
    EXPECT_EQ(rig.port().packets(), 0u);
    EXPECT_EQ(rig.drops, (std::vector<Dropped>{{kBack + 50, Drop::kNone}})) << "the bytes are the caller's again";
  }
}

TEST(TakenBack, EntriesOfCopiesThatEndAreFreeInTheNextCycle) {
  Broadcast rig;
  constexpr int kPackets = kTile8.copy_entries / 2;  // two entries each
  Cycle at = kA0;
  for (int i = 0; i < kPackets; ++i, at += 4) rig.Send(at, Broadcast::HeaderOf(64));
  rig.Send(at + 60, Broadcast::HeaderOf(64));
  const Cycle back = at + 200;
  rig.TakeBack(back + 20, 1, kLane);  // a packet's own entry, which is none of those
  rig.TakeBack(back, 4, kLane);       // an entry is free: the last packet's second copy is served in back + 1
  const auto unrequested = [&](int output) {
    return rig.port().queues()[rig.port().queues().Find(Rig::kInput, output, kLane)].unrequested;
  };
  constexpr int kWaiting = kPackets - kTile8.request_credits;
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(back + 2));
  EXPECT_EQ(unrequested(4), kWaiting - 1) << "the request credit is back, too";
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(back + 3));
  EXPECT_EQ(unrequested(4), kWaiting);
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(back + 60));
  EXPECT_EQ(unrequested(1), kWaiting + 1 - 1);
  EXPECT_EQ(unrequested(6), kWaiting) << "the third copy waits for an entry";
}

/// A packet that is long under way: its copies end before its last word comes.
TEST(TakenBack, CellsOfAPacketThatIsStillComingGoFreeBehindItsLastWord) {
  for (const bool replicated : {true, false}) {
    Broadcast rig(1);
    const Cycle last = rig.Send(kA0, replicated ? Broadcast::HeaderOf(2000) : Rig::HeaderTo(FabricAddress(0, 0, 6), 2000));
    const int cells = CellsOf(2000);
    constexpr Cycle kBack = kA0 + 60;
    for (const int port : {1, 4, 6}) {
      if (replicated || port == 6) rig.TakeBack(kBack + port, port, kLane);
    }
    if (!replicated) rig.Down(kBack, kBack + 60, Bit(6));
    ASSERT_GT(last, kBack + 100);
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(last + 60));
    EXPECT_EQ(rig.Used(last + 5), cells);
    EXPECT_EQ(rig.Used(last + 6), 0);
    EXPECT_EQ(rig.port().packets(), 0u);
    EXPECT_EQ(rig.Count(Drop::kNoRoute), replicated ? 0u : 1u);
  }
}

TEST(TakenBack, TheTransferStartsByTheFirstWordWithWhichThePacketCame) {
  Rig rig(true, 1);
  const Cycle last = rig.Send(kA0, Rig::HeaderTo(FabricAddress(0, 0, 6), 2000));
  rig.TakeBack(kA0 + 60, 6, kLane);
  rig.Grant(kA0 + 140, 6, kLane);
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(last + 60));
  ASSERT_EQ(rig.left.size(), 1u);
  EXPECT_EQ(rig.left[0].cycle, kA0 + StartOffset(2000, 1));
}

TEST(TakenBack, ReplicatedPacketsLoseTheCopiesForPortsThatAreDown) {
  Broadcast rig;
  rig.Send(kA0, Broadcast::HeaderOf());
  rig.Down(kA0 + 16, kA0 + 17, Bit(1) | Bit(6));
  rig.TakeBack(kA0 + 60, 4, kLane);  // it has one copy, and is replicated still
  rig.Send(kA0 + 100, Broadcast::HeaderOf());
  rig.Down(kA0 + 116, kA0 + 117, Bit(1) | Bit(4) | Bit(6));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 160));
  EXPECT_EQ(rig.asked, (std::vector<Asked>{{kA0 + 21, 4, kLane}}));
  EXPECT_EQ(rig.drops, (std::vector<Dropped>{{kA0 + 60, Drop::kNone}, {kA0 + 118, Drop::kNoRoute}}));
  EXPECT_EQ(rig.port().packets(), 0u);
}

/// The table sends the frame elsewhere by then; its stored header says where it goes, and its class.
TEST(TakenBack, ABareFrameIsLookedUpByItsStoredDestination) {
  constexpr std::uint64_t kMac = 0x0A0102030405;
  std::uint64_t set = 0;
  for (int i = 0; i < 6; ++i) set ^= kMac >> 8 * i & 255;
  const int entry = static_cast<int>(set) % kTile8.mac_sets * kTile8.mac_ways;
  Rig rig;
  rig.Write(CfgSpace::kMacKey, entry, MacKey::Of(kMac, true).ToBits());
  rig.Write(CfgSpace::kMacPorts, entry, Bit(2));
  const Cycle last = rig.SendBare(kA0, 100, kMac);
  const Cycle back = last + 60;
  rig.Write(CfgSpace::kMacPorts, entry, Bit(7), last + 20);
  rig.TakeBack(back, 2, 0);
  rig.TakeBack(back + 60, 2, 0);
  rig.Down(back + 60, back + 100, Bit(2));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(back + 120));
  EXPECT_EQ(rig.asked, (std::vector<Asked>{{last + 21, 2, 0}, {back + kBackToRequest, 2, 0}}));
  EXPECT_EQ(rig.drops, (std::vector<Dropped>{{back + 60 + 16, Drop::kNoRoute}}));
  EXPECT_EQ(rig.port().used(), 0);
}

/// A packet that is cut through finds no room in its class, and is released behind its last word, in the cycle in which a packet
/// that was taken back is dropped. Whichever of the two was looked up first, the record shows the one that was arriving.
TEST(TakenBack, OfTwoDropsTheRecordShowsThePacketThatWasArriving) {
  for (int bytes = 450; bytes < 2000; bytes += 32) {
    Rig rig;
    constexpr int kLossy = 6;
    rig.Write(CfgSpace::kClass, IndexOf(kLossy, ClassReg::kShare), ClassShare::Of(1, 1, true).ToBits());
    rig.Send(kA0, Rig::HeaderTo(FabricAddress(0, 0, 6)));
    const Cycle last = rig.Send(kA0 + 60, Rig::HeaderTo(FabricAddress(0, 0, 1), bytes, kLossy));
    const Cycle release = last + 6, second = release - 18;  // of the packet that is taken back: its second trigger
    if (second == kA0 + 60) continue;                       // the other packet enters the pipeline in that cycle
    rig.TakeBack(second + 2, 6, kLane);
    rig.Down(second + 16, second + 17, Bit(6));
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(release + 20));
    ASSERT_EQ(rig.drops.size(), 2u) << bytes;
    EXPECT_EQ(rig.drops[0].cycle, release);
    EXPECT_EQ(rig.drops[1].cycle, release);
    EXPECT_EQ(rig.Count(Drop::kNoRoute), 1u);
    EXPECT_EQ(rig.shown_drops, (std::vector<Dropped>{{release, Drop::kClassFull}})) << bytes;
  }
}

/// The share is full by then; the packet has its cells in the account already.
TEST(TakenBack, TheClassShareIsNeitherAskedNorChangedAgain) {
  Rig rig;
  const auto share = [&](std::uint64_t cap, Cycle bus) {
    rig.Write(CfgSpace::kClass, IndexOf(kLane, ClassReg::kShare), ClassShare::Of(cap, cap, true).ToBits(), bus);
  };
  share(100, 0);
  rig.Send(kA0, Rig::HeaderTo(FabricAddress(0, 0, 6)));
  share(1, kA0 + 30);
  constexpr Cycle kBack = kA0 + 60;
  rig.TakeBack(kBack, 6, kLane);
  rig.Send(kBack + 100, Rig::HeaderTo(FabricAddress(0, 0, 1)));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kBack + 160));
  EXPECT_EQ(rig.asked, (std::vector<Asked>{{kA0 + 21, 6, kLane}, {kBack + kBackToRequest, 6, kLane}}));
  EXPECT_EQ(rig.port().account().used(kLane), kCells);
  EXPECT_EQ(rig.drops, (std::vector<Dropped>{{kBack + 118, Drop::kClassFull}})) << "another packet finds no room";
}

}  // namespace
}  // namespace tilefly::golden
