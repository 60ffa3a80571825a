// SPDX-License-Identifier: Apache-2.0
#include "topology/bisection_flow.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace tilefly::topology {
namespace {

/// How sharply the potential minds the fullest links: softly at first, since a tree moves much at once, then sharply.
constexpr double kSoft = 0.3, kSharp = 0.002;
constexpr int kSharpSweeps = 6;   ///< the bound is taken after so many sharp sweeps
constexpr int kSoftSweeps = 100;  ///< between two tries of them

class Traffic {
 public:
  explicit Traffic(const WeightedGraph& graph)
      : graph_(graph), link_(graph.arcs.size()), distance_(graph.size), parent_(graph.size), tail_(graph.arcs.size()) {
    for (int v = 0; v < graph.size; ++v) {
      for (const auto* arc = graph.begin(v); arc != graph.end(v); ++arc) {
        const int index = static_cast<int>(arc - graph.arcs.data());
        tail_[index] = v;
        if (arc->to > v) {
          link_[index] = static_cast<int>(weight_.size());
          weight_.push_back(static_cast<double>(arc->weight));
        } else {
          link_[index] = link_[Reverse(v, arc->to)];
        }
      }
    }
    lengths_.resize(weight_.size());
    tree_.resize(weight_.size());
  }

  /// One tree for each vertex, over links that are the longer the lighter; false when the graph is in parts.
  bool Begin() {
    for (std::size_t l = 0; l < weight_.size(); ++l) lengths_[l] = 1 / weight_[l];
    for (int v = 0; v < graph_.size; ++v) {
      if (!FollowTree(v)) return false;
      of_.push_back(tree_);
    }
    return true;
  }

  /// The most units that a link carries for each unit of its weight.
  double Worst() {
    load_.assign(weight_.size(), 0);
    for (const auto& loads : of_) {
      for (std::size_t l = 0; l < loads.size(); ++l) load_[l] += loads[l];
    }
    double worst = 0;
    for (std::size_t l = 0; l < weight_.size(); ++l) worst = std::max(worst, load_[l] / weight_[l]);
    return worst;
  }

  void Sweep(double softness) {
    const double worst = Worst();
    beta_ = std::log(static_cast<double>(weight_.size() + 1)) / softness;
    for (int v = 0; v < graph_.size; ++v) {
      for (std::size_t l = 0; l < weight_.size(); ++l) {
        lengths_[l] = std::exp(beta_ * (load_[l] / weight_[l] / worst - 1)) / weight_[l];
      }
      FollowTree(v);
      Move(v, worst);
    }
  }

 private:
  int Reverse(int from, int to) const {
    const auto* arc = std::lower_bound(graph_.begin(to), graph_.end(to), from,
                                       [](const WeightedGraph::Arc& a, int value) { return a.to < value; });
    return static_cast<int>(arc - graph_.arcs.data());
  }

  /// Fills tree_ with half a unit to every vertex (the other half comes from there), over shortest paths.
  bool FollowTree(int source) {
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
    std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());
    std::vector<int> order;
    distance_[source] = 0;
    queue.emplace(0.0, source);
    while (!queue.empty()) {
      const auto [distance, v] = queue.top();
      queue.pop();
      if (distance > distance_[v]) continue;
      order.push_back(v);
      for (const auto* arc = graph_.begin(v); arc != graph_.end(v); ++arc) {
        const int index = static_cast<int>(arc - graph_.arcs.data());
        const double through = distance + lengths_[link_[index]];
        if (through >= distance_[arc->to]) continue;
        distance_[arc->to] = through;
        parent_[arc->to] = index;
        queue.emplace(through, arc->to);
      }
    }
    std::fill(tree_.begin(), tree_.end(), 0.0);
    std::vector<double> units(graph_.size, 0.5);
    for (std::size_t i = order.size(); i-- > 1;) {
      const int index = parent_[order[i]];
      tree_[link_[index]] += units[order[i]];
      units[tail_[index]] += units[order[i]];
    }
    return static_cast<int>(order.size()) == graph_.size;
  }

  /// Moves the part of a vertex's units to tree_ that lowers the potential most, by bisection of its slope.
  void Move(int v, double worst) {
    auto& loads = of_[v];
    const auto slope = [&](double part) {
      double sum = 0;
      for (std::size_t l = 0; l < weight_.size(); ++l) {
        const double change = tree_[l] - loads[l];
        if (change == 0) continue;
        sum += std::exp(beta_ * ((load_[l] + part * change) / weight_[l] / worst - 1)) * change / weight_[l];
      }
      return sum;
    };
    if (!(slope(0) < 0)) return;
    double low = 0, high = 1;
    constexpr int kHalvings = 14;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      (slope(middle) > 0 ? high : low) = middle;
    }
    for (std::size_t l = 0; l < weight_.size(); ++l) {
      const double change = low * (tree_[l] - loads[l]);
      loads[l] += change;
      load_[l] += change;
    }
  }

  const WeightedGraph& graph_;
  std::vector<int> link_;       ///< of each arc; both directions are one link
  std::vector<double> weight_;  ///< of each link
  std::vector<double> lengths_;
  std::vector<double> distance_;
  std::vector<int> parent_;  ///< arc by which a tree reaches a vertex
  std::vector<int> tail_;    ///< of each arc
  std::vector<double> tree_;
  std::vector<std::vector<double>> of_;  ///< units of each vertex on each link
  std::vector<double> load_;             ///< their sum
  double beta_ = 0;
};

}  // namespace

std::int64_t FlowBound(const WeightedGraph& graph, int sweeps, std::int64_t enough) {
  Traffic traffic(graph);
  if (graph.size < 2 || !traffic.Begin()) return 0;
  const double units = static_cast<double>(graph.size / 2) * (graph.size - graph.size / 2);
  const auto bound = [&] {
    // Loads are sums of some sweeps * vertices terms with a relative error below the roundoff each.
    constexpr double kError = 1e-6;
    return static_cast<std::int64_t>(std::ceil(units / traffic.Worst() * (1 - kError)));
  };
  std::int64_t best = bound();
  for (int sweep = 1; sweep <= sweeps && best < enough; ++sweep) {
    const int turn = (sweep - 1) % (kSoftSweeps + kSharpSweeps);
    traffic.Sweep(turn < kSoftSweeps ? kSoft : kSharp);
    best = std::max(best, bound());
  }
  return best;
}

}  // namespace tilefly::topology
