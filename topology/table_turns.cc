// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "support/errors.h"
#include "topology/turns.h"

namespace tilefly::topology {
namespace {

class TableWalk {
 public:
  TableWalk(const Topology& topology, const Wiring& wiring, const LanePlan& plan, const NextPort& port)
      : topology_(topology),
        wiring_(wiring),
        plan_(plan),
        port_(port),
        reached_(static_cast<std::size_t>(wiring.arcs()) * plan.lanes, -1) {}

  void Follow(int from, int to, const TurnVisitor& visitor) {
    Channel held = Next(from, to, 0, 0);
    while (Enter(held, to) && wiring_.Head(held.arc) != to) {
      const Channel wanted = Next(wiring_.Head(held.arc), to, held.lane, InClass(plan_, held.arc));
      visitor(held, wanted);
      held = wanted;
    }
  }

 private:
  Channel Next(int at, int to, int vl_in, int in_class) const {
    const int port = port_(at, to);
    for (const int arc : wiring_.Out(at)) {
      if (wiring_.TailPort(arc) != port) continue;
      const int lane = plan_.Next(at, vl_in, in_class, OutClass(plan_, arc));
      if (lane < plan_.lanes) return {arc, lane};
      throw UsageError(fmt::format("VLMAP of switch {} of {} leads to lane {} of {}; use more lanes or another table",
                                   at, topology_.name, lane, plan_.lanes));
    }
    throw UsageError(
        fmt::format("routes of {}: switch {} sends packets to switch {} to port {}, which has no link; "
                    "correct its table",
                    topology_.name, at, to, port));
  }

  /// False when packets to this destination have been in the channel before: what follows is known.
  bool Enter(const Channel& channel, int to) {
    int& last = reached_[static_cast<std::size_t>(channel.arc) * plan_.lanes + channel.lane];
    if (last == to) return false;
    last = to;
    return true;
  }

  const Topology& topology_;
  const Wiring& wiring_;
  const LanePlan& plan_;
  const NextPort& port_;
  std::vector<int> reached_;  ///< of every channel: the destination for which it was entered last
};

}  // namespace

void VisitTableTurns(const Topology& topology, const Wiring& wiring, const LanePlan& plan, const NextPort& port,
                     const TurnVisitor& visitor) {
  std::vector<bool> ends(wiring.switches(), topology.endpoints.empty());
  for (const Endpoint& endpoint : topology.endpoints) ends[endpoint.port.at] = true;
  TableWalk walk(topology, wiring, plan, port);
  for (int to = 0; to < wiring.switches(); ++to) {
    for (int from = 0; ends[to] && from < wiring.switches(); ++from) {
      if (ends[from] && from != to) walk.Follow(from, to, visitor);
    }
  }
}

}  // namespace tilefly::topology
