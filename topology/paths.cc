// SPDX-License-Identifier: Apache-2.0
#include "topology/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "topology/graph.h"
#include "topology/routes.h"

namespace tilefly::topology {
namespace {

constexpr std::uint64_t kMany = std::numeric_limits<std::uint64_t>::max();

std::uint64_t AddUpTo(std::uint64_t a, std::uint64_t b) { return a > kMany - b ? kMany : a + b; }

/// The paths to one destination, as the arcs that each switch may take.
class PathsTo {
 public:
  PathsTo(const Routes& routes, PathSet set)
      : routes_(routes),
        wiring_(routes.wiring()),
        set_(set),
        count_(wiring_.switches()),
        hops_(wiring_.switches()),
        used_(wiring_.arcs()),
        before_(wiring_.switches(), kUnseen) {}

  void Begin(int to) {
    to_ = to;
    if (set_ == PathSet::kShortest) {
      routes_.Shortest(to, &next_);
    } else {
      const int domain = routes_.DomainOf(to);
      if (domain != domain_) routes_.Towards(domain, &next_);
      domain_ = domain;
      for (const int at : routes_.Members(domain)) {
        next_[at].clear();
        if (at != to) routes_.Inside(at, to, &next_[at]);
      }
    }
    std::fill(hops_.begin(), hops_.end(), -1);
    hops_[to] = 0;
    count_[to] = 1;
  }

  /// Number of paths from a switch, 0 when there is none; sets Hops.
  std::uint64_t Count(int from) {
    if (hops_[from] >= 0) return count_[from];
    std::uint64_t count = 0;
    int hops = std::numeric_limits<int>::max();
    for (const int arc : next_[from]) {
      const int head = wiring_.Head(arc);
      count = AddUpTo(count, Count(head));
      hops = std::min(hops, hops_[head] + 1);
    }
    count_[from] = count;
    hops_[from] = hops;
    return count;
  }

  int Hops(int from) const { return hops_[from]; }

  /// The most paths from a switch that share no link: augmenting paths over arcs of capacity one.
  std::uint64_t Disjoint(int from) {
    taken_.clear();
    std::uint64_t paths = 0;
    while (Augment(from)) ++paths;
    for (const int arc : taken_) used_[arc] = false;
    return paths;
  }

 private:
  bool Augment(int from) {
    queue_.assign(1, from);
    before_[from] = kSource;
    bool found = false;
    for (std::size_t i = 0; i < queue_.size() && !found; ++i) {
      const int at = queue_[i];
      for (const int arc : next_[at]) {
        if (!used_[arc]) found = Reach(arc) || found;
      }
      if (taken_.empty()) continue;
      for (const int arc : wiring_.Out(at)) {  // back over an arc that leads here
        if (used_[arc ^ 1]) Reach(arc);
      }
    }
    for (int at = to_; found && at != from; at = wiring_.Tail(before_[at])) {
      const int arc = before_[at];
      if (used_[arc ^ 1]) {
        used_[arc ^ 1] = false;
      } else {
        used_[arc] = true;
        taken_.push_back(arc);
      }
    }
    for (const int at : queue_) before_[at] = kUnseen;
    return found;
  }

  /// True at the destination.
  bool Reach(int arc) {
    const int head = wiring_.Head(arc);
    if (before_[head] != kUnseen) return false;
    before_[head] = arc;
    queue_.push_back(head);
    return head == to_;
  }

  static constexpr int kUnseen = -1, kSource = -2;

