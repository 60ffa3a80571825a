// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <tuple>

#include "topology/channel_graph.h"

namespace tilefly::topology {

using Turn = std::tuple<int, int, int, int>;  // arc and lane of the held, of the wanted channel

inline std::set<Turn> TurnsOf(const Topology& topology, const LanePlan& plan, Routing routing) {
  std::set<Turn> turns;
  VisitTurns(topology, Routes(topology), plan, routing, [&](const Channel& held, const Channel& wanted) {
    turns.insert({held.arc, held.lane, wanted.arc, wanted.lane});
  });
  return turns;
}

}  // namespace tilefly::topology
