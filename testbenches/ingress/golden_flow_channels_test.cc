// SPDX-License-Identifier: Apache-2.0
// An input port with flow channels, in the cycles of docs/blocks/flow_channel.md.
#include <gtest/gtest.h>

#include "golden/registers/class_shares.h"
#include "testbenches/ingress/flow_port_rig.h"

namespace tilefly::golden {
namespace {

using Rig = FlowPortRig;
using OfChannel = Rig::OfChannel;

constexpr Cycle kA0 = Rig::kA0;
constexpr int kCells = Rig::kCells;

/// "Release" of the page: A, A + 1, request in A + 4.
TEST(FlowPort, AHeldPacketEntersTheQueueStageBehindTheAckThatLetsItGo) {
  for (const bool cut_through : {true, false}) {
    Rig rig(true, cut_through);
    const Header header = Rig::To(6);
    const Cycle stored = cut_through ? 0 : 3;  // from the first word to the trigger
    rig.Throttle(header);
    rig.Send(kA0 + 60, header);
    rig.Send(kA0 + 64, header);
    constexpr Cycle kHome = kA0 + 200;
    rig.Home(kHome, Rig::AckOf(header, 2, true, 0));
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(kHome + 60));
    const int entry = Rig::EntryOf(header);
    EXPECT_EQ(rig.holds, (std::vector<OfChannel>{{kA0 + 78 + stored, entry}, {kA0 + 82 + stored, entry}}));
    EXPECT_EQ(rig.goes, (std::vector<OfChannel>{{kHome + 1, entry}}));
    EXPECT_EQ(rig.AskedIn(), (std::vector<Cycle>{kA0 + 21 + stored, kHome + 4}));
    ASSERT_EQ(rig.left.size(), 2u);
    EXPECT_EQ(rig.left[1].cycle, kHome + 4 + Rig::kToCell);
    EXPECT_EQ(rig.Used(kHome), 2 * kCells) << "held cells count in the buffer";
    EXPECT_EQ(rig.port().used(), kCells);
    EXPECT_EQ(rig.Count(Counter::kFlowHeld), 2u);
    EXPECT_EQ(rig.Count(Counter::kFlowThrottled), 1u);
    EXPECT_EQ(rig.Count(Counter::kMarksIn), 2u);
    EXPECT_EQ(rig.Count(Counter::kRxPackets), 2u) << "a held packet counts in q + 1 of its release";
    EXPECT_EQ(rig.Count(Counter::kFlowFull) + rig.Count(Counter::kFlowLost) + rig.Count(Counter::kFlowStray), 0u);
    // The first packet that is held, and the release, each in the cycle behind.
    EXPECT_EQ(rig.PausedIn(), (std::vector<Cycle>{kA0 + 79 + stored, kHome + 2}));
    EXPECT_EQ(rig.Count(Counter::kFlowPauses), 2u);
    for (const auto& [cycle, pause] : rig.pauses) {
      EXPECT_EQ(pause.credit, 89 - kCells) << "one packet is held: " << cycle;
      EXPECT_EQ(pause.period, 64);
      EXPECT_EQ(pause.tc, Rig::kClass);
      EXPECT_EQ(pause.destination, header.dst);
    }
  }
}

/// A packet of the cycle is judged before the ack of the cycle.
TEST(FlowPort, APacketOfTheCycleOfTheMarkIsStillSent) {
  for (const Cycle later : {0, 1}) {
    Rig rig;
    const Header header = Rig::To(6);
    rig.Send(kA0, header);
    rig.Send(kA0 + 40, header);
    rig.Home(kA0 + 58 - later, Rig::AckOf(header, 1, true, 0));
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 100));
    EXPECT_EQ(rig.asked.size(), later == 0 ? 2u : 1u);
    EXPECT_EQ(rig.holds.size(), later == 0 ? 0u : 1u);
  }
}

