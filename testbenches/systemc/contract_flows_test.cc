// SPDX-License-Identifier: Apache-2.0
// The contract with flow channels (docs/blocks/flow_channel.md): throttled flows, acks that are lost, full tables. The
// link partners ignore pauses, as NICs may; both sides must send the same ones.
#include <gtest/gtest.h>

#include <cstdio>

#include "golden/common/fabric_address.h"
#include "golden/common/register_write.h"
#include "golden/flows/flow_table.h"
#include "golden/registers/route_tables.h"
#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/contract.h"
#include "testbenches/systemc/golden_side.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/systemc_side.h"

namespace tilefly::systemc {
namespace {

constexpr int kAll = golden::kAllPorts;
constexpr golden::PortMask kAllOf8 = 0xFF;

TrafficOptions For(Cycle cycles, TrafficOptions traffic) {
  traffic.cycles = CyclesOf(cycles);
  return traffic;
}

/// The ports `edges` of a switch have flow channels; the others are links to other switches, which acknowledge.
ContractSetup WithFlows(golden::PortMask edges, const FlowMark& mark, const tilefly::FlowChannel& channel) {
  ContractSetup setup(kTile8);
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  for (int port = 0; port < setup.profile.ports; ++port) {
    const bool edge = (edges & golden::Bit(port)) != 0;
    mode.acks = mode.flows = edge;
    mode.pclass = edge ? 0 : 2;
    setup.Write(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    if (!edge) setup.answering |= golden::Bit(port);
  }
  setup.Write(kAll, CfgSpace::kPort, static_cast<int>(PortReg::kFlowMark), mark.ToBits());
  setup.Write(kAll, CfgSpace::kPort, static_cast<int>(PortReg::kFlowChannel), channel.ToBits());
  return setup;
}

/// To each of the other groups by one port of the upper half.
void Route(ContractSetup* setup) {
  for (int group = 1; group < kGroups; ++group) {
    setup->Write(kAll, CfgSpace::kRouteGroup, group, golden::Bit(4 + group % 4) | golden::Bit(4 + (group + 1) % 4));
  }
  setup->Write(kAll, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kSize), kGroups);
  setup->Write(kAll, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kSeed), 12345);
}

/// Golden counts at least so many of each in all ports: the run is about them.
void ExpectCounts(const ContractSetup& setup, const Offers& offers,
                  const std::vector<std::pair<Counter, std::uint64_t>>& least) {
  const Outcome golden = RunGolden(setup, offers);
  for (const auto& [counter, fewest] : least) {
    std::uint64_t sum = 0;
    for (const auto& counters : golden.counters) sum += counters[static_cast<std::size_t>(counter)];
    EXPECT_GE(sum, fewest) << ToString(counter);
  }
}

void ExpectBoundedWith(const char* name, const ContractSetup& setup, const Offers& offers,
                       const std::vector<std::pair<Counter, std::uint64_t>>& least) {
  ExpectCounts(setup, offers, least);
  ExpectBounded(name, setup, offers);
}

/// Beyond what the output takes, and then less: windows shrink, grow, and go.
TEST(ContractFlows, AnIncastIsThrottledAndRecovers) {
  const ContractSetup setup = WithFlows(kAllOf8, FlowMark::Of(60, 250, 300), tilefly::FlowChannel::Of(8, 2, 3, 60, 16, 0));
  TrafficOptions traffic = For(15000, Load(0.3, {64, 1024}, 2));
  traffic.pattern = "hotspot:5:0.7";
  ExpectBoundedWith("8 ports, hotspot, flows", setup, MakeOffers(kTile8.ports, traffic),
                    {{Counter::kFlowHeld, 100}, {Counter::kFlowThrottled, 10}, {Counter::kFlowPauses, 100},
                     {Counter::kMarksIn, 100}});
}

/// Short packets of two inputs: the fifos of the request store are deep long before many cells wait.
TEST(ContractFlows, DeepFifosMark) {
  const ContractSetup setup = WithFlows(kAllOf8, FlowMark::Of(2000, 4000, 300), tilefly::FlowChannel());
  TrafficOptions traffic = For(5000, Load(0.4, {64}));
  traffic.pattern = "incast:5";
  ExpectBoundedWith("8 ports, short incast, flows", setup, MakeOffers(kTile8.ports, traffic),
                    {{Counter::kMarksMade, 100}, {Counter::kFlowHeld, 100}});
}

/// Packets of all modes to other groups, some ordered; acks with marks that are drawn, and of one link none.
TEST(ContractFlows, RoutedPacketsAndLostAcks) {
  ContractSetup setup = WithFlows(0x0F, FlowMark::Of(100, 400, 400), tilefly::FlowChannel::Of(1, 1, 2, 60, 16, 30));
  Route(&setup);
  setup.answering &= ~golden::Bit(kTile8.ports - 1);
  TrafficOptions traffic = For(20000, Load(0.6, {64, 256, 1024}, 2));
  traffic.routed = 0.8;
  ExpectBoundedWith("8 ports, routed, flows", setup, MakeOffers(kTile8.ports, traffic),
                    {{Counter::kFlowHeld, 50}, {Counter::kFlowLost, 10}, {Counter::kFlowThrottled, 10}});
}

/// Packets to many destinations of one set of the table, and acks that are lost: class channels count and hold.
TEST(ContractFlows, AFullTableUsesClassChannels) {
  ContractSetup setup = WithFlows(0x0F, FlowMark::Of(100, 400, 400), tilefly::FlowChannel::Of(2, 2, 3, 60, 16, 0));
  Route(&setup);
  setup.answering &= ~golden::Bit(4);
  const golden::FlowTable table(6, 16);
  std::vector<std::uint32_t> destinations;  // of set 0, in class 0
  for (int group = 1; group < kGroups; ++group) {
    for (int number = 0; number < 16; ++number) {
      for (int port = 0; port < golden::kMaxPorts; ++port) {
        const std::uint32_t address = golden::FabricAddress(group, number, port);
        if (table.SetOf(golden::FlowTable::KeyOf(0, address)) == 0) destinations.push_back(address);
      }
    }
  }
  ASSERT_GT(destinations.size(), 100u);
  TrafficOptions traffic = For(20000, Load(0.3, {64, 512}));
  Offers offers = MakeOffers(kTile8.ports, traffic);
  for (std::size_t port = 0; port < offers.size(); ++port) {
    if (port >= 4) offers[port].clear();
    for (Offer& offer : offers[port]) {
      Header header = offer.header.Unpack();
      header.dst = destinations[offer.id * 7 % 60];
      header.ordered = offer.id % 3 == 0;
      offer.header = golden::HeaderBits(header);
    }
  }
  ExpectBoundedWith("8 ports, full set, flows", setup, offers,
                    {{Counter::kFlowFull, 100}, {Counter::kFlowHeld, 100}, {Counter::kFlowLost, 10}});
}

/// Held cells count in the share of a lossy class, and its packets are dropped before a channel could hold them.
TEST(ContractFlows, ThrottledLossyClasses) {
  ContractSetup setup = WithFlows(kAllOf8, FlowMark::Of(60, 250, 300), tilefly::FlowChannel());
  setup.Write(kAll, CfgSpace::kClass, golden::IndexOf(0, ClassReg::kShare),
              ClassShare::Of(60, 200, /*lossy=*/true).ToBits());
  setup.Write(kAll, CfgSpace::kClass, golden::IndexOf(TableReg::kClassShared), 200);
  TrafficOptions traffic = For(15000, Load(0.4, {64, 1024}, 2));
  traffic.pattern = "hotspot:2,5:0.7";
  const Offers offers = MakeOffers(kTile8.ports, traffic);
  std::uint64_t dropped = 0;
  for (const auto& counters : RunGolden(setup, offers).counters) {
    dropped += counters[static_cast<std::size_t>(Drop::kClassFull)];
  }
  EXPECT_GE(dropped, 100u);
  ExpectBoundedWith("8 ports, lossy, flows", setup, offers, {{Counter::kFlowHeld, 100}});
}

/// Replicated packets are not counted, and pass.
TEST(ContractFlows, ReplicatedPacketsPass) {
  const ContractSetup setup = WithFlows(kAllOf8, FlowMark::Of(30, 100, 200), tilefly::FlowChannel());
  TrafficOptions traffic = For(10000, Load(0.2, {64, 1024}, 2));
  traffic.pattern = "hotspot:5:0.7";
  traffic.replicated = 0.1;
  ExpectBoundedWith("8 ports, replicated, flows", setup, MakeOffers(kTile8.ports, traffic),
                    {{Counter::kFlowHeld, 100}});
}

/// Registers change while packets are held.
TEST(ContractFlows, RegistersMayChange) {
  ContractSetup setup = WithFlows(kAllOf8, FlowMark::Of(60, 250, 300), tilefly::FlowChannel());
  const auto write = [&](Cycle cycle, PortReg reg, std::uint64_t data) {
    setup.later.emplace_back(cycle, golden::WriteRegister(kAll, CfgSpace::kPort, static_cast<int>(reg), data));
  };
  for (int turn = 0; turn < 4; ++turn) {
    const Cycle at = 1500 + 2000 * turn;
    const auto more = static_cast<std::uint64_t>(turn);
    write(at, PortReg::kFlowMark, FlowMark::Of(40 + 60 * more, 250, 200 + 300 * more).ToBits());
    write(at + 700, PortReg::kFlowChannel,
          tilefly::FlowChannel::Of(1 + more, 1, more, 40 + 20 * more, 8 + more, 20 * (more % 3)).ToBits());
  }
  TrafficOptions traffic = For(10000, Load(0.3, {256, 1024}));
  traffic.pattern = "hotspot:5:0.7";
  ExpectBoundedWith("8 ports, registers, flows", setup, MakeOffers(kTile8.ports, traffic), {{Counter::kFlowHeld, 100}});
}

/// Decision 10: without a mark and without ordered packets every packet leaves in the cycle of a switch without flow
/// channels.
TEST(ContractFlows, WithoutMarksNothingMoves) {
  InChild([] {
    const ContractSetup on = WithFlows(kAllOf8, FlowMark::Of(4095, 4095, 1280), tilefly::FlowChannel());
    const Offers offers = MakeOffers(kTile8.ports, For(10000, Load(0.7, {256, 1024}, 3)));
    const Outcome off = RunGolden(ContractSetup(kTile8), offers);
    SystemcRun run = RunSystemc(on, offers);
    std::size_t named = 0;
    for (Delivery& delivery : run.outcome.deliveries) {
      named += delivery.header.gen();
      delivery.header.set_gen(false);
    }
    const Comparison comparison = Compare(offers, off, run.outcome);
    std::printf("measured: %-30s %s\n", "flows without marks", comparison.Row().c_str());
    EXPECT_TRUE(comparison.broken.empty());
    EXPECT_EQ(comparison.same_cycle, comparison.golden.packets);
    EXPECT_GE(comparison.golden.packets, 1000u);
    EXPECT_GT(named, 0u);  // packets of a second generation
    for (const auto& counters : run.outcome.counters) {
      EXPECT_EQ(counters[static_cast<std::size_t>(Counter::kMarksMade)], 0u);
    }
    EXPECT_TRUE(run.outcome.flow_pauses.empty());
  });
}

}  // namespace
}  // namespace tilefly::systemc
