// SPDX-License-Identifier: Apache-2.0
// A plan in which a link between two switches goes down and tables lead packets around it; then the link comes up again.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>

#include "golden/common/register_write.h"
#include "network/network.h"

namespace tilefly::network {

/// Port 3 of switch 5 of dragonfly:p=2,a=4,h=2 leads to another switch of its group, of the switches 4 to 7.
inline constexpr int kDyingNode = 5, kDyingPort = 3;

inline golden::PortMask Without(int port, golden::PortMask ports) { return ports & ~golden::Bit(port); }

/// The link goes down in cycle `down` of the traffic, for 25,000 cycles: its packets wait there or are lost, and tables lead
/// copies another way; then what waited comes late.
inline void LetLinkDie(const topology::Topology& topology, Cycle down, NetworkOptions* options) {
  faults::PlannedEvent event;
  event.at = down;
  event.cycles = 25'000;
  event.kind = faults::EventKind::kDown;
  event.link = {faults::LinkName::End::kSwitchPort, kDyingNode, kDyingPort};
  event.origin = "down";
  faults::Plan plan;
  plan.events = {event};
  // What a manager of the fabric might write: both ends leave the link out, and where no port is left they go over the
  // other switches of their group.
  NetworkOptions unplanned = *options;
  unplanned.make_node = {};
  const Network network(topology, unplanned);
  const FarEnd peer = network.wiring().far(kDyingNode, kDyingPort);
  Cycle at = down + 700;
  for (const auto& [node, port] :
       {std::pair{kDyingNode, kDyingPort}, std::pair{static_cast<int>(peer.node), static_cast<int>(peer.port)}}) {
    golden::PortMask others = 0;
    for (int p = 0; p < network.profile().ports; ++p) {
      const FarEnd& far = network.wiring().far(node, p);
      if (far.node >= 0 && far.kind == topology::LinkKind::kLocal && p != port) others |= golden::Bit(p);
    }
    for (const Cfg& write : network.WritesOf(node)) {
      const auto space = static_cast<CfgSpace>(write.space);
      if (space != CfgSpace::kRouteGroup && space != CfgSpace::kRouteSwitch) continue;
      const golden::PortMask left = Without(port, write.data);
      if (left == write.data) continue;
      faults::PlannedEvent table;
      table.at = at++;
      table.kind = faults::EventKind::kTable;
      table.write = {node, space, write.index, std::nullopt, left != 0 ? left : others};
      table.origin = "table";
      plan.events.push_back(table);
    }
  }
  EXPECT_GT(plan.events.size(), 2u);
  options->fault_plan = std::make_shared<const faults::Plan>(plan);
}

}  // namespace tilefly::network
