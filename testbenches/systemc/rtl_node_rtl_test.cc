// SPDX-License-Identifier: Apache-2.0
// The RTL behind transactors beside the transaction model: the same packets at the same time, over cables that are as long as
// those of a chip.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "systemc/rtl/rtl_node.h"
#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/contract.h"
#include "testbenches/systemc/pause_setup.h"
#include "testbenches/systemc/platform.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/systemc_side.h"

namespace tilefly::systemc {
namespace {

constexpr std::size_t kFewest = 1000;   // packets that are worth a comparison
constexpr double kSameCycle = 0.999;

void ExpectQuiet(const SystemcRun& run) {
  for (const fabric::Violation& violation : run.violations) {
    ADD_FAILURE() << violation.rule << " in " << violation.cycle << ": " << violation.what;
  }
  EXPECT_TRUE(run.outcome.drained);
}

/// What leaves bare has no header that pins could show: that of its offer stands for it.
void ForgetHeaders(const ContractSetup& setup, const Offers& offers, Outcome* outcome) {
  std::map<std::uint32_t, golden::HeaderBits> headers;
  for (const std::vector<Offer>& port : offers) {
    for (const Offer& offer : port) headers[offer.id] = offer.header;
  }
  for (Delivery& delivery : outcome->deliveries) {
    if ((setup.standard & golden::Bit(delivery.port)) != 0) delivery.header = headers.at(delivery.id);
  }
}

/// Both in one simulation, over cables of `cable` cycles behind them.
void ExpectSame(const char* name, const ContractSetup& setup, const TrafficOptions& traffic, Cycle cable) {
  InChild([&] {
    const Offers offers = MakeOffers(setup.profile.ports, traffic);
    fabric::PacketPool pool;
    Switch model("switch", setup.profile);
    RtlNode rtl("rtl", setup.profile, &pool);
    SwitchBench model_bench("model_", setup, offers, &model, &pool, 0, cable);
    SwitchBench rtl_bench("rtl_", setup, offers, &rtl, &pool, 0, cable);
    sc_core::sc_start();
    SystemcRun of_model = model_bench.Collect();
    SystemcRun of_rtl = rtl_bench.Collect();
    ForgetHeaders(setup, offers, &of_model.outcome);
    ForgetHeaders(setup, offers, &of_rtl.outcome);
    const Comparison comparison = Compare(offers, of_model.outcome, of_rtl.outcome);
    std::printf("measured: %-30s %s\n", name, comparison.Row().c_str());
    EXPECT_GE(comparison.golden.packets, kFewest);
    for (const std::string& broken : comparison.broken) ADD_FAILURE() << broken;
    EXPECT_GE(static_cast<double>(comparison.same_cycle), kSameCycle * static_cast<double>(comparison.golden.packets));
    ExpectQuiet(of_model);
    ExpectQuiet(of_rtl);
    EXPECT_GE(of_rtl.checked, 2 * comparison.golden.packets);
    EXPECT_EQ(pool.held(), 0u);
    ExpectSameAcks(of_model.outcome, of_rtl.outcome);
    ExpectSamePauses(of_model.outcome.pauses, of_rtl.outcome.pauses);
    ExpectSamePauses(of_model.outcome.flow_pauses, of_rtl.outcome.flow_pauses);
  });
}

TrafficOptions For(Cycle cycles, TrafficOptions traffic) {
  traffic.cycles = CyclesOf(cycles);
  return traffic;
}

TEST(RtlNode, DoesAsTheTransactionModel) {
  const std::vector<int> sizes = {32, 64, 256, 1024, 4224};
  ExpectSame("rtl, 64 B, load 0.5", ContractSetup(kTile8), For(3000, Load(0.5, {64})), 210);
  ExpectSame("rtl, mixed, load 0.7", ContractSetup(kTile8), For(20000, Load(0.7, sizes, 3)), 210);
  ExpectSame("rtl, 64 B, load 1", ContractSetup(kTile8), For(3000, Load(1, {64})), 210);
}

TEST(RtlNode, PassesOnDamageAcksAndReplicatedPackets) {
  TrafficOptions traffic = For(10000, Load(0.3, {64, 1024}));
  traffic.bad = 0.05;
  ExpectSame("rtl, damaged, load 0.3", ContractSetup(kTile8), traffic, 210);
  traffic = For(10000, Load(0.1, {64, 1024}, 2));
  traffic.replicated = 0.2;
  ExpectSame("rtl, replicated, load 0.1", ContractSetup(kTile8), traffic, 210);
}

/// Flows to one port are throttled: what is held, released and told is the same.
TEST(RtlNode, HoldsAndPausesFlowsAsTheTransactionModel) {
  ContractSetup setup(kTile8);
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = mode.acks = mode.flows = true;
  mode.std_format = false;
  const auto write = [&](PortReg reg, std::uint64_t data) {
    setup.Write(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(reg), data);
  };
  write(PortReg::kMode, mode.ToBits());
  write(PortReg::kFlowMark, FlowMark::Of(60, 250, 300).ToBits());
  write(PortReg::kFlowChannel, tilefly::FlowChannel::Of(8, 2, 3, 60, 16, 40).ToBits());
  // The RTL counts its cycles from its first write on: with so many writes sweeps and epochs come in the model's cycles.
  setup.writes.resize(static_cast<std::size_t>(kTile8.flow_epoch_cycles), setup.writes.back());
  TrafficOptions traffic = For(8000, Load(0.3, {64, 1024}, 2));
  traffic.pattern = "hotspot:5:0.7";
  ExpectSame("rtl, hotspot, flows", setup, traffic, 210);
}

/// Bare frames on pins, and PAUSE both ways: the RTL stops its partners, and they stop the RTL.
TEST(RtlNode, SendsAndObeysPauseOnStandardPorts) {
  ContractSetup setup = Standard(kAllOf8);
  setup.open = false;
  TrafficOptions traffic = Traffic(kAllOf8, 0.4, "incast:5", 40000);
  ExpectPauses(setup, MakeOffers(kTile8.ports, traffic), 50, 0);
  ExpectSame("rtl, incast, PAUSE", setup, traffic, 210);
  traffic = Traffic(kAllOf8, 0.4, "uniform", 40000);
  traffic.pauses = 0.05;
  traffic.most_quanta = 100;
  ExpectPauses(setup, MakeOffers(kTile8.ports, traffic), 0, 200);
  ExpectSame("rtl, paused by partners", setup, traffic, 210);
}

/// A packet that is longer than the cable is told when it is whole: in the cycle in which a receiver that stores it has it.
TEST(RtlNode, TellsAPacketThatIsLongerThanTheCableWithItsLastWord) {
  InChild([] {
    const ContractSetup setup(kTile8);
    TrafficOptions traffic = For(20000, Load(0.3, {4096}));
    traffic.pattern = "permutation:shift:3";
    const Offers offers = MakeOffers(kTile8.ports, traffic);
    fabric::PacketPool pool;
    Switch model("switch", kTile8);
    RtlNode rtl("rtl", kTile8, &pool);
    constexpr Cycle kCable = 10;
    SwitchBench model_bench("model_", setup, offers, &model, &pool, 0, kCable);
    SwitchBench rtl_bench("rtl_", setup, offers, &rtl, &pool, 0, kCable);
    sc_core::sc_start();
    const SystemcRun of_model = model_bench.Collect();
    const SystemcRun of_rtl = rtl_bench.Collect();
    ASSERT_GT(of_model.outcome.deliveries.size(), 100u);
    ASSERT_EQ(of_model.outcome.deliveries.size(), of_rtl.outcome.deliveries.size());
    const Cycle last_word = golden::CeilDiv(4096 + golden::HeaderBits::kBytes, golden::kWordBytes) - 1;
    for (std::size_t i = 0; i < of_model.outcome.deliveries.size(); ++i) {
      const Delivery& first = of_model.outcome.deliveries[i];
      std::size_t found = 0;
      for (const Delivery& whole : of_rtl.outcome.deliveries) {
        if (whole.id != first.id) continue;
        ++found;
        EXPECT_EQ(whole.first_word, first.first_word + last_word) << first.id;
      }
      EXPECT_EQ(found, 1u) << first.id;
    }
    ExpectQuiet(of_model);
    ExpectQuiet(of_rtl);
    EXPECT_EQ(pool.held(), 0u);
  });
}

/// Acks that never come: the partners of these ports are switches, and give none.
TEST(RtlNode, TakesAnAckThatDoesNotComeForLost) {
  InChild([] {
    ContractSetup setup(kTile8);
    PortMode mode;
    mode.enable = mode.cut_through = mode.credits = true;
    mode.std_format = mode.acks = false;
    setup.Write(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    TrafficOptions traffic = Load(0.2, {64});
    traffic.cycles = 500;
    const Offers offers = MakeOffers(kTile8.ports, traffic);
    fabric::PacketPool pool;
    RtlNode rtl("rtl", kTile8, &pool);
    SwitchBench bench("rtl_", setup, offers, &rtl, &pool, 0, 210);
    sc_core::sc_start(fabric::TimeOf(5000));
    const std::size_t waiting = pool.held();
    EXPECT_GT(waiting, 100u);
    EXPECT_TRUE(rtl.Drained());
    sc_core::sc_start();
    EXPECT_EQ(pool.held(), 0u);
    EXPECT_EQ(bench.Collect().outcome.deliveries.size(), waiting);
    EXPECT_LT(fabric::CycleAt(sc_core::sc_time_stamp()), 5000 + fabric::HopLedger::kAckWait);
  });
}

/// The register bus of the platform.
TEST(RtlNode, AnswersOnItsConfigureSocket) {
  InChild([] {
    const ContractSetup setup(kTile8);
    TrafficOptions traffic = Load(0.2, {64});
    traffic.cycles = 500;
    const Offers offers = MakeOffers(kTile8.ports, traffic);
    fabric::PacketPool pool;
    RtlNode rtl("rtl", kTile8, &pool);
    SwitchBench bench("rtl_", setup, offers, &rtl, &pool, 0, 210);
    std::uint64_t sum = 0;
    Cpu cpu("cpu", [&](Cpu& self) {
      sc_core::wait(fabric::TimeOf(4000));
      for (int port = 0; port < kTile8.ports; ++port) {
        std::vector<std::uint8_t> bytes(8);
        EXPECT_EQ(self.Read(Switch::AddressOf(port, CfgSpace::kCounter, static_cast<int>(Counter::kRxPackets)), &bytes),
                  tlm::TLM_OK_RESPONSE);
        std::uint64_t value;
        std::memcpy(&value, bytes.data(), sizeof value);
        EXPECT_EQ(value, offers[static_cast<std::size_t>(port)].size()) << port;
        sum += value;
      }
      std::vector<std::uint8_t> bytes(8);
      EXPECT_EQ(self.Write(Switch::AddressOf(0, CfgSpace::kPort, 0), bytes), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(self.Read(Switch::AddressOf(0, CfgSpace::kPort, 0), &bytes), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(self.Read(Switch::AddressOf(0, CfgSpace::kRed, RegisterAccess::StatusOf(0)), &bytes), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(self.Write(4, bytes), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    });
    cpu.socket.bind(rtl.configure);
    sc_core::sc_start();
    EXPECT_TRUE(cpu.finished);
    EXPECT_GT(sum, 100u);
    EXPECT_EQ(bench.Collect().outcome.deliveries.size(), sum);
  });
}

}  // namespace
}  // namespace tilefly::systemc
