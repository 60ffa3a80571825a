// SPDX-License-Identifier: Apache-2.0
// CREDIT registers by the length of links (docs/network.md, Timing options).
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "network/credit_tables.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/routed_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

const std::vector<int> kTwoLanes = {0, 1};

/// Two switches, a global link of `metres` between them, two endpoints on each.
topology::Topology PairOver(double metres) {
  topology::Topology topology = RingOf(2);
  topology.links.pop_back();
  topology.links.front().kind = topology::LinkKind::kGlobal;
  topology.links.front().metres = metres;
  return topology;
}

/// Share of its slots that such a link takes in each direction when both endpoints behind it always have packets.
double FillOf(double metres, int size) {
  NetworkOptions options = With("min", "permutation:shift:2", 1, 30000);
  options.traffic.size = std::to_string(size);
  return 2 * RunToTheEnd(PairOver(metres), options).accepted;
}

TEST(LongLinks, ALaneByItselfFillsThem) {
  for (const double metres : {2.6, 50.0, 62.0, 63.0, 80.0, 100.0}) {
    for (const int size : {4224, 4174, 2000, 700, 200}) EXPECT_GT(FillOf(metres, size), 0.995) << metres << " " << size;
  }
  EXPECT_LT(FillOf(200, 4224), 0.95) << "beyond the longest published cable";
}

TEST(LongLinks, CapsGrowWithTheDelayFromThoseOfPowerUpToThatOfAHundredMetres) {
  const Profile& profile = *FindProfile("rosetta64");
  int before = profile.credit_cap_cells;
  for (Cycle delay = 1; delay < 5000; ++delay) {
    const std::optional<golden::CreditTable> table = LongLinkCredits(profile, kTwoLanes, delay);
    if (!table) {
      EXPECT_EQ(before, profile.credit_cap_cells) << delay;
      continue;
    }
    EXPECT_GE(table->cap[1], before) << delay;
    before = table->cap[1];
    const int reserves = std::accumulate(table->reserve.begin(), table->reserve.end(), 0);
    ASSERT_EQ(reserves + table->shared, profile.cells) << delay;
    ASSERT_EQ(reserves, 2 * profile.credit_reserve_cells) << delay;
  }
  EXPECT_EQ(before, 1157);
}

TEST(LongLinks, ACapIsNeverMoreThanReserveAndSharedPart) {
  std::vector<int> lanes(16);
  std::iota(lanes.begin(), lanes.end(), 0);
  Profile profile = *FindProfile("rosetta64");
  for (const int cells : {2560, 2492, 2491, 2300}) {
    profile.cells = cells;
    const std::optional<golden::CreditTable> table = LongLinkCredits(profile, lanes, 5000);
    ASSERT_TRUE(table) << cells;
    EXPECT_EQ(table->shared, cells - 16 * 89);
    EXPECT_EQ(table->cap[15], std::min(1157, 89 + cells - 16 * 89)) << cells;
  }
  profile.cells = 16 * 89 + 930 - 89;
  EXPECT_FALSE(LongLinkCredits(profile, lanes, 5000)) << "power-up gives as much";
}

/// CREDIT writes of a switch by port.
std::map<int, std::vector<std::uint64_t>> CreditsWritten(const std::string& cable, bool bench_timing) {
  NetworkOptions options = With("min", "uniform", 0.1, 100);
  options.bench_timing = bench_timing;
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2,global_cable=" + cable);
  std::map<int, std::vector<std::uint64_t>> written;
  for (const Cfg& write : Network(topology, options).WritesOf(0)) {
    if (static_cast<CfgSpace>(write.space) == CfgSpace::kCredit) written[write.port].push_back(write.data);
  }
  return written;
}

TEST(LongLinks, OnlyTheirPortsAreWritten) {
  EXPECT_TRUE(CreditsWritten("50m", false).empty());
  EXPECT_EQ(CreditsWritten("100m", true).size(), 1u) << "bench: all ports alike";
  const auto written = CreditsWritten("100m", false);
  ASSERT_EQ(written.size(), 2u);
  std::vector<std::uint64_t> expected(17, 0);
  expected[0] = expected[1] = 89 | 1157 << 12;
  expected[16] = 2560 - 2 * 89;
  for (const int port : {5, 6}) EXPECT_EQ(written.at(port), expected);
}

}  // namespace
}  // namespace tilefly::network