/// What enters from the pipeline goes first, counted or not; what is dropped there stops nobody.
TEST(FlowPort, AReleaseWaitsForThePipelineForOneCycle) {
  enum Other { kCounted, kPasses, kDropped, kReplicated, kOthers };
  for (int other = 0; other < kOthers; ++other) {
    Rig rig;
    rig.Write(PortReg::kFloodBroadcast, Bit(1) | Bit(4));
    const Header header = Rig::To(6);
    rig.Throttle(header);
    rig.Send(kA0 + 60, header);
    constexpr Cycle kHome = kA0 + 200;
    rig.Home(kHome, Rig::AckOf(header, 2, true, 0));
    Header beside = Rig::To(1);
    if (other == kPasses) beside.hop = 1;
    if (other == kDropped) beside.dst = FabricAddress(Rig::kGroup, 3, 0);
    if (other == kReplicated) beside.dst = HeaderBits::kReplicated;
    rig.Send(kHome + 1 - Rig::kToFifo, beside);
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(kHome + 60));
    const Cycle waits = other == kDropped ? 0 : 1;
    EXPECT_EQ(rig.goes, (std::vector<OfChannel>{{kHome + 1 + waits, Rig::EntryOf(header)}})) << other;
    EXPECT_EQ(rig.drops.size(), other == kDropped ? 1u : 0u);
    // Behind the two copies of a replicated packet the release waits in the queue stage.
    const Cycle copies = other == kReplicated ? 1 : 0;
    EXPECT_EQ(rig.asked.back().output, 6) << other;
    EXPECT_EQ(rig.asked.back().cycle, kHome + 4 + waits + copies) << other;
  }
}

/// While F is below the window the next packet goes whole.
TEST(FlowPort, PacketsGoWhileTheCellsInFlightAreBelowTheWindow) {
  for (const int window : {0, 3, 4, 6, 7, 300}) {
    Rig rig;
    const Header header = Rig::To(6);
    rig.Throttle(header);
    rig.Home(kA0 + 31, Rig::AckOf(header, 2, true, window));
    for (int i = 0; i < 5; ++i) rig.Send(kA0 + 60 + 8 * i, header);
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 200));
    const int sent = window == 0 ? 1 : std::min(5, (window + kCells - 1) / kCells);
    EXPECT_EQ(rig.asked.size(), 1u + static_cast<std::size_t>(sent)) << window;
    EXPECT_EQ(rig.Count(Counter::kFlowHeld), static_cast<std::uint64_t>(5 - sent)) << window;
    EXPECT_EQ(rig.port().channels()->Entry(Rig::kClass, header.dst)->in_flight(),
              static_cast<std::uint32_t>(kCells * sent));
  }
}

/// "Lost ack" of the page, with the sweeps of this entry.
TEST(FlowPort, AHeldPacketGoesAtTheDeadlineOfLostCells) {
  Rig rig;
  rig.Write(PortReg::kFlowChannel, tilefly::FlowChannel::Of(2, 16, 3, 89, 64, 0).ToBits());
  const Header header = Rig::To(6);
  rig.Throttle(header);
  rig.Send(kA0 + 60, header);
  const Cycle first = Rig::EntryOf(header);
  ASSERT_GT(first, kA0 + 100);
  const Cycle lost = first + 2048;
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(lost + 40));
  EXPECT_EQ(rig.Count(Counter::kFlowLost), 1u);
  EXPECT_EQ(rig.goes, (std::vector<OfChannel>{{lost + 1, Rig::EntryOf(header)}}));
  EXPECT_EQ(rig.PausedIn(), (std::vector<Cycle>{kA0 + 79, first + 1, first + 1025, lost + 1, lost + 2}));
  EXPECT_EQ(rig.pauses[3].pause.credit, 89 - kCells);
  EXPECT_EQ(rig.pauses[4].pause.period, 0) << "no packet is held any more";
  ASSERT_EQ(rig.left.size(), 2u);
  EXPECT_FALSE(rig.left[1].header.gen) << "two turns";
}

