// SPDX-License-Identifier: Apache-2.0
// Minimum bisections against exhaustive search, and against the published envelope of the (p,4,2) dragonfly.
#include "topology/bisection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/errors.h"
#include "testbenches/bench/settings.h"
#include "testbenches/topology/graphs.h"
#include "topology/bisection_bound.h"
#include "topology/bisection_exact.h"
#include "topology/bisection_flow.h"
#include "topology/bisection_search.h"
#include "topology/builder.h"
#include "topology/weighted_graph.h"

namespace tilefly::topology {
namespace {

std::int64_t Exhaustive(const WeightedGraph& graph) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::uint32_t mask = 0; mask < 1u << graph.size; ++mask) {
    if (__builtin_popcount(mask) != graph.size / 2) continue;
    std::vector<std::uint8_t> side(graph.size);
    for (int v = 0; v < graph.size; ++v) side[v] = mask >> v & 1;
    least = std::min(least, CutWeight(graph, side));
  }
  return least;
}

Ratio LinesAt(const std::vector<BisectionLine>& lines, const Ratio& alpha) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const BisectionLine& line : lines) {
    least = std::min(least, line.local_links * alpha.denominator + line.global_links * alpha.numerator);
  }
  return {least, alpha.denominator};
}

void ExpectValidCut(const Topology& topology, const Bisection& bisection) {
  const auto ones = std::count(bisection.side.begin(), bisection.side.end(), 1);
  const auto size = static_cast<std::int64_t>(topology.switches.size());
  EXPECT_EQ(std::max(ones, size - ones), size - size / 2);
  EXPECT_EQ(bisection.upper, CutWeight(MakeWeightedGraph(topology, bisection.alpha), bisection.side));
  EXPECT_EQ(bisection.upper,
            bisection.local_links * bisection.scale + bisection.global_links * bisection.alpha.numerator);
  EXPECT_LE(bisection.lower, bisection.upper);
  EXPECT_EQ(bisection.exact, bisection.lower == bisection.upper);
}

