// SPDX-License-Identifier: Apache-2.0
// Small systems made by hand.
#pragma once

#include "generated/profile.h"
#include "topology/lanes.h"

namespace tilefly::network {

/// One switch with an endpoint on every port.
inline topology::Topology LoneSwitch(const Profile& profile = kTile8) {
  topology::Topology topology;
  topology.name = "lone switch";
  topology.profile = profile.name;
  topology.radix = profile.ports;
  topology.switches.push_back({3, 5, {}});
  for (int port = 0; port < topology.radix; ++port) topology.endpoints.push_back({{0, port}, port, 2.6});
  return topology;
}

/// `size` switches in a ring, each with an address group of its own and two endpoints: ports 0 and 1; port 2 leads on,
/// port 3 back.
inline topology::Topology RingOf(int size) {
  topology::Topology topology;
  topology.name = "ring";
  topology.profile = "tile8";
  topology.radix = 8;
  for (int s = 0; s < size; ++s) {
    topology.switches.push_back({s, 0, {}});
    topology::Link link;
    link.a = {s, 2};
    link.b = {(s + 1) % size, 3};
    topology.links.push_back(link);
    for (int port = 0; port < 2; ++port) topology.endpoints.push_back({{s, port}, 2 * s + port, 2.6});
  }
  return topology;
}

/// A plan that knows one lane only.
inline topology::LanePlan OneLane(const topology::Topology& topology) {
  topology::LanePlan plan;
  plan.port_class.assign(topology.links.size(), {1, 1});
  plan.tables.emplace_back();
  plan.table_of.assign(topology.switches.size(), 0);
  return plan;
}

}  // namespace tilefly::network
