// SPDX-License-Identifier: Apache-2.0
#include "topology/bisection_exact.h"

#include <algorithm>
#include <array>

namespace tilefly::topology {
namespace {

constexpr std::uint8_t kFree = 2;

class ExactSearch {
 public:
  ExactSearch(const WeightedGraph& graph, const std::vector<std::uint8_t>& start, std::int64_t max_steps)
      : graph_(graph), steps_(max_steps), side_(graph.size, kFree) {
    best_.side = start;
    best_.weight = CutWeight(graph, start);
    for (auto& weights : to_) weights.assign(graph.size, 0);
    excess_.reserve(graph.size);
  }

  ExactCut Run() {
    room_ = {graph_.size / 2, graph_.size - graph_.size / 2};
    best_.finished = Visit(0);
    return best_;
  }

 private:
  struct Bound {
    std::int64_t weight = 0;
    int branch = -1;  ///< the free vertex to branch on; -1 when none is left
  };

  Bound Estimate(std::int64_t cut) {
    Bound bound{cut, -1};
    excess_.clear();
    std::int64_t heaviest = -1;
    for (int v = 0; v < graph_.size; ++v) {
      if (side_[v] != kFree) continue;
      bound.weight += to_[0][v];  // as if on side 1
      excess_.push_back(to_[1][v] - to_[0][v]);
      const std::int64_t links = to_[0][v] + to_[1][v];
      if (links > heaviest) {
        heaviest = links;
        bound.branch = v;
      }
    }
    const auto middle = excess_.begin() + room_[0];
    std::nth_element(excess_.begin(), middle, excess_.end());
    for (auto it = excess_.begin(); it != middle; ++it) bound.weight += *it;
    return bound;
  }

  void Put(int v, std::uint8_t side) {
    side_[v] = side;
    --room_[side];
    for (const auto* arc = graph_.begin(v); arc != graph_.end(v); ++arc) to_[side][arc->to] += arc->weight;
  }

  void Take(int v) {
    const std::uint8_t side = side_[v];
    for (const auto* arc = graph_.begin(v); arc != graph_.end(v); ++arc) to_[side][arc->to] -= arc->weight;
    ++room_[side];
    side_[v] = kFree;
  }

  /// False when the steps are used up.
  bool Visit(std::int64_t cut) {
    ++best_.nodes;
    steps_ -= graph_.size;
    if (steps_ < 0) return false;
    const Bound bound = Estimate(cut);
    if (bound.weight >= best_.weight) return true;
    if (bound.branch < 0) {
      best_.weight = cut;
      best_.side = side_;
      return true;
    }
    const int v = bound.branch;
    const std::uint8_t first = to_[1][v] > to_[0][v] ? 1 : 0;
    // The halves of an even graph are alike: the first vertex needs one side only.
    const bool one_side = best_.nodes == 1 && graph_.size % 2 == 0;
    for (int turn = 0; turn < (one_side ? 1 : 2); ++turn) {
      const std::uint8_t side = turn == 0 ? first : 1 - first;
      if (room_[side] == 0) continue;
      const std::int64_t added = to_[1 - side][v];
      Put(v, side);
      const bool searched = Visit(cut + added);
      Take(v);
      if (!searched) return false;
    }
    return true;
  }

  const WeightedGraph& graph_;
  std::int64_t steps_;
  std::vector<std::uint8_t> side_;
  std::array<std::vector<std::int64_t>, 2> to_;  ///< of every vertex: weight of its links to fixed vertices of a side
  std::array<int, 2> room_{};                    ///< vertices that each side still takes
  std::vector<std::int64_t> excess_;             ///< of the free vertices: what side 0 costs more than side 1
  ExactCut best_;
};

}  // namespace

ExactCut BranchAndBound(const WeightedGraph& graph, const std::vector<std::uint8_t>& start, std::int64_t max_steps) {
  return ExactSearch(graph, start, max_steps).Run();
}

}  // namespace tilefly::topology
