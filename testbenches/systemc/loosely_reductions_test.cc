// SPDX-License-Identifier: Apache-2.0
// Reductions of one switch, loosely timed, against golden: the stated bound of docs/systemc.md.
#include <gtest/gtest.h>

#include <cstdio>
#include <limits>

#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/golden_side.h"
#include "testbenches/systemc/loosely_side.h"
#include "testbenches/systemc/red_contract.h"
#include "testbenches/systemc/simulation.h"

namespace tilefly::systemc {
namespace {

constexpr Cycle kQuantum = 1000;

/// `times`: all episodes, so often.
RedTreePlan Tree(int group, golden::PortMask children, int parent, std::uint64_t pace,
                 const std::vector<cosim::Episode>& episodes, int times = static_cast<int>(CyclesOf(1))) {
  RedTreePlan plan = MakeTree(group, children, parent);
  plan.pace = pace;
  for (int i = 0; i < times; ++i) plan.episodes.insert(plan.episodes.end(), episodes.begin(), episodes.end());
  return plan;
}

/// The same packets, bit by bit, those of streams in the same order; the mean of the results' latency within
/// 5 %, among other traffic 15 %.
void ExpectLooselyReduces(const char* name, ContractSetup setup, const std::vector<RedTreePlan>& trees,
                          const TrafficOptions* traffic = nullptr, std::uint64_t seed = 1) {
  InChild([&] {
    WriteTrees(trees, &setup);
    const Offers offers = traffic == nullptr ? Offers(static_cast<std::size_t>(setup.profile.ports))
                                             : MakeOffers(setup.profile.ports, *traffic);
    RedPeers of_golden(setup.profile, trees, seed);
    RedPeers of_systemc(setup.profile, trees, seed);
    RunGolden(setup, offers, &of_golden);
    const LooseRun run = RunLoosely(setup, offers, kQuantum, &of_systemc);
    Bounds bounds;
    bounds.mean = traffic == nullptr ? 0.05 : 0.15;
    bounds.p99 = std::numeric_limits<double>::infinity();
    const RedComparison comparison =
        CompareReductions(of_golden.arrivals, of_systemc.arrivals, bounds, Order::kOfStreams);
    std::printf("measured: %-30s %s\n", name, comparison.Row().c_str());
    EXPECT_GE(comparison.results, 100u);
    for (const std::string& broken : comparison.broken) ADD_FAILURE() << broken;
    EXPECT_TRUE(of_golden.done());
    EXPECT_TRUE(of_systemc.done());
    EXPECT_EQ(run.broken_rules, 0u);
    EXPECT_EQ(run.held, 0u);
    EXPECT_EQ(run.kernel_events, 0u);
  });
}

const std::vector<cosim::Episode> kEpisodes = {
    StreamsOf(RedOp::kSum, RedType::kFloat32, 3, 5, 4096), ShortsOf(RedOp::kMaxloc, RedType::kInt32, 20, 512),
    StreamsOf(RedOp::kMin, RedType::kBfloat16, 2, 1, 4096), ShortsOf(RedOp::kSum, RedType::kFloat64, 20, 64),
    StreamsOf(RedOp::kXor, RedType::kInt64, 4, 3, 1024)};

TEST(LooselyTimedReductions, RootsAndLeavesOn8Ports) {
  ExpectLooselyReduces("loose, 8 ports, root", ContractSetup(kTile8), {Tree(0, 0xFF, -1, 10, kEpisodes)});
  ExpectLooselyReduces("loose, 8 ports, leaf", ContractSetup(kTile8), {Tree(0, 0b1011'0111, 6, 10, kEpisodes)});
}

/// Which tree is first at a port depends on a few cycles, and what follows depends on that: long runs from several starts.
TEST(LooselyTimedReductions, TwoTreesOn8Ports) {
  constexpr int kTimes = 30;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    ExpectLooselyReduces("loose, 8 ports, two trees", ContractSetup(kTile8),
                         {Tree(0, 0xFF, -1, 10, kEpisodes, kTimes), Tree(5, 0b1010'1101, 1, 10, kEpisodes, kTimes)},
                         nullptr, seed);
  }
}

/// At the first segment of an operation, when nothing else of the group is on the lanes: a launch is made by the call that
/// brings its last part, so of a launch and a failure within the length of a packet either may be first.
TEST(LooselyTimedReductions, AFailureIsToldToAll) {
  using cosim::Mishap;
  std::vector<cosim::Episode> episodes;
  for (const Mishap mishap :
       {Mishap::kDiffers, Mishap::kSkips, Mishap::kIllegal, Mishap::kWrongSide, Mishap::kUnlocked, Mishap::kNone}) {
    cosim::Episode& episode = episodes.emplace_back(StreamsOf(RedOp::kMax, RedType::kInt16, 2, 4, 4096));
    episode.mishap = mishap;
    episode.culprit = 2;
    episode.at = 4;
  }
  ExpectLooselyReduces("loose, 8 ports, failures", ContractSetup(kTile8), {Tree(0, 0b1011'0111, 6, 1, episodes)});
}

TEST(LooselyTimedReductions, On64PortsAndAmongOtherTraffic) {
  ExpectLooselyReduces("loose, 64 ports, root", ContractSetup(kRosetta64),
                       {Tree(0, 0x0F0F'0000'FFFF'0001, -1, 10, kEpisodes)});
  TrafficOptions traffic = Load(0.2, {64, 1024});
  traffic.cycles = CyclesOf(10000);
  ExpectLooselyReduces("loose, 8 ports, among load 0.2", ContractSetup(kTile8), {Tree(0, 0xFF, -1, 10, kEpisodes)},
                       &traffic);
}

}  // namespace
}  // namespace tilefly::systemc
