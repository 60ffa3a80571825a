// SPDX-License-Identifier: Apache-2.0
#include "topology/turns.h"

#include <string>

#include "support/errors.h"

namespace tilefly::topology {
namespace {

class Walk {
 public:
  Walk(const Topology& topology, const Routes& routes, const NextHops& hops, const LanePlan& plan,
       const TurnVisitor& visitor, NoWay no_way)
      : topology_(topology),
        routes_(routes),
        hops_(hops),
        wiring_(routes.wiring()),
        plan_(plan),
        visitor_(visitor),
        no_way_(no_way),
        reached_(static_cast<std::size_t>(wiring_.arcs()) * plan.lanes) {
    for (int domain = 0; domain < routes.domains(); ++domain) {
      bool used = false;
      for (const int at : routes.Members(domain)) used = used || routes.HasEndpoints(at);
      if (used) targets_.push_back(domain);
    }
  }

  void Run(Routing routing) {
    for (const int target : targets_) {
      BeginTowards(target);
      InjectOutside(target);
      EndAt(target, /*inject=*/true);
    }
    if (routing == Routing::kMinimal) return;
    const std::vector<Channel> first = routing == Routing::kProgressive ? FirstHops() : std::vector<Channel>();
    std::vector<Channel> arrived;
    for (const int via : targets_) {
      BeginTowards(via);
      InjectOutside(via);
      Continue(first, via);
      DrainOutside(via);
      arrived.insert(arrived.end(), ended_.begin(), ended_.end());
    }
    for (const int target : targets_) {
      BeginTowards(target);
      Continue(arrived, target);
      Continue(first, target);
      EndAt(target, /*inject=*/false);
      DetourInside(target);
    }
  }

 private:
  void Begin() {
    ++epoch_;
    pending_.clear();
    ended_.clear();
  }

  void BeginTowards(int target) {
    Begin();
    hops_.Towards(target, &next_);
  }

  void Enter(const Channel& channel) {
    int& epoch = reached_[static_cast<std::size_t>(channel.arc) * plan_.lanes + channel.lane];
    if (epoch == epoch_) return;
    epoch = epoch_;
    pending_.push_back(channel);
  }

  int Lane(int at, int vl_in, int in_class, int arc) const {
    const int lane = plan_.Next(at, vl_in, in_class, OutClass(plan_, arc));
    if (lane < plan_.lanes) return lane;
    throw UsageError("VLMAP of switch " + std::to_string(at) + " of " + topology_.name + " leads from lane " +
                     std::to_string(vl_in) + ", port class " + std::to_string(in_class) + ", to lane " +
                     std::to_string(lane) + " of " + std::to_string(plan_.lanes) + "; use more lanes or another table");
  }

  void RefuseNoWay(int at) const {
    if (no_way_ == NoWay::kDropped) return;
    throw UsageError("routes of " + topology_.name + ": packets come to switch " + std::to_string(at) +
                     " for which it has no port; correct its table");
  }

  void Inject(int at, const std::vector<int>& arcs) {
    if (arcs.empty()) RefuseNoWay(at);
    for (const int arc : arcs) Enter({arc, Lane(at, 0, 0, arc)});
  }

  void InjectOutside(int target) {
    for (int at = 0; at < wiring_.switches(); ++at) {
      if (routes_.HasEndpoints(at) && routes_.DomainOf(at) != target) Inject(at, next_[at]);
    }
  }

  void Follow(const Channel& held, const std::vector<int>& arcs) {
    const int at = wiring_.Head(held.arc);
    if (arcs.empty()) RefuseNoWay(at);
    for (const int arc : arcs) {
      const Channel wanted{arc, Lane(at, held.lane, InClass(plan_, held.arc), arc)};
      visitor_(held, wanted);
      Enter(wanted);
    }
  }

  /// Packets in these channels go on towards the target, those that are not in its domain.
  void Continue(const std::vector<Channel>& channels, int target) {
    for (const Channel& channel : channels) {
      const int at = wiring_.Head(channel.arc);
      if (routes_.DomainOf(at) != target) Follow(channel, next_[at]);
    }
  }

