// SPDX-License-Identifier: Apache-2.0
// One switch, loosely timed, against golden: the stated bound of docs/systemc.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "golden/link/frame_format.h"
#include "testbenches/bench/settings.h"
#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/contract.h"
#include "testbenches/systemc/golden_side.h"
#include "testbenches/systemc/loosely_side.h"
#include "testbenches/systemc/pause_setup.h"
#include "testbenches/systemc/simulation.h"

namespace tilefly::systemc {
namespace {

constexpr Cycle kQuantum = 1000;

// The domain of the bound (docs/systemc.md, Loosely timed).
constexpr double kMostLoad = 0.5;        // of a link
constexpr double kGapOfOneClass = 40;    // cycles between packets of a row to an output, at least, on average
constexpr double kGapOfSeveral = 80;

TrafficOptions For(Cycle cycles, TrafficOptions traffic) {
  traffic.cycles = CyclesOf(cycles);
  return traffic;
}

Bounds LooseBounds() {
  Bounds bounds;
  bounds.mean = 0.1;
  bounds.p99 = std::numeric_limits<double>::infinity();
  return bounds;
}

/// Runs both, prints the row, and demands the same packets, the same order of each flow, and the mean within 10 %.
void ExpectLooselyBounded(const std::string& name, const ContractSetup& setup, const TrafficOptions& traffic) {
  InChild([&] {
    const Offers offers = MakeOffers(setup.profile.ports, traffic);
    const Outcome golden = RunGolden(setup, offers);
    const LooseRun run = RunLoosely(setup, offers, kQuantum);
    const Comparison comparison = Compare(offers, golden, run.outcome, LooseBounds());
    std::printf("measured: %-48s %s\n", name.c_str(), comparison.Row().c_str());
    EXPECT_GE(comparison.golden.packets, 1000u);
    for (const std::string& broken : comparison.broken) ADD_FAILURE() << broken;
    EXPECT_EQ(run.broken_rules, 0u);
    EXPECT_EQ(run.held, 0u);
    EXPECT_EQ(run.kernel_events, 0u);
  });
}

/// Who sends to whom, and how much more than uniform traffic the most loaded output gets.
struct Uneven {
  std::string pattern = "uniform";
  double hot = 1;
};

/// `packets` of these sizes and classes at the end of the domain: the highest load that is inside.
TrafficOptions AtItsEnd(const Profile& profile, double packets, const std::vector<int>& sizes, int classes,
                        const Uneven& uneven) {
  double words = 0;
  for (const int size : sizes) words += golden::CeilDiv(size + golden::HeaderBits::kBytes, golden::kWordBytes);
  words /= static_cast<double>(sizes.size());
  const double gap = classes == 1 ? kGapOfOneClass : kGapOfSeveral;
  const double load = std::min(kMostLoad, words * profile.rows / gap) / uneven.hot;
  TrafficOptions traffic = For(static_cast<Cycle>(packets * words / (load * profile.ports)), Load(load, sizes, classes));
  traffic.pattern = uneven.pattern;
  return traffic;
}

/// Seeds of a row of the table: one, five of the full tier.
std::uint64_t Seeds() { return bench::TierFromEnvironment() == bench::Tier::kFull ? 5 : 1; }

void ExpectBoundedAtTheEnd(const Profile& profile, double packets, const std::vector<int>& sizes, int classes,
                           const Uneven& uneven, std::uint64_t seeds = Seeds()) {
  TrafficOptions traffic = AtItsEnd(profile, packets, sizes, classes, uneven);
  const std::string size = sizes.size() > 1 ? "mixed" : std::to_string(sizes.front()) + " B";
  for (traffic.seed = 1; traffic.seed <= seeds; ++traffic.seed) {
    char name[120];
    std::snprintf(name, sizeof name, "loose, %d ports, %s, %d cl., %s, %.4f", profile.ports, size.c_str(), classes,
                  uneven.pattern.c_str(), traffic.load);
    ExpectLooselyBounded(name, ContractSetup(profile), traffic);
  }
}

TEST(LooselyTimed, QuietPacketsTakeTheTimeOfTheTimingPage) {
  InChild([] {
    TrafficOptions traffic = For(400000, Load(0.001, {32, 64, 1024, 3856, 4224}));
    traffic.pattern = "permutation:shift:3";
    const ContractSetup setup(kTile8);
    const Offers offers = MakeOffers(kTile8.ports, traffic);
    const Outcome golden = RunGolden(setup, offers);
    const LooseRun run = RunLoosely(setup, offers, kQuantum);
    const Comparison comparison = Compare(offers, golden, run.outcome);
    ASSERT_GE(comparison.golden.packets, 20u);
    EXPECT_EQ(comparison.same_cycle, comparison.golden.packets);
    EXPECT_TRUE(comparison.broken.empty());
  });
}

const std::vector<std::vector<int>> kSizes = {{32}, {64}, {256}, {1024}, {4096}, {32, 64, 256, 1024, 4224}};

/// Enough for the mean of long packets to settle, too.
double PacketsOf(const std::vector<int>& sizes) { return sizes.back() > 1024 ? 4000 : 3000; }

TEST(LooselyTimed, HoldsToTheEndOfItsDomainOn8Ports) {
  for (const std::vector<int>& sizes : kSizes) {
    for (const int classes : {1, 2, 4, 7}) ExpectBoundedAtTheEnd(kTile8, PacketsOf(sizes), sizes, classes, {});
  }
}

TEST(LooselyTimed, HoldsToTheEndOfItsDomainOn64Ports) {
  for (const std::vector<int>& sizes : kSizes) {
    for (const int classes : {1, 2, 4, 7}) ExpectBoundedAtTheEnd(kRosetta64, PacketsOf(sizes), sizes, classes, {});
  }
}

/// Where it is nearest to the bound.
TEST(LooselyTimed, HoldsWithAnySeedInTheCorners) {
  constexpr std::uint64_t kSome = 5;
  ExpectBoundedAtTheEnd(kRosetta64, 4000, {64}, 1, {}, kSome);
  ExpectBoundedAtTheEnd(kRosetta64, 4000, {64}, 7, {}, kSome);
  ExpectBoundedAtTheEnd(kRosetta64, 4000, {256}, 7, {}, kSome);
  ExpectBoundedAtTheEnd(kRosetta64, 4000, {4096}, 1, {}, kSome);
  ExpectBoundedAtTheEnd(kTile8, 3000, {4096}, 1, {}, kSome);
}

/// All to one, or half of the traffic to two.
TEST(LooselyTimed, HoldsWhereOutputsAreHot) {
  for (const std::vector<int>& sizes : kSizes) {
    for (const int classes : {1, 7}) {
      ExpectBoundedAtTheEnd(kTile8, 3000, sizes, classes, {"incast:5", static_cast<double>(kTile8.ports)});
      ExpectBoundedAtTheEnd(kTile8, 3000, sizes, classes, {"hotspot:2,5:0.5", 0.25 * kTile8.ports + 0.5});
      ExpectBoundedAtTheEnd(kRosetta64, 3000, sizes, classes, {"incast:5", static_cast<double>(kRosetta64.ports)});
      ExpectBoundedAtTheEnd(kRosetta64, 3000, sizes, classes, {"hotspot:3,17:0.1", 0.05 * kRosetta64.ports + 0.9});
    }
  }
}

/// An input of each output: no turns of channels, whatever the load.
TEST(LooselyTimed, IsExactWithOneInputOfAnOutput) {
  InChild([] {
    TrafficOptions traffic = For(2000, Load(kMostLoad, {32, 1024}, 7));
    traffic.pattern = "permutation:shift:3";
    const Offers offers = MakeOffers(kRosetta64.ports, traffic);
    const Outcome golden = RunGolden(ContractSetup(kRosetta64), offers);
    const LooseRun run = RunLoosely(ContractSetup(kRosetta64), offers, kQuantum);
    const Comparison comparison = Compare(offers, golden, run.outcome, LooseBounds());
    std::printf("measured: %-48s %s\n", "loose, one input an output", comparison.Row().c_str());
    EXPECT_GE(comparison.golden.packets, 1000u);
    EXPECT_TRUE(comparison.broken.empty());
    EXPECT_NEAR(comparison.golden.mean, comparison.systemc.mean, 0.001 * comparison.golden.mean);
  });
}

TEST(LooselyTimed, DamagedPacketsStayBad) {
  TrafficOptions traffic = For(20000, Load(0.3, {256, 1024}));
  traffic.bad = 0.05;
  ExpectLooselyBounded("loose, damaged, 0.3", ContractSetup(kTile8), traffic);
}

/// Frames that are converted on the way, tags, unknown addresses.
TEST(LooselyTimed, FramesOfStandardPorts) {
  constexpr golden::PortMask kHalf = 0x55;
  ExpectLooselyBounded("loose, standard ports, 0.1", Standard(kHalf), Traffic(kHalf, 0.1, "uniform", 40000));
}

TEST(LooselyTimed, ReplicatedPacketsReachTheSamePorts) {
  TrafficOptions traffic = For(40000, Load(0.02, {64, 1024}));
  traffic.replicated = 0.3;
  ExpectLooselyBounded("loose, replicated, 0.02", ContractSetup(kTile8), traffic);
}

/// All send to one port as much as they can: it sends what its link can carry, and no more.
TEST(LooselyTimed, AnOutputSendsAtMostWhatItsLinkCarries) {
  InChild([] {
    TrafficOptions traffic = For(5000, Load(1, {64}));
    traffic.pattern = "incast:5";
    const Offers offers = MakeOffers(kTile8.ports, traffic);
    LooseRun run = RunLoosely(ContractSetup(kTile8), offers, kQuantum);
    std::vector<Cycle> starts;
    for (const Delivery& delivery : run.outcome.deliveries) starts.push_back(delivery.first_word);
    std::sort(starts.begin(), starts.end());
    ASSERT_GE(starts.size(), 10000u);
    constexpr Cycle kWords = 3;
    constexpr std::size_t kSome = 100;
    for (std::size_t i = kSome; i < starts.size(); ++i) {
      ASSERT_GE(starts[i] - starts[i - kSome], kWords * static_cast<Cycle>(kSome - 1));
    }
    const Cycle least = kWords * static_cast<Cycle>(starts.size() - 1);
    EXPECT_LE(starts.back() - starts.front(), least + least / 100);
  });
}

/// Links that are longer than anybody was told.
TEST(LooselyTimed, ALateLinkBreaksIt) {
  InChild([] {
    constexpr Cycle kLate = 20;
    const ContractSetup setup(kTile8);
    const Offers offers = MakeOffers(kTile8.ports, AtItsEnd(kTile8, 3000, {64}, 1, {}));
    const LooseRun run = RunLoosely(setup, offers, kQuantum, nullptr, kLate);
    const Comparison comparison = Compare(offers, RunGolden(setup, offers), run.outcome, LooseBounds());
    std::printf("measured: %-48s %s\n", "loose, links late by 20 cycles", comparison.Row().c_str());
    ASSERT_EQ(comparison.broken.size(), 1u);
    EXPECT_NE(comparison.broken.front().find("mean"), std::string::npos) << comparison.broken.front();
  });
}

TEST(LooselyTimed, AChangedByteBreaksIt) {
  InChild([] {
    ContractSetup setup(kTile8);
    constexpr std::uint32_t kSome = 100;
    setup.changed = kSome;
    const Offers offers = MakeOffers(kTile8.ports, For(5000, Load(0.1, {64, 1024})));
    const LooseRun run = RunLoosely(setup, offers, kQuantum);
    const Comparison comparison = Compare(offers, RunGolden(setup, offers), run.outcome, LooseBounds());
    EXPECT_EQ(comparison.broken, std::vector<std::string>{"1 packets left with other bytes"});
  });
}

}  // namespace
}  // namespace tilefly::systemc