  const Routes& routes_;
  const Wiring& wiring_;
  PathSet set_;
  int to_ = -1;
  int domain_ = -1;  ///< that next_ leads to
  std::vector<std::vector<int>> next_;
  std::vector<std::uint64_t> count_;
  std::vector<int> hops_;   ///< -1: not counted yet
  std::vector<bool> used_;  ///< arcs of the disjoint paths so far
  std::vector<int> taken_;
  std::vector<int> before_;  ///< arc by which a switch was reached
  std::vector<int> queue_;
};

void Include(std::uint64_t value, std::int64_t pairs_before, Spread* spread) {
  spread->least = pairs_before == 0 ? value : std::min(spread->least, value);
  spread->most = std::max(spread->most, value);
  spread->mean += (static_cast<double>(value) - spread->mean) / static_cast<double>(pairs_before + 1);
}

std::string SpreadText(const Spread& spread) {
  return fmt::format("{}/{:.4g}/{}", spread.least, spread.mean, spread.most);
}

nlohmann::ordered_json SpreadJson(const Spread& spread) {
  return {{"min", spread.least}, {"mean", spread.mean}, {"max", spread.most}};
}

}  // namespace

PathDiversity MeasurePaths(const Topology& topology, PathSet set, std::int64_t max_pairs) {
  const Routes routes(topology);
  const std::vector<int> groups = GroupsOf(topology);
  std::vector<int> ends;
  for (int at = 0; at < routes.wiring().switches(); ++at) {
    if (routes.HasEndpoints(at)) ends.push_back(at);
  }
  PathDiversity diversity;
  diversity.set = set;
  diversity.switches = static_cast<int>(ends.size());
  const std::int64_t affordable = std::max<std::int64_t>(1, max_pairs / std::max(1, diversity.switches));
  diversity.destinations = static_cast<int>(std::min<std::int64_t>(diversity.switches, affordable));
  std::map<std::pair<int, int>, PathClass> classes;  // 0 same group, 1 other group, 2 no groups; hops
  PathsTo paths(routes, set);
  for (int i = 0; i < diversity.destinations; ++i) {
    const int to = ends[static_cast<std::size_t>(i) * ends.size() / diversity.destinations];
    paths.Begin(to);
    for (const int from : ends) {
      if (from == to) continue;
      const std::uint64_t count = paths.Count(from);
      const int kind = groups.empty() ? 2 : groups[from] == groups[to] ? 0 : 1;
      PathClass& entry = classes[{kind, paths.Hops(from)}];
      Include(count, entry.pairs, &entry.paths);
      Include(count == 1 ? 1 : paths.Disjoint(from), entry.pairs, &entry.disjoint);
      ++entry.pairs;
    }
  }
  for (auto& [key, entry] : classes) {
    entry.kind = key.first == 0 ? "same group" : key.first == 1 ? "other group" : "all";
    entry.hops = key.second;
    diversity.classes.push_back(entry);
  }
  return diversity;
}

std::string ToText(const PathDiversity& diversity) {
  std::string text = diversity.set == PathSet::kShortest ? "shortest paths" : "paths of minimal routing";
  if (diversity.sampled()) {
    text +=
        fmt::format(" (a sample: from all of {} switches to {} of them)", diversity.switches, diversity.destinations);
  }
  text += fmt::format("\n  {:<12} {:>5} {:>10}  {:<36} {}\n", "pairs", "hops", "count", "paths min/mean/max",
                      "sharing no link min/mean/max");
  for (const PathClass& entry : diversity.classes) {
    text += fmt::format("  {:<12} {:>5} {:>10}  {:<36} {}\n", entry.kind, entry.hops, entry.pairs,
                        SpreadText(entry.paths), SpreadText(entry.disjoint));
  }
  return text;
}

nlohmann::ordered_json ToJson(const PathDiversity& diversity) {
  nlohmann::ordered_json json{{"paths", diversity.set == PathSet::kShortest ? "shortest" : "minimal routing"},
                              {"destinations", diversity.destinations},
                              {"switches", diversity.switches},
                              {"classes", nlohmann::ordered_json::array()}};
  for (const PathClass& entry : diversity.classes) {
    json["classes"].push_back({{"pairs", entry.kind},
                               {"hops", entry.hops},
                               {"count", entry.pairs},
                               {"paths", SpreadJson(entry.paths)},
                               {"disjoint", SpreadJson(entry.disjoint)}});
  }
  return json;
}

}  // namespace tilefly::topology
