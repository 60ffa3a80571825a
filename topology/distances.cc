// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "topology/describe.h"
#include "topology/graph.h"

namespace tilefly::topology {
namespace {

/// Endpoints of each switch.
std::vector<std::int64_t> EndpointsOf(const Topology& topology) {
  std::vector<std::int64_t> count(topology.switches.size());
  for (const Endpoint& endpoint : topology.endpoints) ++count[endpoint.port.at];
  return count;
}

constexpr std::size_t kSources = 256;  ///< searches at once
using Mask = std::array<std::uint64_t, kSources / 64>;

/// Breadth-first searches from up to kSources switches at once: bit i of a switch's masks belongs to source i.
class Searches {
 public:
  explicit Searches(const SwitchGraph& graph)
      : graph_(graph), seen_(boost::num_vertices(graph)), front_(seen_.size()), next_(seen_.size()) {}

  /// Calls visit(switch, distance, number of sources at that distance).
  template <typename Visit>
  void Run(const std::size_t* sources, std::size_t count, Visit visit) {
    all_ = {};
    std::fill(front_.begin(), front_.end(), Mask{});
    for (std::size_t i = 0; i < count; ++i) {
      front_[sources[i]][i / 64] |= std::uint64_t{1} << i % 64;
      all_[i / 64] |= std::uint64_t{1} << i % 64;
    }
    seen_ = front_;
    for (int distance = 0; Report(distance, visit); ++distance) Advance();
  }

 private:
  /// Visits the front; false when it is empty.
  template <typename Visit>
  bool Report(int distance, Visit visit) const {
    bool any = false;
    for (std::size_t s = 0; s < front_.size(); ++s) {
      int count = 0;
      for (const std::uint64_t word : front_[s]) count += __builtin_popcountll(word);
      if (count == 0) continue;
      any = true;
      visit(s, distance, count);
    }
    return any;
  }

  void Advance() {
    for (std::size_t s = 0; s < next_.size(); ++s) {
      next_[s] = {};
      if (seen_[s] == all_) continue;
      Mask reached = {};
      for (auto [edge, end] = boost::out_edges(s, graph_); edge != end; ++edge) {
        const Mask& from = front_[boost::target(*edge, graph_)];
        for (std::size_t w = 0; w < reached.size(); ++w) reached[w] |= from[w];
      }
      for (std::size_t w = 0; w < reached.size(); ++w) {
        next_[s][w] = reached[w] & ~seen_[s][w];
        seen_[s][w] |= reached[w];
      }
    }
    front_.swap(next_);
  }

  const SwitchGraph& graph_;
  Mask all_ = {};  ///< the sources of this run
  std::vector<Mask> seen_, front_, next_;
};

}  // namespace

Distances MeasureDistances(const Topology& topology) {
  const SwitchGraph graph = MakeGraph(topology);
  const std::vector<std::int64_t> endpoints = EndpointsOf(topology);
  // Sources with equally many endpoints share a search, so that its counts weigh alike.
  std::vector<std::size_t> order(topology.switches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return endpoints[a] < endpoints[b]; });
  Distances result;
  std::int64_t weighted = 0;
  Searches search(graph);
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    const std::int64_t each = endpoints[order[from]];
    while (to < order.size() && to < from + kSources && endpoints[order[to]] == each) ++to;
    search.Run(&order[from], to - from, [&](std::size_t s, int distance, std::int64_t sources) {
      if (result.pairs.size() <= static_cast<std::size_t>(distance)) result.pairs.resize(distance + 1);
      result.pairs[distance] += sources;
      weighted += sources * distance * each * endpoints[s];
    });
  }
  std::int64_t sum = 0;
  for (std::size_t d = 0; d < result.pairs.size(); ++d) sum += static_cast<std::int64_t>(d) * result.pairs[d];
  const auto mean = [](std::int64_t total, double count) {
    return count < 2 ? 0 : static_cast<double>(total) / (count * (count - 1));
  };
  result.mean = mean(sum, static_cast<double>(topology.switches.size()));
  result.endpoints_mean = mean(weighted, static_cast<double>(topology.endpoints.size()));
  return result;
}

std::vector<Reach> MeasureReach(const Topology& topology, const std::vector<int>& from) {
  const SwitchGraph graph = MakeGraph(topology);
  const std::vector<std::size_t> sources(from.begin(), from.end());
  std::vector<Reach> reach(topology.switches.size());
  Searches search(graph);
  for (std::size_t first = 0; first < sources.size(); first += kSources) {
    const std::size_t count = std::min(kSources, sources.size() - first);
    search.Run(&sources[first], count, [&](std::size_t s, int distance, std::int64_t found) {
      reach[s].farthest = std::max(reach[s].farthest, distance);
      reach[s].sum += found * distance;
    });
  }
  return reach;
}

}  // namespace tilefly::topology
