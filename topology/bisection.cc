// SPDX-License-Identifier: Apache-2.0
#include "topology/bisection.h"

#include <algorithm>
#include <utility>

#include "support/errors.h"
#include "topology/bisection_bound.h"
#include "topology/bisection_exact.h"
#include "topology/bisection_flow.h"
#include "topology/bisection_search.h"
#include "topology/weighted_graph.h"

namespace tilefly::topology {
namespace {

/// Switches up to which branch and bound is tried when the bounds do not meet, and up to which traffic is improved
/// then.
constexpr int kSearchLimit = 64;
constexpr int kFlowLimit = 512;
/// A sweep of FlowBound takes about so many steps for each switch and link.
constexpr std::int64_t kStepsOfSweep = 15;
constexpr std::int64_t kMostSweeps = 1000;

void RaiseLower(Bisection* result, std::int64_t lower, CutMethod method) {
  if (lower <= result->lower) return;
  result->lower = lower;
  result->lower_by = method;
}

void BoundBelow(const WeightedGraph& graph, Bisection* result) {
  result->lower_by = CutMethod::kRouting;
  RaiseLower(result, RoutingBound(graph), CutMethod::kRouting);
  if (result->lower < result->upper && graph.size <= kSpectralLimit) {
    RaiseLower(result, SpectralBound(graph), CutMethod::kSpectral);
  }
}

void SearchExactly(const WeightedGraph& graph, std::int64_t max_steps, Bisection* result) {
  ExactCut cut = BranchAndBound(graph, result->side, max_steps);
  result->nodes = cut.nodes;
  if (cut.weight < result->upper) {
    result->upper = cut.weight;
    result->upper_by = CutMethod::kBranchAndBound;
    result->side = std::move(cut.side);
  }
  if (cut.finished) {
    result->lower = result->upper;
    result->lower_by = CutMethod::kBranchAndBound;
  }
}

void BoundByFlow(const WeightedGraph& graph, std::int64_t max_steps, Bisection* result) {
  const auto links = static_cast<std::int64_t>(graph.arcs.size() / 2);
  const std::int64_t sweeps = max_steps / (kStepsOfSweep * graph.size * std::max<std::int64_t>(1, links));
  RaiseLower(result, FlowBound(graph, static_cast<int>(std::min(sweeps, kMostSweeps)), result->upper),
             CutMethod::kFlow);
}

void CountLinks(const Topology& topology, Bisection* result) {
  for (const Link& link : topology.links) {
    if (result->side[link.a.at] == result->side[link.b.at]) continue;
    ++(link.kind == LinkKind::kGlobal ? result->global_links : result->local_links);
  }
}

/// The exact line at one alpha.
BisectionLine LineAt(const Topology& topology, BisectionOptions options, const Ratio& alpha) {
  options.alpha = alpha;
  const Bisection result = MinimumBisection(topology, options);
  if (!result.exact) {
    throw UsageError("bisection of " + topology.name + " with alpha " + ToText(alpha) + ": not proved within " +
                     std::to_string(options.max_steps) + " steps; ask for one alpha, which gives bounds");
  }
  return {result.local_links, result.global_links};
}

/// Appends the lines between two neighbours; `left` is lighter for small alpha.
void Refine(const Topology& topology, const BisectionOptions& options, const BisectionLine& left,
            const BisectionLine& right, std::vector<BisectionLine>* lines) {
  const Ratio cross = MakeRatio(right.local_links - left.local_links, left.global_links - right.global_links);
  const BisectionLine middle = LineAt(topology, options, cross);
  const auto weight = [&](const BisectionLine& line) {
    return cross.denominator * line.local_links + cross.numerator * line.global_links;
  };
  if (weight(middle) == weight(left)) return;
  Refine(topology, options, left, middle, lines);
  lines->push_back(middle);
  Refine(topology, options, middle, right, lines);
}

}  // namespace

Bisection MinimumBisection(const Topology& topology, const BisectionOptions& options) {
  if (topology.switches.size() < 2) throw UsageError("bisection of " + topology.name + ": needs at least two switches");
  const WeightedGraph graph = MakeWeightedGraph(topology, options.alpha);
  Bisection result;
  result.alpha = options.alpha;
  result.scale = options.alpha.denominator;
  result.side = SearchCut(graph, options.restarts, options.seed);
  result.upper = CutWeight(graph, result.side);
  BoundBelow(graph, &result);
  if (result.lower < result.upper && graph.size <= kSearchLimit) SearchExactly(graph, options.max_steps, &result);
  if (result.lower < result.upper && graph.size <= kFlowLimit) BoundByFlow(graph, options.max_steps, &result);
  result.exact = result.lower == result.upper;
  CountLinks(topology, &result);
  return result;
}

std::vector<BisectionLine> BisectionEnvelope(const Topology& topology, const BisectionOptions& options) {
  std::int64_t global = 0;
  for (const Link& link : topology.links) global += link.kind == LinkKind::kGlobal ? 1 : 0;
  const auto other = static_cast<std::int64_t>(topology.links.size()) - global;
  // So small an alpha that one local link outweighs all global ones, and the other way round.
  const BisectionLine left = LineAt(topology, options, MakeRatio(1, global + 1));
  const BisectionLine right = LineAt(topology, options, MakeRatio(other + 1, 1));
  std::vector<BisectionLine> lines{left};
  if (left.global_links == right.global_links) return lines;
  Refine(topology, options, left, right, &lines);
  lines.push_back(right);
  return lines;
}

}  // namespace tilefly::topology
