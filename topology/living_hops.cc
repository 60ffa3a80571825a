// SPDX-License-Identifier: Apache-2.0
#include "topology/living_hops.h"

#include <functional>
#include <queue>
#include <utility>

#include "support/errors.h"

namespace tilefly::topology {
namespace {

/// Longer than any path without a global link.
constexpr std::int64_t kGlobalLength = std::int64_t{1} << 32;

}  // namespace

std::int64_t LivingHops::LengthOf(int arc) const {
  return topology_.links[static_cast<std::size_t>(arc / 2)].kind == LinkKind::kGlobal ? kGlobalLength : 1;
}

/// Lengths of the shortest paths to the nearest of the targets, from all switches. `inside`: only inside their domain.
void LivingHops::Search(const std::vector<int>& targets, bool inside) const {
  using Reached = std::pair<std::int64_t, int>;  // length, switch
  const Wiring& wiring = routes_.wiring();
  length_.assign(static_cast<std::size_t>(wiring.switches()), -1);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  for (const int to : targets) queue.push({0, to});
  while (!queue.empty()) {
    const auto [length, at] = queue.top();
    queue.pop();
    if (length_[at] >= 0) continue;
    length_[at] = length;
    for (const int arc : wiring.Out(at)) {
      const int head = wiring.Head(arc);
      if (length_[head] >= 0 || (inside && routes_.DomainOf(head) != routes_.DomainOf(at))) continue;
      queue.push({length + LengthOf(arc), head});
    }
  }
}

/// The arcs from a switch on the paths of the latest search.
void LivingHops::AppendShortest(int from, bool inside, std::vector<int>* arcs) const {
  const Wiring& wiring = routes_.wiring();
  if (length_[from] <= 0) return;
  for (const int arc : wiring.Out(from)) {
    const int head = wiring.Head(arc);
    if (inside && routes_.DomainOf(head) != routes_.DomainOf(from)) continue;
    if (length_[head] >= 0 && length_[head] + LengthOf(arc) == length_[from]) arcs->push_back(arc);
  }
}

void LivingHops::Towards(int domain, std::vector<std::vector<int>>* next) const {
  try {
    return routes_.Towards(domain, next);
  } catch (const UsageError&) {  // it finds no way
  }
  inside_to_ = -1;
  Search(routes_.Members(domain), false);
  next->assign(length_.size(), {});
  for (int at = 0; at < static_cast<int>(next->size()); ++at) AppendShortest(at, false, &(*next)[at]);
}

void LivingHops::PrepareInside(int to) const {
  if (inside_to_ == to) return;
  inside_to_ = to;
  inside_by_routes_ = true;
  std::vector<int> arcs;
  try {
    for (const int from : routes_.Members(routes_.DomainOf(to))) {
      arcs.clear();
      if (from != to) routes_.Inside(from, to, &arcs);
    }
  } catch (const UsageError&) {
    inside_by_routes_ = false;
    Search({to}, true);
  }
}

void LivingHops::Inside(int from, int to, std::vector<int>* arcs) const {
  PrepareInside(to);
  inside_by_routes_ ? routes_.Inside(from, to, arcs) : AppendShortest(from, true, arcs);
}

namespace {

/// Whether packets for one target may end at a switch, by switch. Each is judged once.
class Cuts {
 public:
  explicit Cuts(int switches) : cut_(static_cast<std::size_t>(switches), kUnknown) {}

  /// `arcs_of(at)`: how packets go on; `ends(at)`: whether they are at the target, and 1 when they end there in vain.
  template <typename ArcsOf, typename Ends>
  bool IsCut(int at, const Wiring& wiring, const ArcsOf& arcs_of, const Ends& ends) {
    char& cut = cut_[static_cast<std::size_t>(at)];
    if (cut != kUnknown) return cut == kYes;
    if (const int end = ends(at); end >= 0) return (cut = end == 1 ? kYes : kNo) == kYes;
    cut = kNo;  // a packet that goes round ends nowhere
    const std::vector<int> arcs = arcs_of(at);
    bool any = arcs.empty();
    for (const int arc : arcs) any = any || IsCut(wiring.Head(arc), wiring, arcs_of, ends);
    return (cut_[static_cast<std::size_t>(at)] = any ? kYes : kNo) == kYes;
  }

 private:
  static constexpr char kUnknown = 2, kYes = 1, kNo = 0;
  std::vector<char> cut_;
};

/// Switches with endpoints outside of the domain whose packets may not come to one of its switches, `cut_inside` of
/// which lead on in vain.
std::int64_t CountCutOutside(const Routes& routes, int domain, const std::vector<std::vector<int>>& next,
                             const std::function<bool(int)>& cut_inside) {
  Cuts cuts(routes.wiring().switches());
  std::int64_t count = 0;
  const auto arcs_of = [&](int at) { return next[static_cast<std::size_t>(at)]; };
  const auto ends = [&](int at) { return routes.DomainOf(at) != domain ? -1 : cut_inside(at) ? 1 : 0; };
  for (int at = 0; at < routes.wiring().switches(); ++at) {
    if (routes.HasEndpoints(at) && routes.DomainOf(at) != domain)
      count += cuts.IsCut(at, routes.wiring(), arcs_of, ends);
  }
  return count;
}

}  // namespace

std::int64_t CountCutPairs(const Routes& routes, const NextHops& hops) {
  std::int64_t pairs = 0;
  std::vector<std::vector<int>> next;
  for (int domain = 0; domain < routes.domains(); ++domain) {
    hops.Towards(domain, &next);
    std::int64_t outside = -1;  // of a switch to which all inside of the domain find; -1: not counted yet
    for (const int to : routes.Members(domain)) {
      if (!routes.HasEndpoints(to)) continue;
      Cuts cuts(routes.wiring().switches());
      const auto arcs_of = [&](int at) {
        std::vector<int> arcs;
        hops.Inside(at, to, &arcs);
        return arcs;
      };
      const auto ends = [&](int at) { return at == to ? 0 : -1; };
      const auto cut_inside = [&](int at) { return cuts.IsCut(at, routes.wiring(), arcs_of, ends); };
      bool any = false;
      for (const int at : routes.Members(domain)) {
        any = cut_inside(at) || any;
        pairs += routes.HasEndpoints(at) && cut_inside(at);
      }
      if (any) {
        pairs += CountCutOutside(routes, domain, next, cut_inside);
        continue;
      }
      if (outside < 0) outside = CountCutOutside(routes, domain, next, [](int) { return false; });
      pairs += outside;
    }
  }
  return pairs;
}

}  // namespace tilefly::topology
