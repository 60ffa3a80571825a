// SPDX-License-Identifier: Apache-2.0
// The cycles of docs/blocks/flow_channel.md at a switch of transaction models: marks and shares of acks, packets that
// are held and released, deadlines, pauses of the NIC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/switch_bench.h"

namespace tilefly::systemc {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int kTo = 6;         // port of the sink
constexpr int kFlowMarkReg = static_cast<int>(PortReg::kFlowMark);
constexpr int kFlowChannelReg = static_cast<int>(PortReg::kFlowChannel);
/// Of every packet here: 64 bytes are two cells.
constexpr int kCells = 2;
/// From the first word at the source's port to the first word at the sink; to the ack at the source, of a quiet packet:
/// taken in 55, room free in 59, home nine cycles later, on the wire in six more (pages timing, acks).
constexpr Cycle kThrough = 63;
constexpr Cycle kHome = 68;
constexpr Cycle kToWire = 6;
/// From a release to the first word at the sink: it is as if it had come to the end of the pipeline then.
constexpr Cycle kFromRelease = kThrough - 18;
/// Entry of the flow from here to the sink: set 6, way 0 (The table). The sweep looks at it in this cycle of each 1024.
constexpr Cycle kSwept = 6 * 16;
constexpr Cycle kSweep = 1024;

std::uint64_t Mode(bool flows) {
  PortMode mode = PortMode::FromBits(Enabled());
  mode.acks = true;
  mode.flows = flows;
  return mode.ToBits();
}

/// All acks of the sink's port are marked, with share 0; one sweep forgets cells, and a throttle without packets.
void Throttle(Cpu* cpu) {
  const auto write = [&](int reg, std::uint64_t data) {
    WriteRegister(cpu, golden::kAllPorts, CfgSpace::kPort, reg, data);
  };
  write(kMode, Mode(true));
  write(kFlowMarkReg, FlowMark::Of(0, 0, 1280).ToBits());
  write(kFlowChannelReg, tilefly::FlowChannel::Of(1, 1, 3, 89, 64, 0).ToBits());
}

std::uint64_t CountAt(const Bench& bench, int port, Counter counter) {
  return bench.device.ReadCounter(port, static_cast<int>(counter));
}

/// A pause of the flow to the sink, as a text: "175: 64 x 64, 89 cells".
std::vector<std::string> Texts(const std::vector<std::pair<Cycle, golden::FlowPause>>& pauses) {
  std::vector<std::string> texts;
  for (const auto& [cycle, pause] : pauses) {
    EXPECT_EQ(pause.destination, std::uint32_t{kTo});
    EXPECT_EQ(pause.tc, 0);
    texts.push_back(std::to_string(cycle) + ": " + std::to_string(pause.period) + " x 64, " +
                    std::to_string(pause.credit) + " cells");
  }
  return texts;
}

/// The acks of the packets that `send` sends, with the sink's FLOW_MARK and MODE.flows.
std::vector<std::pair<Cycle, tilefly::Ack>> AcksOf(bool flows, const FlowMark& mark,
                                                   const std::function<void(Source&)>& send) {
  Bench bench(0, [&](Cpu& cpu) {
    WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Mode(flows));
    WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kFlowMarkReg, mark.ToBits());
  });
  send(bench.source);
  sc_core::sc_start();
  EXPECT_TRUE(bench.device.Drained());
  return bench.source.acks;
}

/// One bit of another group makes another source of it, to whose port of this number the ack goes.
constexpr int kOtherSource = Source::kPort + 64;

TEST(FlowChannels, AcksHaveTheShareOfTheirSources) {
  InChild([] {
    const auto acks = AcksOf(true, FlowMark::Of(4095, 4095, 1000), [](Source& source) {
      source.Send(100, kTo);
      source.Send(300, kTo, kOtherSource);  // which counts from the next ack on
      source.Send(500, kTo);
      source.Send(5000, kTo);  // the next epoch but one: of the epoch between nothing is known
      source.Send(5100, kTo, kOtherSource);
      source.Send(6200, kTo);  // the next epoch: the one before it had two sources
      source.Send(8300, kTo);  // and this one had one
    });
    const std::vector<Cycle> sent = {100, 300, 500, 5000, 5100, 6200, 8300};
    const std::vector<int> shares = {1000, 1000, 500, 1000, 1000, 500, 1000};
    ASSERT_EQ(acks.size(), sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
      EXPECT_EQ(acks[i].first, sent[i] + kHome + kToWire) << i;
      const tilefly::Ack& ack = acks[i].second;
      EXPECT_FALSE(ack.mark) << i;
      EXPECT_EQ(ack.share, shares[i]) << i;
      EXPECT_EQ(ack.dst, std::uint32_t{kTo}) << i;
      EXPECT_EQ(ack.tc, 0) << i;
      EXPECT_FALSE(ack.by_class) << i;
      EXPECT_EQ(ack.cells, kCells) << i;
    }
  });
}