/// With window FULL a flow is throttled no more. Its NIC is told of each packet that goes.
TEST(FlowPort, AShareOfFullEndsTheThrottleAndThePause) {
  Rig rig;
  const Header header = Rig::To(6);
  rig.Throttle(header);
  for (int i = 0; i < 4; ++i) rig.Send(kA0 + 60 + 8 * i, header);
  constexpr Cycle kHome = kA0 + 200;
  rig.Home(kHome, Rig::AckOf(header, 1, false, 1280));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kHome + 60));
  EXPECT_EQ(rig.AskedIn(), (std::vector<Cycle>{kA0 + 21, kHome + 4, kHome + 5, kHome + 6, kHome + 7})) << "one a cycle";
  EXPECT_EQ(rig.PausedIn(), (std::vector<Cycle>{kA0 + 79, kHome + 2, kHome + 3, kHome + 4, kHome + 5}));
  EXPECT_EQ(rig.pauses[3].pause.period, 64);
  EXPECT_EQ(rig.pauses[3].pause.credit, 89 - kCells);
  EXPECT_EQ(rig.pauses[4].pause.period, 0);
  EXPECT_EQ(rig.pauses[4].pause.credit, 0);
}

TEST(FlowPort, OnlyAPortWithALinkTellsItsNic) {
  for (const Cycle offset : {-1, 0, 1}) {
    Rig rig;
    const Header header = Rig::To(6);
    rig.Throttle(header);
    rig.Send(kA0 + 60, header);
    const Cycle tells = kA0 + 79, down = tells + offset;
    rig.LinkDown(down, down + 1);
    ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 110));
    EXPECT_EQ(rig.pauses.size(), offset == -1 ? 0u : 1u) << "link_up_i of the cycle before counts: " << offset;
    EXPECT_EQ(rig.Count(Counter::kFlowPauses), rig.pauses.size());
  }
}

/// Keys that all belong to one set: 16 have entries, the others are counted in the channel of their class.
struct FullSet : Rig {
  FullSet() {
    for (int i = 0; i < 20; ++i) Write(CfgSpace::kRouteSwitch, i, Bit(1));
  }
  static Header To(int i) {
    Header header = HeaderTo(FabricAddress(kGroup, i, (i ^ 5) & 63), 100, kLane);
    header.mode = static_cast<std::uint8_t>(RouteMode::kMinHash);
    return header;
  }
  void Fill() {
    for (int i = 0; i < 16; ++i) Send(kA0 + 8 * i, To(i));
  }
  static constexpr Cycle kFull = kA0 + 8 * 16;
};

TEST(FlowPort, APacketWithoutAFreeEntryIsCountedByItsClass) {
  FullSet rig;
  rig.Fill();
  Header forged = FullSet::To(16);
  forged.gen = forged.an = true;
  rig.Send(FullSet::kFull, forged);
  rig.Send(FullSet::kFull + 40, FullSet::To(17));
  rig.Home(FullSet::kFull + 30, Rig::AckOf(FullSet::To(16), 1, true, 0, false, true));
  constexpr Cycle kHome = FullSet::kFull + 100;
  rig.Home(kHome - 40, Rig::AckOf(FullSet::To(3), kCells, false, 1280));  // a way is free
  rig.Send(kHome - 30, FullSet::To(17));  // behind the held one: no entry
  rig.Home(kHome, Rig::AckOf(FullSet::To(16), 2, false, 1280, false, true));
  rig.Send(kHome + 20, FullSet::To(17));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kHome + 80));
  const OfChannel first{FullSet::kFull + 58, Rig::ClassChannel()}, second{kHome - 12, Rig::ClassChannel()};
  EXPECT_EQ(rig.holds, (std::vector<OfChannel>{first, second}));
  EXPECT_EQ(rig.goes, (std::vector<OfChannel>{{kHome + 1, Rig::ClassChannel()}, {kHome + 2, Rig::ClassChannel()}}));
  EXPECT_EQ(rig.Count(Counter::kFlowFull), 3u);
  EXPECT_TRUE(rig.pauses.empty()) << "the NIC is not told of class channels";
  ASSERT_EQ(rig.left.size(), 20u);
  const auto by_class = [&](int at) { return rig.left[static_cast<std::size_t>(at)].header.an; };
  EXPECT_FALSE(by_class(15));
  EXPECT_TRUE(by_class(16) && by_class(17) && by_class(18));
  EXPECT_FALSE(by_class(19));
  for (const auto& left : rig.left) EXPECT_FALSE(left.header.gen) << "the packet's own bits are replaced";
  const FlowState* entry = rig.port().channels()->Entry(Rig::kClass, FullSet::To(17).dst);
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->number % 16, 3) << "the lowest free way";
}

