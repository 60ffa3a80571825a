// SPDX-License-Identifier: Apache-2.0
// One switch, approximately timed, against golden: the contract of docs/systemc.md.
#include <gtest/gtest.h>

#include <cstdio>

#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/contract.h"
#include "testbenches/systemc/golden_side.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/systemc_side.h"

namespace tilefly::systemc {
namespace {

TrafficOptions For(Cycle cycles, TrafficOptions traffic) {
  traffic.cycles = CyclesOf(cycles);
  return traffic;
}

TEST(Contract, AQuietPacketTakes63Cycles) {
  InChild([] {
    TrafficOptions traffic = For(20000, Load(0.001, {64}));
    traffic.pattern = "permutation:shift:3";
    const Offers offers = MakeOffers(kTile8.ports, traffic);
    const SystemcRun run = RunSystemc(ContractSetup(kTile8), offers);
    ASSERT_GE(run.outcome.deliveries.size(), 8u);
    for (const Delivery& delivery : run.outcome.deliveries) {
      for (const auto& port : offers) {
        for (const Offer& offer : port) {
          if (offer.id != delivery.id) continue;
          EXPECT_EQ(delivery.first_word - offer.at, 63);
        }
      }
    }
  });
}

TEST(Contract, HoldsOn8PortsWithSmallPackets) {
  ExpectBounded("8 ports, 64 B, load 0.2", ContractSetup(kTile8), For(5000, Load(0.2, {64})));
  ExpectBounded("8 ports, 64 B, load 0.5", ContractSetup(kTile8), For(5000, Load(0.5, {64})));
  ExpectBounded("8 ports, 64 B, load 0.8", ContractSetup(kTile8), For(5000, Load(0.8, {64})));
}

TEST(Contract, HoldsOn8PortsWithAllSizes) {
  const std::vector<int> sizes = {32, 64, 256, 1024, 4224};
  ExpectBounded("8 ports, mixed, load 0.2", ContractSetup(kTile8), For(40000, Load(0.2, sizes)));
  ExpectBounded("8 ports, mixed, load 0.5", ContractSetup(kTile8), For(40000, Load(0.5, sizes)));
  ExpectBounded("8 ports, mixed, load 0.8", ContractSetup(kTile8), For(40000, Load(0.8, sizes)));
}

TEST(Contract, HoldsOn8PortsInSaturation) {
  ExpectBounded("8 ports, 64 B, load 1", ContractSetup(kTile8), For(5000, Load(1, {64})));
  ExpectBounded("8 ports, 4 KiB, load 1", ContractSetup(kTile8), For(30000, Load(1, {4096})));
}

TEST(Contract, HoldsWithReplicatedPackets) {
  TrafficOptions traffic = For(20000, Load(0.15, {64, 1024}, 2));
  traffic.replicated = 0.2;
  ExpectBounded("8 ports, replicated, load 0.15", ContractSetup(kTile8), traffic);
}

TEST(Contract, HoldsOfPacketsThatAreStoredAndDamaged) {
  PortMode mode;
  mode.enable = mode.credits = mode.acks = true;
  mode.cut_through = mode.std_format = false;
  ContractSetup setup(kTile8);
  setup.Write(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
  TrafficOptions traffic = For(20000, Load(0.5, {64, 1024}));
  traffic.bad = 0.05;
  ExpectBounded("8 ports, stored, load 0.5", setup, traffic);
}

TEST(Contract, HoldsOfDamagedPacketsThatAreCutThrough) {
  TrafficOptions traffic = For(20000, Load(0.5, {64, 1024}));
  traffic.bad = 0.05;
  ExpectBounded("8 ports, damaged, load 0.5", ContractSetup(kTile8), traffic);
}

TEST(Contract, HoldsWhenAllSendToOne) {
  TrafficOptions traffic = For(40000, Load(0.12, {64, 1024}));
  traffic.pattern = "incast:5";
  ExpectBounded("8 ports, incast, load 0.12 each", ContractSetup(kTile8), traffic);
}

TEST(Contract, HoldsOn64Ports) {
  ExpectBounded("64 ports, 64 B, load 0.75", ContractSetup(kRosetta64), For(1000, Load(0.75, {64})));
  ExpectBounded("64 ports, 7 classes, load 0.75", ContractSetup(kRosetta64),
                For(5000, Load(0.75, {64, 1024, 4096}, 7)));
}

TEST(Contract, HoldsOn64PortsInSaturation) {
  ExpectBounded("64 ports, 1 KiB, load 1", ContractSetup(kRosetta64), For(5000, Load(1, {1024})));
}

/// Two packets of 4 KiB may be on their way on a link.
TEST(Contract, ALateCreditBreaksIt) {
  InChild([] {
    ContractSetup setup(kTile8);
    constexpr int kCells = 200;
    for (int lane = 0; lane < golden::kMaxLanes; ++lane) {
      setup.Write(golden::kAllPorts, CfgSpace::kCredit, lane, CreditLane::Of(kCells, kCells).ToBits());
    }
    const Offers offers = MakeOffers(kTile8.ports, For(20000, Load(1, {4096})));
    const Outcome golden = RunGolden(setup, offers);
    const SystemcRun run = RunSystemc(setup, offers, 200);
    const Comparison comparison = Compare(offers, golden, run.outcome);
    std::printf("measured: %-30s %s\n", "credits 200 cycles late", comparison.Row().c_str());
    EXPECT_FALSE(comparison.broken.empty());
    EXPECT_TRUE(run.violations.empty());  // no rule of the protocol says when
  });
}

/// One bit of one frame, on its way out.
TEST(Contract, AChangedByteBreaksIt) {
  InChild([] {
    ContractSetup setup(kTile8);
    constexpr std::uint32_t kSome = 100;
    setup.changed = kSome;
    const Offers offers = MakeOffers(kTile8.ports, For(5000, Load(0.5, {64, 1024})));
    const Comparison comparison = Compare(offers, RunGolden(setup, offers), RunSystemc(setup, offers).outcome);
    EXPECT_EQ(comparison.broken, std::vector<std::string>{"1 packets left with other bytes"});
  });
}

}  // namespace
}  // namespace tilefly::systemc
