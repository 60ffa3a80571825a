// SPDX-License-Identifier: Apache-2.0
// The contract where classes, routing and acks decide.
#include <gtest/gtest.h>

#include "golden/registers/route_tables.h"
#include "support/random.h"
#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/golden_side.h"

namespace tilefly::systemc {
namespace {

constexpr int kAll = golden::kAllPorts;

TrafficOptions For(Cycle cycles, TrafficOptions traffic) {
  traffic.cycles = CyclesOf(cycles);
  return traffic;
}

/// Lower half of the ports: edges. Upper half: links to other groups, two or three towards each, whose partners are switches.
ContractSetup InASystem(const Profile& profile) {
  ContractSetup setup(profile);
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  mode.pclass = 2;
  for (int port = profile.ports / 2; port < profile.ports; ++port) {
    setup.Write(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    setup.answering |= golden::Bit(port);
  }
  Stream random(1, 0, 0, Purpose::kRoutes);
  for (int group = 1; group < kGroups; ++group) {
    golden::PortMask ports = 0;
    for (int link = 0; link < 3; ++link) {
      ports |= golden::Bit(profile.ports / 2 + static_cast<int>(random.Below(static_cast<std::uint64_t>(profile.ports / 2))));
    }
    setup.Write(kAll, CfgSpace::kRouteGroup, group, ports);
  }
  const auto write = [&](SwitchReg which, std::uint64_t data) {
    setup.Write(kAll, CfgSpace::kSwitch, static_cast<int>(which), data);
  };
  write(SwitchReg::kSize, kGroups);
  write(SwitchReg::kSeed, 12345);
  constexpr SwitchLength kLength{{1, 2, 1, 2}, {1, 2, 1, 2}, {2, 4, 2, 4}, {2, 4, 2, 4}};
  write(SwitchReg::kLength, kLength.ToBits());
  constexpr SwitchBias kBias{{0, 0x030, 0x200, 0}};
  write(SwitchReg::kBias, kBias.ToBits());
  return setup;
}

TEST(ContractFeatures, RoutedPacketsAndAcksOn8Ports) {
  TrafficOptions traffic = For(40000, Load(0.5, {64, 256, 1024}, 2));
  traffic.routed = 0.5;
  ExpectBounded("8 ports, routed, load 0.5", InASystem(kTile8), traffic);
}

/// Some partners acknowledge nothing: the flow account forgets the cells after a time, and ordered flows may turn.
TEST(ContractFeatures, CellsOfLostAcksAreForgottenAtTheDeadline) {
  ContractSetup setup = InASystem(kTile8);
  setup.answering &= ~golden::Bit(kTile8.ports - 1);
  setup.Write(kAll, CfgSpace::kPort, static_cast<int>(PortReg::kAckDeadline), PortAckDeadline::Of(2).ToBits());
  TrafficOptions traffic = For(40000, Load(0.4, {64, 256, 1024}, 2));
  traffic.routed = 0.7;
  ExpectBounded("8 ports, routed, lost acks", setup, traffic);
}

TEST(ContractFeatures, RoutedPacketsAndAcksOn64Ports) {
  TrafficOptions traffic = For(3000, Load(0.6, {64, 1024}, 2));
  traffic.routed = 0.6;
  ExpectBounded("64 ports, routed, load 0.6", InASystem(kRosetta64), traffic);
}

TEST(ContractFeatures, SevenClassesOn8Ports) {
  ExpectBounded("8 ports, 7 classes, load 0.75", ContractSetup(kTile8), For(40000, Load(0.75, {64, 512, 4096}, 7)));
}

/// Priorities, tables of unequal weights, a maximum, an MTU of a class.
TEST(ContractFeatures, GroupsWeightsAndMaxima) {
  ContractSetup setup(kTile8);
  setup.Write(kAll, CfgSpace::kClass, golden::IndexOf(3, ClassReg::kGroup), 2);
  setup.Write(kAll, CfgSpace::kClass, golden::IndexOf(1, ClassReg::kMaximum), ClassMaximum::Of(1000, 100000).ToBits());
  setup.Write(kAll, CfgSpace::kClass, golden::IndexOf(2, ClassReg::kMtu), 12);
  for (int entry = 0; entry < kTile8.dtable_entries; ++entry) {
    const int c = entry % 4;
    setup.Write(kAll, CfgSpace::kDtable, entry, DtableEntry::Of(30 + 60 * c, c).ToBits());
  }
  setup.Write(kAll, CfgSpace::kDtable, golden::IndexOf(TableReg::kDtableSwap), 0);
  ExpectBounded("8 ports, weights, load 1", setup, For(20000, Load(1, {64, 512, 1024}, 4)));
}

/// Two lossy classes that ask for more than they get.
TEST(ContractFeatures, LossyClassesDropTheSamePackets) {
  ContractSetup setup(kTile8);
  for (int c = 0; c < 2; ++c) {
    setup.Write(kAll, CfgSpace::kClass, golden::IndexOf(c, ClassReg::kShare),
                ClassShare::Of(60, 200, /*lossy=*/true).ToBits());
  }
  setup.Write(kAll, CfgSpace::kClass, golden::IndexOf(TableReg::kClassShared), 200);
  TrafficOptions traffic = For(20000, Load(0.6, {64, 1024}, 3));
  traffic.pattern = "hotspot:2,5:0.7";
  const Offers offers = MakeOffers(kTile8.ports, traffic);
  const Outcome golden = RunGolden(setup, offers);
  std::uint64_t dropped = 0;
  for (const auto& counters : golden.counters) dropped += counters[static_cast<int>(Drop::kClassFull)];
  EXPECT_GE(dropped, 100u);
  ExpectBounded("8 ports, lossy, load 0.6", setup, traffic);
}

/// Half of the ports are standard Ethernet: bare frames between them and enhanced packets, classes by their tags, floods.
TEST(ContractFeatures, StandardPorts) {
  ContractSetup setup(kTile8);
  PortMode mode;
  mode.enable = true;
  mode.std_format = true;
  mode.trust = static_cast<std::uint8_t>(Trust::kPcp);
  TrafficOptions traffic = For(20000, Load(0.3, {64, 300, 1024}, 3));
  for (int port = 0; port < kTile8.ports; port += 2) {
    setup.standard |= golden::Bit(port);
    setup.Write(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    setup.Write(port, CfgSpace::kPort, static_cast<int>(PortReg::kFloodUnknown), 0b1111);
  }
  traffic.standard = setup.standard;
  traffic.bad = 0.02;
  ExpectBounded("8 ports, standard, load 0.3", setup, traffic);
}

TEST(ContractFeatures, AnotherScheduler) {
  ContractSetup setup(kTile8);
  setup.scheduler.kind = golden::SchedulerKind::kSelfClocked;
  ExpectBounded("8 ports, scfq, load 0.9", setup, For(10000, Load(0.9, {64, 512}, 4)));
}

}  // namespace
}  // namespace tilefly::systemc