TEST(Bisection, EveryMethodAgreesWithExhaustiveSearch) {
  int met = 0;
  for (int size = 2; size <= 13; ++size) {
    for (const int percent : {20, 50, 90}) {
      const Topology topology = MakeRandomGraph(size, percent, size * 100 + percent);
      const WeightedGraph graph = MakeWeightedGraph(topology, {3, 2});
      const std::int64_t minimum = Exhaustive(graph);
      const auto start = SearchCut(graph, 0, 1);
      EXPECT_GE(CutWeight(graph, start), minimum);
      const ExactCut cut = BranchAndBound(graph, start, 1'000'000'000);
      EXPECT_TRUE(cut.finished);
      EXPECT_EQ(cut.weight, minimum) << size << " switches, " << percent << "% of the links";
      EXPECT_LE(SpectralBound(graph), minimum);
      EXPECT_LE(RoutingBound(graph), minimum);
      EXPECT_LE(FlowBound(graph, 20, minimum + 1), minimum);
      met += SpectralBound(graph) == minimum ? 1 : 0;
    }
  }
  EXPECT_GT(met, 0) << "the spectral bound never meets the minimum";
}

TEST(Bisection, BoundsMeetOnCompleteGraphs) {
  const WeightedGraph graph = MakeWeightedGraph(MakeRandomGraph(40, 100, 1), {1, 1});
  EXPECT_EQ(SpectralBound(graph), 400);
  EXPECT_EQ(RoutingBound(graph), 400);
  EXPECT_EQ(FlowBound(graph, 0, 1000), 400);
  const WeightedGraph odd = MakeWeightedGraph(MakeRandomGraph(41, 100, 1), {1, 1});
  EXPECT_EQ(SpectralBound(odd), 420);
  EXPECT_EQ(RoutingBound(odd), 420);
}

TEST(Bisection, RelativeArrangementHasThePublishedEnvelope) {
  const Topology topology = MakeDragonfly(1, 4, 2, Relative);
  const std::vector<BisectionLine> published{{4, 16}, {14, 8}, {20, 4}, {36, 0}};
  for (const char* text : {"0.01", "1/2", "1", "5/4", "11/8", "1.4", "3/2", "2", "3.999", "4", "4.001", "17"}) {
    const Ratio alpha = ParseRatio(text, "alpha");
    const Bisection bisection = MinimumBisection(topology, {alpha});
    EXPECT_TRUE(bisection.exact);
    EXPECT_EQ(bisection.upper, LinesAt(published, alpha).numerator) << "alpha " << text;
    ExpectValidCut(topology, bisection);
  }
  EXPECT_EQ(ToText(BisectionEnvelope(topology, {})), "min(4+16a, 14+8a, 20+4a, 36)");
}

// The other two are not printed in the paper as formulas; these came from the same exact method.
TEST(Bisection, ArrangementsAreOrderedAsPublished) {
  const auto absolute = BisectionEnvelope(MakeDragonfly(1, 4, 2, Absolute), {});
  const auto relative = BisectionEnvelope(MakeDragonfly(1, 4, 2, Relative), {});
  const auto circulant = BisectionEnvelope(MakeDragonfly(1, 4, 2, Circulant), {});
  EXPECT_EQ(ToText(absolute), "min(4+16a, 24)");
  EXPECT_EQ(ToText(circulant), "min(4+16a, 16+8a, 20+6a, 36)");
  for (int eighths = 1; eighths < 80; ++eighths) {
    const Ratio alpha{eighths, 8};
    EXPECT_LE(LinesAt(absolute, alpha).numerator, LinesAt(relative, alpha).numerator) << "alpha " << eighths << "/8";
    EXPECT_LE(LinesAt(relative, alpha).numerator, LinesAt(circulant, alpha).numerator) << "alpha " << eighths << "/8";
  }
}

TEST(Bisection, WhatIsNotProvedIsNamedABound) {
  const Topology topology = MakeDragonfly(1, 4, 2, Circulant);
  BisectionOptions options{{3, 2}};
  options.max_steps = 1000;
  const Bisection bisection = MinimumBisection(topology, options);
  EXPECT_FALSE(bisection.exact);
  EXPECT_LE(bisection.lower, 56) << "half units of the minimum 28";
  EXPECT_GE(bisection.upper, 56);
  ExpectValidCut(topology, bisection);
  EXPECT_NE(ToText(bisection).find("at least"), std::string::npos);
  EXPECT_EQ(ToText(bisection).find("exactly"), std::string::npos);
  EXPECT_FALSE(ToJson(bisection)["exact"].get<bool>());
  EXPECT_EQ(MinimumBisection(topology, options).side, bisection.side) << "the same seed gives the same cut";
  EXPECT_THROW(BisectionEnvelope(topology, options), UsageError);
}

TEST(Bisection, BetterTrafficRaisesTheBound) {
  const WeightedGraph graph = MakeWeightedGraph(MakeDragonfly(1, 8, 2, Relative), {2, 1});
  const std::int64_t first = FlowBound(graph, 0, 1000);
  const std::int64_t later = FlowBound(graph, 10, 1000);
  EXPECT_GT(later, first);
  EXPECT_GT(later, RoutingBound(graph));
  EXPECT_LE(later, CutWeight(graph, SearchCut(graph, 4, 1)));
  EXPECT_EQ(FlowBound(graph, 10, first), first) << "it stops at what is enough";
}

// The published bisection of Shandy, (g/2)^2 * links of a pair, is that of any halves of its switches.
TEST(Bisection, ShandyHasThePublishedOne) {
  if (bench::TierFromEnvironment() == bench::Tier::kQuick) GTEST_SKIP() << "takes some ten seconds";
  const Topology topology = Build("preset:shandy");
  const Bisection bisection = MinimumBisection(topology, {});
  EXPECT_EQ(bisection.upper, 4 * 4 * 8);
  EXPECT_EQ(bisection.global_links, 4 * 4 * 8);
  EXPECT_TRUE(bisection.exact) << ToText(bisection);
  ExpectValidCut(topology, bisection);
}

TEST(Bisection, SaysWhatItFound) {
  const Bisection bisection = MinimumBisection(MakeDragonfly(1, 4, 2, Relative), {{1, 2}});
  EXPECT_NE(
      ToText(bisection).find("global link 1/2: exactly 12 (4 local and 16 global links), proved by branch and bound"),
      std::string::npos)
      << ToText(bisection);
  const nlohmann::ordered_json json = ToJson(bisection);
  EXPECT_TRUE(json["exact"].get<bool>());
  EXPECT_EQ(json["lower"], "12");
  EXPECT_EQ(json["upper"], "12");
  EXPECT_EQ(json["side"].size(), 36u);
}

TEST(Bisection, RefusesWhatCannotBeSplit) {
  EXPECT_THROW(MinimumBisection(MakeRandomGraph(1, 0, 1), {}), UsageError);
  EXPECT_EQ(MinimumBisection(MakeRandomGraph(2, 100, 1), {}).upper, 1);
  EXPECT_EQ(MinimumBisection(MakeRandomGraph(30, 0, 1), {}).upper, 0);
}

TEST(Ratio, ReadsExactNumbers) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{{"2", "2"},
                                                                                       {"0", "0"},
                                                                                       {"1.25", "5/4"},
                                                                                       {"5/4", "5/4"},
                                                                                       {"6/4", "3/2"},
                                                                                       {".5", "1/2"},
                                                                                       {"0.000001", "1/1000000"}}) {
    EXPECT_EQ(ToText(ParseRatio(text, "--alpha")), expected);
  }
  for (const char* text : {"", "-1", "1/0", "a", "1.", "1/", "1e3", "2000000", "1/2/3", "0.0000001", "1 "}) {
    EXPECT_THROW(ParseRatio(text, "--alpha"), UsageError) << "'" << text << "'";
  }
}

}  // namespace
}  // namespace tilefly::topology
