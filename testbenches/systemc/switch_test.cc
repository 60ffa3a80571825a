// SPDX-License-Identifier: Apache-2.0
// What a platform sees of a switch besides its traffic: the register bus, journeys, a cable's delay and bit errors.
#include <gtest/gtest.h>

#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/switch_bench.h"

namespace tilefly::systemc {
namespace {

TEST(Switch, AQuietPacketReachesTheStagesOfTheTimingPage) {
  InChild([] {
    Bench bench(10, [](Cpu& cpu) {
      EXPECT_EQ(WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Enabled()), tlm::TLM_OK_RESPONSE);
    });
    bench.source.Send(100, 6);  // on link_i in 110
    sc_core::sc_start();
    ASSERT_EQ(bench.sink.first_words, std::vector<Cycle>{110 + 63 + 10});
    // Cells free in a + 47 (p + 3 + n, two cells), on the wire in seven cycles more, here in ten.
    EXPECT_EQ(bench.source.ends, std::vector<Cycle>{110 + 47 + 7 + 10});
    using golden::Stage;
    const std::vector<std::pair<Stage, Cycle>> expected = {
        {Stage::kQueued, 20}, {Stage::kRequested, 21}, {Stage::kStored, 29}, {Stage::kGranted, 30},
        {Stage::kGrantHere, 41}, {Stage::kPicked, 42}, {Stage::kArrived, 54}};
    ASSERT_EQ(bench.source.journey.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(bench.source.journey[i].stage, expected[i].first) << i;
      EXPECT_EQ(bench.source.journey[i].cycle - 110, expected[i].second) << i;
    }
    EXPECT_EQ(bench.source.journey.front().place, "switch.tile_0.input_1");
    EXPECT_EQ(bench.source.journey.back().place, "switch.tile_3.output_0");
    EXPECT_EQ(bench.pool.held(), 0u);
    EXPECT_TRUE(bench.device.Drained());
  });
}

TEST(Switch, ARegisterWriteIsAnEventSevenCyclesLater) {
  InChild([] {
    Bench bench(0, [](Cpu& cpu) {
      sc_core::wait(fabric::TimeOf(50));
      EXPECT_EQ(WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Enabled()), tlm::TLM_OK_RESPONSE);
    });
    std::vector<golden::PortMask> enabled;
    for (const Cycle cycle : {57, 58}) {
      bench.source.At(cycle, [&] { enabled.push_back(bench.device.registers().enabled()); });
    }
    sc_core::sc_start();
    EXPECT_EQ(enabled, (std::vector<golden::PortMask>{0, 0xFF}));
  });
}

TEST(Switch, TheRegisterBusReadsCountersAndRefusesTheRest) {
  InChild([] {
    Bench bench(0, [](Cpu& cpu) {
      EXPECT_EQ(WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Enabled()), tlm::TLM_OK_RESPONSE);
      sc_core::wait(fabric::TimeOf(500));
      std::vector<std::uint8_t> count(8);
      const auto tx = static_cast<int>(Counter::kTxPackets);
      EXPECT_EQ(cpu.Read(Switch::AddressOf(6, CfgSpace::kCounter, tx), &count), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(count, (std::vector<std::uint8_t>{2, 0, 0, 0, 0, 0, 0, 0}));
      EXPECT_EQ(cpu.Read(Switch::AddressOf(6, CfgSpace::kPort, kMode), &count), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(Switch::AddressOf(0, CfgSpace::kRed, RegisterAccess::StatusOf(7)), &count), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(cpu.Read(Switch::AddressOf(0, CfgSpace::kRed, RegisterAccess::StatusOf(8)), &count), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(Switch::AddressOf(0, CfgSpace::kRed, RegisterAccess::StatusOf(0) + 1), &count), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(Switch::AddressOf(9, CfgSpace::kCounter, tx), &count), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(Switch::AddressOf(6, CfgSpace::kCounter, tx) + 4, &count), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(std::uint64_t{1} << 40, &count), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      std::vector<std::uint8_t> half(4);
      EXPECT_EQ(cpu.Read(Switch::AddressOf(6, CfgSpace::kCounter, tx), &half), tlm::TLM_BURST_ERROR_RESPONSE);
    });
    bench.source.Send(100, 6);
    bench.source.Send(130, 6);
    sc_core::sc_start();
    EXPECT_TRUE(bench.cpu.finished);
    EXPECT_EQ(bench.sink.first_words, (std::vector<Cycle>{163, 193}));
  });
}

TEST(Switch, ABitErrorOfACableLeavesStomped) {
  InChild([] {
    Bench bench(0, [](Cpu& cpu) { WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Enabled()); });
    int seen = 0;
    bench.to.set_damage([&seen](const fabric::Packet&) { return ++seen == 2; });
    for (const Cycle cycle : {100, 130, 160}) bench.source.Send(cycle, 6);
    sc_core::sc_start();
    EXPECT_EQ(bench.sink.bad, (std::vector<bool>{false, true, false}));
    EXPECT_EQ(bench.device.ReadCounter(6, static_cast<int>(Counter::kTxStomped)), 1u);
  });
}

}  // namespace
}  // namespace tilefly::systemc