  template <typename Arrived, typename ArcsAt>
  void Drain(const Arrived& arrived, const ArcsAt& arcs_at) {
    while (!pending_.empty()) {
      const Channel channel = pending_.back();
      pending_.pop_back();
      const int at = wiring_.Head(channel.arc);
      if (arrived(at)) {
        ended_.push_back(channel);
      } else {
        Follow(channel, arcs_at(at));
      }
    }
  }

  void DrainOutside(int target) {
    Drain([&](int at) { return routes_.DomainOf(at) == target; },
          [&](int at) -> const std::vector<int>& { return next_[at]; });
  }

  /// Follows what is under way into the target's domain, and inside to each of its switches.
  void EndAt(int target, bool inject) {
    DrainOutside(target);
    if (routes_.Members(target).size() == 1) return;
    const std::vector<Channel> entries = ended_;
    for (const int to : routes_.Members(target)) {
      if (!routes_.HasEndpoints(to)) continue;
      Begin();
      ContinueInside(entries, to);
      if (inject) InjectInside(to);
      DrainInside(to);
    }
  }

  /// Detours inside a domain: from one of its switches, through a second, to a third.
  void DetourInside(int domain) {
    std::vector<Channel> arrived;
    for (const int via : routes_.Members(domain)) {
      if (!routes_.HasEndpoints(via)) continue;
      Begin();
      InjectInside(via);
      DrainInside(via);
      arrived.insert(arrived.end(), ended_.begin(), ended_.end());
    }
    for (const int to : routes_.Members(domain)) {
      if (!routes_.HasEndpoints(to)) continue;
      Begin();
      ContinueInside(arrived, to);
      DrainInside(to);
    }
  }

  const std::vector<int>& Inside(int at, int to) {
    inside_.clear();
    hops_.Inside(at, to, &inside_);
    return inside_;
  }

  void InjectInside(int to) {
    for (const int at : routes_.Members(routes_.DomainOf(to))) {
      if (at != to && routes_.HasEndpoints(at)) Inject(at, Inside(at, to));
    }
  }

  void ContinueInside(const std::vector<Channel>& channels, int to) {
    for (const Channel& channel : channels) {
      const int at = wiring_.Head(channel.arc);
      if (at != to) Follow(channel, Inside(at, to));
    }
  }

  void DrainInside(int to) {
    Drain([&](int at) { return at == to; }, [&](int at) -> const std::vector<int>& { return Inside(at, to); });
  }

  /// The channels of first hops that end in the domain of their beginning.
  std::vector<Channel> FirstHops() const {
    std::vector<Channel> hops;
    for (int arc = 0; arc < wiring_.arcs(); ++arc) {
      const int at = wiring_.Tail(arc);
      if (!routes_.HasEndpoints(at) || routes_.DomainOf(at) != routes_.DomainOf(wiring_.Head(arc))) continue;
      hops.push_back({arc, Lane(at, 0, 0, arc)});
    }
    return hops;
  }

  const Topology& topology_;
  const Routes& routes_;
  const NextHops& hops_;
  const Wiring& wiring_;
  const LanePlan& plan_;
  const TurnVisitor& visitor_;
  const NoWay no_way_;
  std::vector<int> targets_;  ///< domains with endpoints
  std::vector<std::vector<int>> next_;
  std::vector<int> inside_;
  std::vector<int> reached_;  ///< of every channel: the epoch in which it was entered last
  int epoch_ = 0;
  std::vector<Channel> pending_;
  std::vector<Channel> ended_;
};

}  // namespace

void VisitTurns(const Topology& topology, const Routes& routes, const NextHops& hops, const LanePlan& plan,
                Routing routing, const TurnVisitor& visitor, NoWay no_way) {
  Walk(topology, routes, hops, plan, visitor, no_way).Run(routing);
}

}  // namespace tilefly::topology
