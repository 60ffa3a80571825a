// SPDX-License-Identifier: Apache-2.0
// One switch, loosely timed, against golden: the stated bound of docs/systemc.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/contract.h"
#include "testbenches/systemc/golden_side.h"
#include "testbenches/systemc/loosely_side.h"
#include "testbenches/systemc/simulation.h"

namespace tilefly::systemc {
namespace {

constexpr Cycle kQuantum = 1000;

TrafficOptions For(Cycle cycles, TrafficOptions traffic) {
  traffic.cycles = CyclesOf(cycles);
  return traffic;
}

/// Runs both, prints the row, and demands the same packets, the same order of each flow, and the mean within 10 %.
void ExpectLooselyBounded(const char* name, const SwitchSetup& setup, const TrafficOptions& traffic) {
  InChild([&] {
    const Offers offers = MakeOffers(setup.profile.ports, traffic);
    const Outcome golden = RunGolden(setup, offers);
    const LooseRun run = RunLoosely(setup, offers, kQuantum);
    Bounds bounds;
    bounds.mean = 0.1;
    bounds.p99 = std::numeric_limits<double>::infinity();
    const Comparison comparison = Compare(offers, golden, run.outcome, bounds);
    std::printf("%-30s %s\n", name, comparison.Row().c_str());
    EXPECT_GE(comparison.golden.packets, 1000u);
    for (const std::string& broken : comparison.broken) ADD_FAILURE() << broken;
    EXPECT_EQ(run.broken_rules, 0u);
    EXPECT_EQ(run.held, 0u);
    EXPECT_EQ(run.kernel_events, 0u);
  });
}

TEST(LooselyTimed, QuietPacketsTakeTheTimeOfTheTimingPage) {
  InChild([] {
    TrafficOptions traffic = For(400000, Load(0.001, {32, 64, 1024, 3856, 4224}));
    traffic.pattern = "permutation:shift:3";
    const SwitchSetup setup(kTile8);
    const Offers offers = MakeOffers(kTile8.ports, traffic);
    const Outcome golden = RunGolden(setup, offers);
    const LooseRun run = RunLoosely(setup, offers, kQuantum);
    const Comparison comparison = Compare(offers, golden, run.outcome);
    ASSERT_GE(comparison.golden.packets, 20u);
    EXPECT_EQ(comparison.same_cycle, comparison.golden.packets);
    EXPECT_TRUE(comparison.broken.empty());
  });
}

TEST(LooselyTimed, HoldsBelowHalfLoad) {
  ExpectLooselyBounded("loose, 8 ports, 64 B, 0.2", SwitchSetup(kTile8), For(10000, Load(0.2, {64})));
  ExpectLooselyBounded("loose, 8 ports, 64 B, 0.45", SwitchSetup(kTile8), For(10000, Load(0.45, {64})));
  ExpectLooselyBounded("loose, 8 ports, mixed, 0.45", SwitchSetup(kTile8), For(60000, Load(0.45, {64, 1024, 4096}, 2)));
  ExpectLooselyBounded("loose, 8 ports, 4 KiB, 0.45", SwitchSetup(kTile8), For(100000, Load(0.45, {4096})));
  ExpectLooselyBounded("loose, 64 ports, 64 B, 0.45", SwitchSetup(kRosetta64), For(2000, Load(0.45, {64})));
  ExpectLooselyBounded("loose, 64 ports, mixed, 0.3", SwitchSetup(kRosetta64), For(8000, Load(0.3, {64, 256, 1024, 4096}, 4)));
  ExpectLooselyBounded("loose, 64 ports, 1 KiB, 0.45", SwitchSetup(kRosetta64), For(5000, Load(0.45, {1024})));
}

TEST(LooselyTimed, ReplicatedPacketsReachTheSamePorts) {
  TrafficOptions traffic = For(40000, Load(0.02, {64, 1024}));
  traffic.replicated = 0.3;
  ExpectLooselyBounded("loose, replicated, 0.02", SwitchSetup(kTile8), traffic);
}

/// All send to one port as much as they can: it sends what its link can carry, and no more.
TEST(LooselyTimed, AnOutputSendsAtMostWhatItsLinkCarries) {
  InChild([] {
    TrafficOptions traffic = For(5000, Load(1, {64}));
    traffic.pattern = "incast:5";
    const Offers offers = MakeOffers(kTile8.ports, traffic);
    LooseRun run = RunLoosely(SwitchSetup(kTile8), offers, kQuantum);
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

}  // namespace
}  // namespace tilefly::systemc