/// Thresholds: waiting cells are not below 0, so 0 is always reached, and 4095 never.
TEST(FlowChannels, ThresholdsMarkAcksAndTakeTheirShare) {
  const auto acks_of = [](int on, int hard) {
    const auto acks = AcksOf(true, FlowMark::Of(static_cast<std::uint64_t>(on), static_cast<std::uint64_t>(hard), 1000),
                             [](Source& source) { source.Send(100, kTo); });
    EXPECT_EQ(acks.size(), 1u);
    return std::pair(acks.at(0).second.mark != 0, int{acks.at(0).second.share});
  };
  InChild([&] { EXPECT_EQ(acks_of(0, 4095), std::pair(true, 1000)); });
  InChild([&] { EXPECT_EQ(acks_of(4095, 0), std::pair(false, 0)); });
  InChild([&] { EXPECT_EQ(acks_of(0, 0), std::pair(true, 0)); });
}

/// A generation of a channel lasts until its sweep finds no older one. The packet carries the bit, and the ack brings it
/// back.
TEST(FlowChannels, AcksBringTheGenerationBack) {
  InChild([] {
    const auto acks = AcksOf(true, FlowMark::Of(4095, 4095, 1000), [](Source& source) {
      // Sent in the cycle of the sweep and in the one after it: a + 18.
      source.Send(kSwept + kSweep - 18, kTo);
      source.Send(kSwept + kSweep - 17 + 3, kTo);
    });
    ASSERT_EQ(acks.size(), 2u);
    EXPECT_FALSE(acks[0].second.gen);
    EXPECT_TRUE(acks[1].second.gen);
  });
}

/// A packet that no channel of this switch counts keeps its bit `an`, and its ack says so. One that an entry counts loses
/// the bit.
TEST(FlowChannels, AcksSayWhetherAClassChannelCounts) {
  const auto by_class = [](bool counted) {
    Bench bench(0, [&](Cpu& cpu) {
      WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Mode(true));
      if (!counted) WriteRegister(&cpu, Source::kPort, CfgSpace::kPort, kMode, Enabled());
    });
    bench.source.by_class = true;
    bench.source.Send(100, kTo);
    sc_core::sc_start();
    EXPECT_EQ(bench.source.acks.size(), 1u);
    return bench.source.acks.at(0).second.by_class;
  };
  InChild([&] { EXPECT_TRUE(by_class(false)); });
  InChild([&] { EXPECT_FALSE(by_class(true)); });
}

TEST(FlowChannels, WithoutThemTheFieldsOfAcksAre0) {
  InChild([] {
    const auto acks = AcksOf(false, FlowMark::Of(0, 0, 1000), [](Source& source) { source.Send(100, kTo); });
    ASSERT_EQ(acks.size(), 1u);
    const tilefly::Ack& ack = acks[0].second;
    EXPECT_EQ(ack.cells, kCells);
    EXPECT_FALSE(ack.mark || ack.by_class || ack.gen);
    EXPECT_EQ(ack.share + ack.tc + static_cast<int>(ack.dst), 0);
  });
}

/// The first ack throttles the flow with window 0: from then on it has one packet in flight.
TEST(FlowChannels, AThrottledFlowSendsOnePacketForEachAck) {
  InChild([] {
    Bench bench(0, [](Cpu& cpu) { Throttle(&cpu); });
    for (const Cycle cycle : {100, 200, 210, 220}) bench.source.Send(cycle, kTo);
    sc_core::sc_start();
    const Cycle first = 200 + kHome + 1;  // release of the first that is held; of the second
    const Cycle second = first - 18 + kHome + 1;
    EXPECT_THAT(bench.sink.first_words,
                ElementsAre(100 + kThrough, 200 + kThrough, first + kFromRelease, second + kFromRelease));
    std::vector<Cycle> acks;
    for (const auto& [cycle, ack] : bench.source.acks) acks.push_back(cycle);
    EXPECT_THAT(acks, ElementsAre(100 + kHome + kToWire, 200 + kHome + kToWire, first - 18 + kHome + kToWire,
                                  second - 18 + kHome + kToWire));
    // Told in the cycle after: the first packet that is held, and each that is released.
    const auto told = [](Cycle event) { return std::to_string(event + 1 + kToWire); };
    EXPECT_THAT(Texts(bench.source.pauses),
                ElementsAre(told(210 + 18) + ": 64 x 64, 87 cells", told(first) + ": 64 x 64, 87 cells",
                            told(second) + ": 0 x 64, 0 cells"));
    EXPECT_EQ(CountAt(bench, Source::kPort, Counter::kFlowHeld), 2u);
    EXPECT_EQ(CountAt(bench, Source::kPort, Counter::kFlowThrottled), 1u);
    EXPECT_EQ(CountAt(bench, Source::kPort, Counter::kFlowPauses), 3u);
    EXPECT_EQ(CountAt(bench, Source::kPort, Counter::kMarksIn), 4u);
    EXPECT_EQ(CountAt(bench, Source::kPort, Counter::kFlowLost), 0u);
    EXPECT_EQ(CountAt(bench, Source::kPort, Counter::kFlowStray), 0u);
    EXPECT_EQ(CountAt(bench, Source::kPort, Counter::kRxPackets), 4u);
    EXPECT_EQ(CountAt(bench, kTo, Counter::kMarksMade), 4u);
    EXPECT_TRUE(bench.device.Drained());
    EXPECT_EQ(bench.pool.held(), 0u);
  });
}

