// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/flow_channel.md bite (FLOW-1 to FLOW-13, METER-1, METER-2).
#include <gtest/gtest.h>

#include "golden/flows/flow_checker.h"
#include "golden/flows/meter_checker.h"
#include "golden/flows/output_meters.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {
namespace {

using bench::BrokenIds;

/// An archive that lets a test change the states of a table.
template <typename Change>
struct StatesOf {
  Change change;
  template <typename... Others>
  void operator()(Pool<FlowState>& states, Others&...) {
    change(states);
  }
};
template <typename Change>
void ChangeStates(FlowChannels* channels, Change&& change) {
  StatesOf<Change> archive{change};
  channels->Serialize(archive);
}

FlowArrival PacketTo(std::uint32_t destination, Index packet) {
  FlowArrival arrival;
  arrival.destination = destination;
  arrival.packet = packet;
  arrival.cells = 10;
  return arrival;
}

Ack AckOf(std::uint32_t destination, bool mark) {
  Ack ack;
  ack.dst = destination;
  ack.cells = 4;
  ack.mark = mark;
  return ack;
}

/// Golden and its checker. A test tells the checker what golden did, or something else.
struct Watched {
  FlowVerdict Packet(std::uint32_t destination, Index packet) {
    const FlowArrival arrival = PacketTo(destination, packet);
    const FlowVerdict verdict = channels.Packet(now, arrival);
    checker.Arrived(now, arrival, verdict, std::nullopt, &audit);
    return verdict;
  }
  void Acknowledge(std::uint32_t destination, bool mark) {
    const Ack ack = AckOf(destination, mark);
    checker.Acknowledged(now, ack, channels.Acknowledge(now, ack), &audit);
  }
  void End() {
    checker.EndCycle(now, channels.EndCycle(now, true), &audit);
    ++now;
  }
  std::string Found() {
    channels.Check(0, &audit);
    checker.Check(now, &audit);
    return BrokenIds(audit);
  }
  /// A channel with a window of 0 and cells in flight.
  FlowVerdict Throttle(std::uint32_t destination) {
    const FlowVerdict verdict = Packet(destination, 0);
    End();
    Acknowledge(destination, true);
    End();
    return verdict;
  }

