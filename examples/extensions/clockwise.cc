// SPDX-License-Identifier: Apache-2.0
// A routing rule for rings: always on to the next switch. On one lane the packets of a full ring wait for each other; on
// the link that closes the ring, the dateline, and behind it they are on a second lane.
#include "apps/program.h"
#include "extensions.h"
#include "support/errors.h"

using namespace tilefly;

namespace {

network::RouteRule MakeClockwise(const topology::Topology& topology, KeyValues* keys) {
  const int lanes = keys->Integer("lanes", 2, 1, 2, "the second is for packets that have passed the dateline");
  if (topology.links.size() != topology.switches.size())
    throw UsageError("--routing clockwise: " + topology.name + " is no ring; take --topology ring:n=8");
  std::vector<int> next(topology.switches.size(), -1);
  for (const topology::Link& link : topology.links) next[static_cast<std::size_t>(link.a.at)] = link.a.port;
  network::RouteRule rule;
  rule.ports = [next](int at, int) { return std::vector<int>{next[static_cast<std::size_t>(at)]}; };
  rule.lanes = topology::LanesByKind(topology, lanes, [](int lane, topology::LinkKind, topology::LinkKind out) {
    return out == topology::LinkKind::kOther ? 1 : lane;
  });
  return rule;
}

}  // namespace

void AddClockwise() {
  network::RoutingRules().Add("clockwise", "round a ring in one direction, on 2 lanes or lanes=1", {MakeClockwise});
}
