// SPDX-License-Identifier: Apache-2.0
// The contract over reductions: trees of which the switch is the root, a leaf or in between, all operations and types,
// streams, short and small operations, several groups, failures, alone and among other traffic.
#include <gtest/gtest.h>

#include <cstdio>

#include "golden/common/register_write.h"
#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/golden_side.h"
#include "testbenches/systemc/red_contract.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/systemc_side.h"

namespace tilefly::systemc {
namespace {

using golden::PortMask;

constexpr PortMask kAll8 = 0xFF;

/// Episodes or segments of a run: as many as the quick tier has, ten times as many of the full one.
int TimesOf(int quick) { return static_cast<int>(CyclesOf(quick)); }

RedTreePlan Drawn(const Profile& profile, RedTreePlan plan, int episodes, double mishaps = 0, std::uint64_t seed = 1) {
  plan.episodes = DrawEpisodes(profile, plan.tree, TimesOf(episodes), mishaps, seed);
  return plan;
}

RedTreePlan Root(int group, PortMask children) { return MakeTree(group, children); }

RedTreePlan Behind(int parent, int group, PortMask children, PortMask nodes = 0) {
  return MakeTree(group, children, parent, nodes);
}

RedTreePlan Paced(RedTreePlan plan, std::uint64_t pace, std::uint32_t timeout = 0) {
  plan.pace = pace;
  plan.tree.timeout = timeout;
  return plan;
}

/// Full segments, one operation after another, each of so many.
RedTreePlan Streaming(RedTreePlan plan, int operations, int segments) {
  plan.episodes = {StreamsOf(RedOp::kSum, RedType::kFloat32, operations, segments, 4096)};
  plan.episodes.front().count = operations;
  return plan;
}

TEST(ContractReductions, ARootStreamsAtTheRateOfThePage) {
  ExpectReduces("8 ports, root, 4 KiB segments", ContractSetup(kTile8), {Streaming(Root(0, kAll8), 4, TimesOf(40))});
}

TEST(ContractReductions, ANodeInBetweenStreams) {
  ExpectReduces("8 ports, interior, segments", ContractSetup(kTile8),
                {Streaming(Behind(6, 0, 0b1011'0111, 0b0001'0010), 4, TimesOf(40))});
}

TEST(ContractReductions, TwoTreesShareTheRing) {
  ExpectReduces("8 ports, two trees, segments", ContractSetup(kTile8),
                {Streaming(Root(1, kAll8), 4, TimesOf(30)), Streaming(Behind(2, 4, 0b1110'1001), 4, TimesOf(30))});
}

TEST(ContractReductions, AllOperationsAndTypesAtARoot) {
  ExpectReduces("8 ports, root, all operations", ContractSetup(kTile8), {Drawn(kTile8, Paced(Root(0, kAll8), 50), 60)});
}

TEST(ContractReductions, AllOperationsAndTypesInBetween) {
  ExpectReduces("8 ports, interior, all ops", ContractSetup(kTile8),
                {Drawn(kTile8, Paced(Behind(6, 3, 0b1011'0111, 0b0001'0010), 50), 60)});
}

TEST(ContractReductions, SmallOperandsAtLeavesAndInBetween) {
  RedTreePlan one = Paced(Behind(6, 2, 0b0011'0111), 100, 800);
  one.tree.small = true;
  RedTreePlan other = Paced(Behind(0, 7, 0b1100'0010, 0b1000'0000), 1);
  other.tree.small = true;
  ExpectReduces("8 ports, small operands", ContractSetup(kTile8), {Drawn(kTile8, one, 80), Drawn(kTile8, other, 80)});
}

/// Four groups want two slots.
TEST(ContractReductions, GroupsThatWantMoreSlotsThanThereAre) {
  ExpectReduces(
      "8 ports, four groups", ContractSetup(kTile8),
      {Drawn(kTile8, Paced(Root(0, kAll8), 100), 30), Drawn(kTile8, Paced(Behind(1, 1, 0b1011'1100), 20), 30),
       Drawn(kTile8, Root(5, 0b0110'0110), 30), Drawn(kTile8, Paced(Behind(7, 6, 0b0100'1011, 0b1010), 300), 30)});
}

TEST(ContractReductions, Failures) {
  constexpr std::uint32_t kTimeout = 12000;
  RedDemands demands;
  demands.failures = {RedCode::kMismatch, RedCode::kRole,    RedCode::kUnbound, RedCode::kOrder,
                      RedCode::kFormat,   RedCode::kTimeout, RedCode::kLeft};
  demands.counters = {Counter::kRxRed, Counter::kRedStale, Counter::kRedDamaged};
  ContractSetup setup(kTile8);
  for (int i = 0; i < 500; ++i) setup.samples.push_back(1000 * i + 500);
  ExpectReduces("8 ports, failures, root", setup, {Drawn(kTile8, Paced(Root(0, kAll8), 40, kTimeout), 60, 0.6)},
                demands);
  RedTreePlan left = Behind(6, 2, 0b0011'0111, 0b0000'0110);
  left.parent_leaves = 10;
  ExpectReduces("8 ports, failures, interior", setup,
                {Drawn(kTile8, Paced(left, 40, kTimeout), 60, 0.6),
                 Drawn(kTile8, Paced(Root(3, 0b1000'1011), 10, kTimeout), 60, 0.4)},
                demands);
}

/// A child's port is disabled while the child waits for results (what comes at a disabled port is its MAC's to drop, and
/// the bench of golden has none), a tree is written again among its operations.
TEST(ContractReductions, RegistersAreWrittenMeanwhile) {
  const auto mode = [](bool enable) {
    PortMode fabric;
    fabric.enable = enable;
    fabric.cut_through = fabric.credits = fabric.acks = true;
    fabric.std_format = false;
    return golden::WriteRegister(3, CfgSpace::kPort, static_cast<int>(PortReg::kMode), fabric.ToBits());
  };
  ContractSetup setup(kTile8);
  setup.later = {{9700, mode(false)}, {15000, mode(true)}};
  setup.later.emplace_back(40000,
                           golden::WriteRegister(golden::kAllPorts, CfgSpace::kRed, static_cast<int>(RedReg::kTree),
                                                 GroupTree::Of(true, true, 0, false, 12000).ToBits()));
  for (int i = 0; i < 400; ++i) setup.samples.push_back(8900 + 130 * i);
  RedDemands demands;
  demands.finishes = false;  // nobody tells the child behind the port
  demands.failures = {RedCode::kLink};
  ExpectReduces(
      "8 ports, registers written", setup,
      {Streaming(Paced(Root(0, kAll8), 30, 12000), 30, 10), Drawn(kTile8, Paced(Root(1, 0b0111'0101), 30), 30)},
      demands);
}

TEST(ContractReductions, AmongOtherTraffic) {
  TrafficOptions traffic = Load(0.6, {64, 512, 4096}, 7);
  traffic.cycles = CyclesOf(40000);
  RedDemands demands;
  demands.traffic = &traffic;
  ExpectReduces(
      "8 ports, among load 0.6", ContractSetup(kTile8),
      {Drawn(kTile8, Paced(Root(0, kAll8), 20), 15), Drawn(kTile8, Paced(Behind(6, 2, 0b0011'0111, 0b10), 20), 15)},
      demands);
}

TEST(ContractReductions, StoredAndForwarded) {
  ContractSetup setup(kTile8);
  PortMode mode;
  mode.enable = mode.credits = mode.acks = true;
  mode.std_format = false;
  setup.Write(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
  constexpr std::uint32_t kTimeout = 12000;
  RedDemands demands;
  demands.counters = {Counter::kRedDamaged};
  ExpectReduces("8 ports, stored", setup, {Drawn(kTile8, Paced(Root(0, kAll8), 40, kTimeout), 40, 0.6)}, demands);
}

TEST(ContractReductions, HoldOn64Ports) {
  constexpr std::uint32_t kTimeout = 20000;
  ExpectReduces("64 ports, root, all ports", ContractSetup(kRosetta64),
                {Drawn(kRosetta64, Paced(Root(0, ~PortMask{0}), 50), 12)});
  ExpectReduces("64 ports, three groups", ContractSetup(kRosetta64),
                {Drawn(kRosetta64, Paced(Behind(63, 0, 0x0F0F'0F0F'0F0F'0F0F, 0xFF), 50, kTimeout), 12, 0.3),
                 Drawn(kRosetta64, Paced(Root(3, 0xFFFF'0000'FFFF'0000), 50, kTimeout), 12, 0.3),
                 Streaming(Root(6, 0x8000'0001'0000'8001), 4, TimesOf(8))});
}

TEST(ContractReductions, HoldOn64PortsAmongOtherTraffic) {
  TrafficOptions traffic = Load(0.6, {64, 1024, 4096}, 4);
  traffic.cycles = CyclesOf(8000);
  RedDemands demands;
  demands.traffic = &traffic;
  ExpectReduces("64 ports, among load 0.6", ContractSetup(kRosetta64),
                {Drawn(kRosetta64, Paced(Behind(63, 0, 0x00FF'00FF'00FF'00FF, 0xFF), 20), 4),
                 Streaming(Root(3, 0x8001'0001'0100'8001), 2, 10)},
                demands);
}

/// Nothing is evaluated in a ring while nothing is reduced, though there are trees and traffic.
TEST(ContractReductions, ARingWithoutReductionsHasNoEvents) {
  InChild([] {
    ContractSetup setup(kTile8);
    WriteTrees({Root(0, kAll8), Behind(3, 1, 0b0110)}, &setup);
    TrafficOptions traffic = Load(0.5, {64});
    traffic.cycles = 5000;
    const SystemcRun run = RunSystemc(setup, MakeOffers(kTile8.ports, traffic));
    EXPECT_GE(run.outcome.deliveries.size(), 1000u);
    constexpr std::uint64_t kOfWrites = 4;
    EXPECT_LE(run.ring_events, kOfWrites);
  });
}

/// Two runs of the same trees, one with planted faults, break the contract, and no rule of the protocol.
void ExpectBroken(const char* name, ContractSetup setup, const std::vector<RedTreePlan>& trees, Cycle late_link,
                  Cycle late_tree) {
  InChild([&] {
    WriteTrees(trees, &setup);
    const Offers offers(static_cast<std::size_t>(setup.profile.ports));
    RedPeers of_golden(setup.profile, trees, 1);
    RedPeers of_systemc(setup.profile, trees, 1, late_tree);
    RunGolden(setup, offers, &of_golden);
    const SystemcRun run = RunSystemc(setup, offers, late_link, &of_systemc);
    const RedComparison comparison = CompareReductions(of_golden.arrivals, of_systemc.arrivals);
    std::printf("measured: %-30s %s\n", name, comparison.Row().c_str());
    EXPECT_TRUE(of_systemc.done());
    EXPECT_FALSE(comparison.broken.empty());
    EXPECT_TRUE(run.violations.empty());
  });
}

/// The node above gives credit for segments 200 cycles late.
TEST(ContractReductions, ALateCreditOfATreeBreaksIt) {
  ExpectBroken("credits of segments late", ContractSetup(kTile8), {Streaming(Behind(6, 0, 0b1011'0111), 2, 30)}, 0,
               200);
}

/// One result may be on its way on a link, and its cells come back 200 cycles late.
TEST(ContractReductions, ALateCreditOfALinkBreaksIt) {
  ContractSetup setup(kTile8);
  constexpr int kCells = 100;
  for (int lane = 0; lane < golden::kMaxLanes; ++lane) {
    setup.Write(golden::kAllPorts, CfgSpace::kCredit, lane, CreditLane::Of(kCells, kCells).ToBits());
  }
  ExpectBroken("credits of links late", setup, {Streaming(Root(0, kAll8), 2, 30)}, 200, 0);
}

}  // namespace
}  // namespace tilefly::systemc