  FlowChannels channels;
  FlowChecker checker{channels, 0};
  Audit audit;
  Cycle now = 5000;
};

TEST(FlowInvariants, CellsThatNobodyAcknowledgedOrSentBreakFlow1) {
  Watched watched;
  watched.Packet(7, 0);
  watched.End();
  EXPECT_EQ(watched.Found(), "");
  Audit drained;
  watched.checker.CheckDrained(&drained);
  EXPECT_EQ(BrokenIds(drained), "FLOW-1");
  watched.channels.Acknowledge(watched.now, AckOf(7, false));  // the checker is not told
  EXPECT_EQ(watched.Found(), "FLOW-1");
}

TEST(FlowInvariants, APacketReleasedThatIsNotTheFirstHeldBreaksFlow2) {
  Watched watched;
  const int channel = watched.Throttle(7).channel;
  EXPECT_TRUE(watched.Packet(7, 1).held);
  EXPECT_TRUE(watched.Packet(7, 2).held);
  watched.End();
  EXPECT_EQ(watched.Found(), "");
  FlowRelease release;
  release.packet = 2;
  release.cells = 10;
  release.channel = static_cast<std::uint16_t>(channel);
  watched.checker.Released(watched.now, release, &watched.audit);
  EXPECT_EQ(BrokenIds(watched.audit), "FLOW-2");
}

TEST(FlowInvariants, AChannelThatHoldsPacketsAndStandsStillBreaksFlow3) {
  Watched watched;
  watched.Throttle(7);
  watched.Packet(7, 1);
  watched.End();
  EXPECT_EQ(watched.Found(), "");
  for (int i = 0; i < 2; ++i) watched.Acknowledge(7, true);
  EXPECT_EQ(watched.Found(), "FLOW-3");  // before step 6
}

TEST(FlowInvariants, APacketSentBeyondTheWindowBreaksFlow4) {
  Watched watched;
  FlowVerdict verdict = watched.Throttle(7);
  verdict.held = false;
  watched.checker.Arrived(watched.now, PacketTo(7, 1), verdict, std::nullopt, &watched.audit);
  EXPECT_EQ(BrokenIds(watched.audit), "FLOW-4");
}

TEST(FlowInvariants, AKeyInUseTwiceBreaksFlow5) {
  Watched watched;
  watched.Packet(1 << 6 | 1, 0);
  watched.End();
  watched.Packet(2 << 6 | 2, 1);
  watched.End();
  ChangeStates(&watched.channels, [](Pool<FlowState>& states) { states[9].key = states[8].key; });
  Audit audit;
  watched.channels.Check(0, &audit);
  EXPECT_EQ(BrokenIds(audit), "FLOW-5");
}

TEST(FlowInvariants, AFlagWithoutAPlaceInTheFifoBreaksFlow6) {
  for (bool FlowState::*const flag : {&FlowState::ready, &FlowState::tell}) {
    Watched watched;
    watched.Packet(1, 0);
    watched.End();
    EXPECT_EQ(watched.Found(), "");
    ChangeStates(&watched.channels, [&](Pool<FlowState>& states) { states[8].*flag = true; });
    EXPECT_EQ(watched.Found(), "FLOW-6");
  }
}

TEST(FlowInvariants, APacketHeldForNothingBreaksFlow7) {
  Watched watched;
  FlowVerdict verdict = watched.Packet(7, 0);
  watched.End();
  verdict.held = true;
  watched.checker.Arrived(watched.now, PacketTo(7, 1), verdict, std::nullopt, &watched.audit);
  EXPECT_EQ(BrokenIds(watched.audit), "FLOW-7");
}

TEST(FlowInvariants, AThrottleWithoutAMarkBreaksFlow8) {
  Watched watched;
  watched.Packet(7, 0);
  watched.End();
  ChangeStates(&watched.channels, [](Pool<FlowState>& states) { states[8].throttled = true; });
  EXPECT_EQ(watched.Found(), "FLOW-8");
  watched.Packet(7, 1);  // with its window of 0 golden holds what the checker knows nothing against
  watched.End();
  EXPECT_EQ(watched.Found(), "FLOW-7 FLOW-8");
}

TEST(FlowInvariants, APacketThatOvertakesAHeldOneOfItsKeyBreaksFlow10) {
  Watched watched;
  FlowVerdict verdict = watched.Throttle(7);
  EXPECT_TRUE(watched.Packet(7, 1).held);
  watched.End();
  EXPECT_EQ(watched.Found(), "");
  verdict.channel = 900;
  watched.checker.Arrived(watched.now, PacketTo(7, 2), verdict, std::nullopt, &watched.audit);
  EXPECT_EQ(BrokenIds(watched.audit), "FLOW-10");
}

TEST(FlowInvariants, AGenerationForgottenTooEarlyOrTooLateBreaksFlow11) {
  for (const Cycle after : {10, 128 * 1024 - 1, 2 * 128 * 1024}) {
    Watched watched;
    watched.End();
    const FlowVerdict verdict = watched.Packet(7, 0);
    watched.End();
    FlowEnd end;
    end.lost = 1;
    end.losses[0] = {verdict.channel, verdict.gen};
    watched.checker.EndCycle(watched.now - 1 + after, end, &watched.audit);
    EXPECT_EQ(BrokenIds(watched.audit), "FLOW-11") << after;
  }
  Watched never;
  never.End();
  never.Packet(7, 0);
  never.End();
  Audit audit;
  never.checker.Check(never.now + 2 * 128 * 1024, &audit);
  EXPECT_EQ(BrokenIds(audit), "FLOW-11");
}

TEST(FlowInvariants, OrderedPacketsOnTwoPathsBreakFlow12) {
  Watched watched;
  FlowArrival arrival = PacketTo(7, 0);
  arrival.chooses = true;
  const FlowVerdict verdict = watched.channels.Packet(watched.now, arrival);
  watched.checker.Arrived(watched.now, arrival, verdict, std::nullopt, &watched.audit);
  EXPECT_EQ(BrokenIds(watched.audit), "");
  watched.checker.Arrived(watched.now, arrival, verdict, FlowWay{3, 9, true}, &watched.audit);
  EXPECT_EQ(BrokenIds(watched.audit), "FLOW-12");
}

TEST(FlowInvariants, AFirstWindowBehindTheFirstAckBreaksFlow13) {
  Watched watched;
  FlowRegisters registers;
  registers.channel.first = 10;
  watched.channels.SetRegisters(watched.now, registers);
  watched.Packet(7, 0);
  watched.End();
  EXPECT_TRUE(watched.Packet(7, 1).held);
  watched.End();
  EXPECT_EQ(watched.Found(), "");
  watched.Acknowledge(7, false);
  ChangeStates(&watched.channels, [](Pool<FlowState>& states) { states[8].begins = true; });
  watched.End();
  EXPECT_EQ(watched.Found(), "FLOW-13");
}

TEST(MeterInvariants, CellsThatNobodyRequestedBreakMeter1) {
  CongestionMeter meter(2048);
  meter.Request(3, 89);
  Audit audit;
  meter.Check(89, 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  meter.Check(0, 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "METER-1");
}

/// Output 3, whose lane 2 has a fifo of six requests, the newest with `more`.
TEST(MeterInvariants, AFifoThatIsDeepUnseenBreaksMeter1) {
  OutputMeters meters(kTile8);
  const auto broken = [&](int fifos) {
    std::array<int, kMaxLanes> deep{};
    deep[2] = fifos;
    Audit audit;
    meters.Check(3, 6 * 4, deep, &audit);
    return BrokenIds(audit);
  };
  for (int stored = 1; stored <= 6; ++stored) meters.Request(3, 2, 4, stored, true, true);
  EXPECT_EQ(meters.deep(3), 1u << 2);
  EXPECT_EQ(broken(1), "");
  EXPECT_EQ(broken(0), "METER-1");
  EXPECT_EQ(broken(2), "METER-1");
  meters.Grant(3, 2, 4, 5, true);
  EXPECT_EQ(broken(1), "") << "the acks of the cycle do not know it";
  meters.CommitGrants();
  meters.Request(3, 2, 4, 6, true, false);
  EXPECT_EQ(broken(0), "") << "nothing waits behind the newest";
}

/// What a checker that begins late cannot know, it does not judge.
TEST(MeterInvariants, SharesOfAWatchedSwitchBreakMeter2) {
  const FlowAdvice advice{false, 400};
  for (const bool fresh : {true, false}) {
    MeterCheckers checkers(8, 2048, 5000, fresh);
    Audit before, after;
    checkers.Made(5001, 3, 2, 7, advice, 1280);
    checkers.Check(&before);
    EXPECT_EQ(BrokenIds(before), fresh ? "METER-2" : "");
    checkers.Made(4 * 2048, 3, 2, 7, advice, 1280);
    checkers.Check(&after);
    EXPECT_EQ(BrokenIds(after), "METER-2");
  }
}

TEST(MeterInvariants, AShareForMoreSourcesThanThereAreBreaksMeter2) {
  for (const int share : {1281, 400}) {
    MeterChecker checker(2048);
    Audit audit;
    checker.Made(1, 2, 5, {false, 1280}, 1280, 0, &audit);
    checker.Made(2, 2, 6, {false, 1280}, 1280, 0, &audit);
    checker.Made(3, 2, 6, {false, 640}, 1280, 0, &audit);
    EXPECT_EQ(BrokenIds(audit), "");
    checker.Made(4, 2, 6, {false, static_cast<std::uint16_t>(share)}, 1280, 0, &audit);
    EXPECT_EQ(BrokenIds(audit), "METER-2") << share;
  }
}

}  // namespace
}  // namespace tilefly::golden