/// Packets that the table does not count leave as they came, and no ack of theirs is known.
TEST(FlowPort, PacketsThatAreNotCountedKeepTheirBits) {
  Rig rig;
  rig.Write(PortReg::kFloodBroadcast, Bit(1));
  Header passes = Rig::To(6), replicated = Rig::To(6);
  passes.hop = 1;
  replicated.dst = HeaderBits::kReplicated;
  for (Header* header : {&passes, &replicated}) header->gen = header->an = true;
  rig.Send(kA0, passes);
  rig.Send(kA0 + 8, replicated);
  rig.Home(kA0 + 60, Rig::AckOf(passes, 3, true, 0));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 100));
  ASSERT_EQ(rig.left.size(), 2u);
  for (const auto& left : rig.left) EXPECT_TRUE(left.header.gen && left.header.an);
  EXPECT_TRUE(rig.port().channels()->quiescent());
  EXPECT_EQ(rig.Count(Counter::kFlowStray), 1u);
  EXPECT_EQ(rig.Count(Counter::kMarksIn), 0u);
}

/// Held cells fill the class's share: the next packet is dropped before a channel could hold it.
TEST(FlowPort, APacketThatItsClassHasNoRoomForDoesNotComeToTheChannel) {
  Rig rig;
  rig.Write(CfgSpace::kClass, IndexOf(Rig::kClass, ClassReg::kShare), ClassShare::Of(0, 2 * kCells, true).ToBits());
  rig.Write(CfgSpace::kClass, IndexOf(TableReg::kClassShared), 1000);
  const Header header = Rig::To(6);
  rig.Throttle(header);
  for (int i = 0; i < 4; ++i) rig.Send(kA0 + 60 + 8 * i, header);
  constexpr Cycle kHome = kA0 + 200;
  rig.Home(kHome, Rig::AckOf(header, 2, false, 1280));
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kHome + 60));
  EXPECT_EQ(rig.Count(Counter::kFlowHeld), 2u);
  EXPECT_EQ(rig.Count(Drop::kClassFull), 2u);
  EXPECT_EQ(rig.asked.size(), 3u);
  EXPECT_EQ(rig.port().used(), 0);
}

/// Without MODE.flows the register writes and marks of flow channels change nothing, and headers leave as they came.
TEST(FlowPort, OffIsOff) {
  Rig rig(false);
  rig.Write(PortReg::kFlowChannel, tilefly::FlowChannel::Of(1, 1, 0, 0, 1, 1).ToBits());
  Header header = Rig::To(6);
  header.gen = header.an = true;
  rig.Throttle(header);
  for (int i = 0; i < 4; ++i) rig.Send(kA0 + 60 + 8 * i, header);
  ASSERT_NO_FATAL_FAILURE(rig.RunTo(kA0 + 3000));
  EXPECT_EQ(rig.asked.size(), 5u);
  EXPECT_TRUE(rig.holds.empty() && rig.pauses.empty());
  for (const auto& left : rig.left) EXPECT_TRUE(left.header.gen && left.header.an);
  EXPECT_EQ(rig.port().channels(), nullptr);
  EXPECT_EQ(rig.port().flows().cells(Rig::kInput, 0), static_cast<std::uint32_t>(5 * kCells - 1));
  for (const Counter one : {Counter::kFlowHeld, Counter::kFlowFull, Counter::kFlowThrottled, Counter::kFlowLost,
                            Counter::kFlowStray, Counter::kFlowPauses, Counter::kMarksIn}) {
    EXPECT_EQ(rig.Count(one), 0u);
  }
}

}  // namespace
}  // namespace tilefly::golden