/// The table of lanes changes while two packets are held: they keep the lane that they had.
TEST(FlowChannels, AHeldPacketKeepsItsLane) {
  InChild([] {
    Bench bench(0, [](Cpu& cpu) {
      Throttle(&cpu);
      sc_core::wait(fabric::TimeOf(245));
      const auto of_all = static_cast<int>(VlmapIndex::Of(0, 0, 0, 0).ToBits());  // that the packets use
      WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kVlmap, of_all, 3);
    });
    for (const Cycle cycle : {100, 200, 210, 220, 400}) bench.source.Send(cycle, kTo);
    sc_core::sc_start();
    EXPECT_THAT(bench.sink.lanes, ElementsAre(0, 0, 0, 0, 3));
  });
}

/// The sink's port makes no acks any more: the cells in flight are forgotten at the deadline of their generation.
TEST(FlowChannels, ADeadlineReleasesWhatWaitsForALostAck) {
  InChild([] {
    Bench bench(0, [](Cpu& cpu) {
      Throttle(&cpu);
      sc_core::wait(fabric::TimeOf(170));
      WriteRegister(&cpu, kTo, CfgSpace::kPort, kMode, Enabled());
    });
    for (const Cycle cycle : {100, 200, 210}) bench.source.Send(cycle, kTo);
    sc_core::sc_start();
    // The first sweep behind it ends its generation, the next one loses it.
    const Cycle lost = kSwept + 2 * kSweep;
    EXPECT_THAT(bench.sink.first_words, ElementsAre(100 + kThrough, 200 + kThrough, lost + 1 + kFromRelease));
    EXPECT_EQ(CountAt(bench, Source::kPort, Counter::kFlowLost), 2u);  // and that of the third packet
    EXPECT_EQ(CountAt(bench, Source::kPort, Counter::kFlowHeld), 1u);
    EXPECT_EQ(bench.source.acks.size(), 1u);
    EXPECT_TRUE(bench.device.Drained());
  });
}

/// Registers that are written while a flow is throttled: the port takes the new ones.
TEST(FlowChannels, RegistersMayChangeUnderWay) {
  InChild([] {
    Bench bench(0, [](Cpu& cpu) {
      Throttle(&cpu);
      sc_core::wait(fabric::TimeOf(190));
      const std::uint64_t changed = tilefly::FlowChannel::Of(1, 1, 3, 5, 7, 0).ToBits();
      WriteRegister(&cpu, Source::kPort, CfgSpace::kPort, kFlowChannelReg, changed);
    });
    for (const Cycle cycle : {100, 200, 210}) bench.source.Send(cycle, kTo);
    sc_core::sc_start();
    const std::vector<std::string> texts = Texts(bench.source.pauses);
    EXPECT_THAT(texts, ElementsAre("235: 7 x 64, 3 cells", "276: 0 x 64, 0 cells"));
  });
}

TEST(FlowChannels, OffIsOff) {
  InChild([] {
    Bench bench(0, [](Cpu& cpu) {
      Throttle(&cpu);
      WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Mode(false));
    });
    for (const Cycle cycle : {100, 200, 210, 220}) bench.source.Send(cycle, kTo);
    sc_core::sc_start();
    EXPECT_THAT(bench.sink.first_words, ElementsAre(163, 263, 273, 283));
    EXPECT_THAT(bench.source.pauses, IsEmpty());
    for (const Counter counter : {Counter::kFlowHeld, Counter::kFlowFull, Counter::kFlowThrottled, Counter::kFlowLost,
                                  Counter::kFlowStray, Counter::kFlowPauses, Counter::kMarksIn}) {
      EXPECT_EQ(CountAt(bench, Source::kPort, counter), 0u);
    }
    EXPECT_EQ(CountAt(bench, kTo, Counter::kMarksMade), 0u);
  });
}

}  // namespace
}  // namespace tilefly::systemc
