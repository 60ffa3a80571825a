// SPDX-License-Identifier: Apache-2.0
// The turns of the channel graph are those that packets make, path by path.
#include "testbenches/topology/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "testbenches/topology/graphs.h"

namespace tilefly::topology {
namespace {

/// All turns of all pairs, path by path, hop by hop: the slow way.
class EveryPath {
 public:
  EveryPath(const Topology& topology, const LanePlan& plan) : routes_(topology), plan_(plan), next_(routes_.domains()) {
    for (int domain = 0; domain < routes_.domains(); ++domain) routes_.Towards(domain, &next_[domain]);
  }

  std::set<Turn> Follow(Routing routing) {
    for (int from = 0; from < routes_.wiring().switches(); ++from) {
      for (int to = 0; to < routes_.wiring().switches(); ++to) {
        if (from == to || !routes_.HasEndpoints(from) || !routes_.HasEndpoints(to)) continue;
        End(from, to, -1, 0);
        if (routing == Routing::kMinimal) continue;
        if (routes_.DomainOf(from) == routes_.DomainOf(to)) {
          DetourInside(from, to);
          continue;
        }
        Detour(from, to, from, -1, 0);
        if (routing == Routing::kProgressive) Redecide(from, to);
      }
    }
    return turns_;
  }

 private:
  template <typename Then>
  void Step(int at, const std::vector<int>& arcs, int held, int lane, const Then& then) {
    for (const int arc : arcs) {
      const int vl = plan_.Next(at, lane, held < 0 ? 0 : InClass(plan_, held), OutClass(plan_, arc));
      if (held >= 0) turns_.insert({held, lane, arc, vl});
      then(routes_.wiring().Head(arc), arc, vl);
    }
  }

  std::vector<int> Minimal(int at, int to) const {
    std::vector<int> arcs = next_[routes_.DomainOf(to)][at];
    if (routes_.DomainOf(at) == routes_.DomainOf(to) && at != to) routes_.Inside(at, to, &arcs);
    return arcs;
  }

  void End(int at, int to, int held, int lane) {
    if (at == to) return;
    Step(at, Minimal(at, to), held, lane, [&](int head, int arc, int vl) { End(head, to, arc, vl); });
  }

  void Through(int at, int via, int to, int held, int lane) {
    if (routes_.DomainOf(at) == via) return End(at, to, held, lane);
    Step(at, next_[via][at], held, lane, [&](int head, int arc, int vl) { Through(head, via, to, arc, vl); });
  }

  void Detour(int from, int to, int at, int held, int lane) {
    for (int via = 0; via < routes_.domains(); ++via) {
      if (via == routes_.DomainOf(from) || via == routes_.DomainOf(to)) continue;
      if (routes_.HasEndpoints(routes_.Members(via).front())) Through(at, via, to, held, lane);
    }
  }

  /// To a switch of the own group, then on to another.
  void DetourInside(int from, int to) {
    for (const int via : routes_.Members(routes_.DomainOf(from))) {
      if (via != from && via != to && routes_.HasEndpoints(via)) By(from, via, to, -1, 0);
    }
  }

  void By(int at, int via, int to, int held, int lane) {
    if (at == via) return End(at, to, held, lane);
    Step(at, Minimal(at, via), held, lane, [&](int head, int arc, int vl) { By(head, via, to, arc, vl); });
  }

  /// After a first hop in the own group, on the way to the destination or to any other group.
  void Redecide(int from, int to) {
    for (int first = 0; first < routes_.domains(); ++first) {
      if (first == routes_.DomainOf(from) || !routes_.HasEndpoints(routes_.Members(first).front())) continue;
      Step(from, next_[first][from], -1, 0, [&](int head, int arc, int vl) {
        if (routes_.DomainOf(head) != routes_.DomainOf(from)) return;
        Detour(from, to, head, arc, vl);
        End(head, to, arc, vl);
      });
    }
  }

  const Routes routes_;
  const LanePlan& plan_;
  std::vector<std::vector<std::vector<int>>> next_;
  std::set<Turn> turns_;
};

TEST(Turns, AreThoseOfEveryPath) {
  const std::vector<std::pair<Topology, Routing>> systems{{MakeDragonfly(1, 4, 2, Relative), Routing::kMinimal},
                                                          {MakeDragonfly(1, 3, 2, Relative), Routing::kValiant},
                                                          {MakeAries(3, 4, 3, 5), Routing::kMinimal},
                                                          {MakeTorus({4, 5}), Routing::kMinimal},
                                                          {MakeTorus({4, 4, 3}, 1, 2), Routing::kMinimal},
                                                          {MakeTree(3, 3), Routing::kMinimal},
                                                          {MakeRandomGraph(12, 60, 3), Routing::kMinimal}};
  for (const auto& [topology, routing] : systems) {
    const LanePlan plan = PlanLanes(topology, routing);
    std::set<Turn> turns = TurnsOf(topology, plan, routing);
    const std::set<Turn> real = EveryPath(topology, plan).Follow(routing);
    for (auto it = turns.begin(); it != turns.end();) {  // through a switch of the own group and back: no packet's way
      const bool back = std::get<2>(*it) == (std::get<0>(*it) ^ 1);
      it = back && routing != Routing::kMinimal && real.count(*it) == 0 ? turns.erase(it) : std::next(it);
    }
    EXPECT_FALSE(turns.empty()) << topology.name;
    EXPECT_EQ(turns, real) << topology.name << " " << NameOf(routing);
  }
}

TEST(Turns, NoneIsLeftOut) {  // a few that no single packet makes may be there
  const std::vector<std::pair<Topology, Routing>> systems{{MakeDragonfly(1, 3, 2, Absolute), Routing::kProgressive},
                                                          {MakeAries(2, 3, 4, 3), Routing::kValiant},
                                                          {MakeAries(2, 3, 4, 3), Routing::kProgressive},
                                                          {MakeTree(2, 3), Routing::kValiant},
                                                          {MakeRandomGraph(12, 60, 3), Routing::kValiant}};
  for (const auto& [topology, routing] : systems) {
    const LanePlan plan = PlanLanes(topology, routing);
    const std::set<Turn> turns = TurnsOf(topology, plan, routing);
    const std::set<Turn> real = EveryPath(topology, plan).Follow(routing);
    EXPECT_TRUE(std::includes(turns.begin(), turns.end(), real.begin(), real.end())) << topology.name;
    EXPECT_FALSE(real.empty());
  }
}

}  // namespace
}  // namespace tilefly::topology
