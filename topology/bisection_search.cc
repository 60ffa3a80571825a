// SPDX-License-Identifier: Apache-2.0
#include "topology/bisection_search.h"

#include <array>
#include <limits>
#include <numeric>
#include <queue>
#include <random>
#include <utility>

namespace tilefly::topology {
namespace {

using Sides = std::vector<std::uint8_t>;

/// The first floor(n/2) vertices of an order on side 0, the others on side 1.
Sides SplitOrder(const std::vector<int>& order) {
  Sides side(order.size(), 1);
  for (std::size_t i = 0; i < order.size() / 2; ++i) side[order[i]] = 0;
  return side;
}

/// A random order; std::shuffle differs between libraries, this does not.
std::vector<int> RandomOrder(int size, std::mt19937_64* random) {
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  for (int i = size - 1; i > 0; --i) std::swap(order[i], order[(*random)() % static_cast<std::uint64_t>(i + 1)]);
  return order;
}

/// Breadth first from the front of `order`; what is not reached follows in that order.
std::vector<int> GrownOrder(const WeightedGraph& graph, const std::vector<int>& order) {
  std::vector<int> grown;
  std::vector<bool> seen(graph.size);
  for (const int root : order) {
    if (seen[root]) continue;
    seen[root] = true;
    grown.push_back(root);
    for (std::size_t next = grown.size() - 1; next < grown.size(); ++next) {
      const int v = grown[next];
      for (const auto* arc = graph.begin(v); arc != graph.end(v); ++arc) {
        if (seen[arc->to]) continue;
        seen[arc->to] = true;
        grown.push_back(arc->to);
      }
    }
  }
  return grown;
}

/// One pass over a split.
class Pass {
 public:
  Pass(const WeightedGraph& graph, Sides* side) : graph_(graph), side_(*side), gain_(graph.size), moved_(graph.size) {
    for (int v = 0; v < graph.size; ++v) {
      for (const auto* arc = graph.begin(v); arc != graph.end(v); ++arc) {
        gain_[v] += side_[v] == side_[arc->to] ? -arc->weight : arc->weight;
      }
      heap_[side_[v]].emplace(gain_[v], -v);
      ++count_[side_[v]];
    }
  }

  /// Improves the split; the weight that it gained.
  std::int64_t Run() {
    std::vector<int> moves;
    std::int64_t gained = 0, best = 0;
    std::size_t kept = 0;
    const int small = graph_.size / 2;
    while (static_cast<int>(moves.size()) < graph_.size) {
      const int from = count_[0] > small ? 0 : 1;
      const int v = TakeBest(from);
      if (v < 0) break;
      gained += gain_[v];
      Move(v);
      moves.push_back(v);
      if (count_[0] == small && gained > best) {
        best = gained;
        kept = moves.size();
      }
    }
    for (std::size_t i = kept; i < moves.size(); ++i) side_[moves[i]] ^= 1;
    return best;
  }

 private:
  /// The vertex of a side with the highest gain, the lowest index among equals; -1 when all of that side have moved.
  int TakeBest(int from) {
    auto& heap = heap_[from];
    while (!heap.empty()) {
      const auto [gain, minus_v] = heap.top();
      heap.pop();
      const int v = -minus_v;
      if (!moved_[v] && gain == gain_[v]) return v;
    }
    return -1;
  }

  void Move(int v) {
    moved_[v] = true;
    --count_[side_[v]];
    side_[v] ^= 1;
    ++count_[side_[v]];
    for (const auto* arc = graph_.begin(v); arc != graph_.end(v); ++arc) {
      if (moved_[arc->to]) continue;
      gain_[arc->to] += side_[v] == side_[arc->to] ? -2 * arc->weight : 2 * arc->weight;
      heap_[side_[arc->to]].emplace(gain_[arc->to], -arc->to);
    }
  }

  const WeightedGraph& graph_;
  Sides& side_;
  std::vector<std::int64_t> gain_;
  std::vector<bool> moved_;
  std::array<int, 2> count_{};
  std::array<std::priority_queue<std::pair<std::int64_t, int>>, 2> heap_;  ///< old entries stay and are skipped
};

}  // namespace

Sides SearchCut(const WeightedGraph& graph, int restarts, std::uint64_t seed) {
  Sides best;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  const auto improve = [&](const std::vector<int>& order) {
    Sides side = SplitOrder(order);
    while (Pass(graph, &side).Run() > 0) {
    }
    if (const std::int64_t weight = CutWeight(graph, side); weight < least) {
      least = weight;
      best = std::move(side);
    }
  };
  std::vector<int> order(graph.size);
  std::iota(order.begin(), order.end(), 0);
  improve(order);
  for (int i = 0; i < graph.size; ++i) order[i] = 2 * i % graph.size + (2 * i >= graph.size && graph.size % 2 == 0);
  improve(order);
  std::mt19937_64 random(seed);
  for (int i = 0; i < restarts; ++i) {
    order = RandomOrder(graph.size, &random);
    improve(order);
    improve(GrownOrder(graph, order));
  }
  return best;
}

}  // namespace tilefly::topology
