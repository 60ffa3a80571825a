// SPDX-License-Identifier: Apache-2.0
#include "network/planned_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "golden/common/register_write.h"
#include "support/errors.h"

namespace tilefly::network {
namespace {

void TakeDown(const faults::PlannedEvent& event, const topology::Port& end, Cycle delay, std::vector<LinkFault>* downs) {
  LinkFault down{end.at, end.port, event.at};
  if (event.cycles) {
    down.asked = event.at + *event.cycles;
    down.till = event.at + std::max(*event.cycles, LeastDown(delay));
  }
  down.origin = event.origin;
  downs->push_back(std::move(down));
}

/// A route leads to a group or switch that is there, by ports with links.
void CheckRoute(const faults::PlannedEvent& event, const topology::Topology& topology, const Wiring& wiring) {
  const faults::PlannedWrite& write = event.write;
  const bool to_group = write.space == CfgSpace::kRouteGroup;
  const int own = topology.switches[static_cast<std::size_t>(write.node)].group;
  int last = 0;
  for (const topology::Switch& one : topology.switches) {
    if (to_group || one.group == own) last = std::max(last, to_group ? one.group : one.index);
  }
  if (write.index > last)
    throw UsageError(fmt::format("{}: {} has no index {} here: {} are 0 to {}", event.origin, ToString(write.space), write.index,
                                 to_group ? "groups" : fmt::format("switches of group {}", own), last));
  for (int port = 0; port < golden::kMaxPorts; ++port) {
    if ((write.value & golden::Bit(port)) == 0 || (port < wiring.ports() && wiring.far(write.node, port).connected())) continue;
    throw UsageError(fmt::format("{}: value 0x{:x} has bit {}, and no link is at port {} of switch {}; `tilefly topo` lists its links",
                                 event.origin, write.value, port, port, write.node));
  }
}

}  // namespace

Cycle LeastDown(Cycle delay) { return 2 * delay + 548; }

/// The longest packet at one SerDes lane ends behind the news of the link down, at either end.
Cycle NoticeOfDown(Cycle delay) { return 2 * delay + 536; }

topology::Port FindLink(const faults::LinkName& link, const std::string& origin, const topology::Topology& topology,
                        const Wiring& wiring) {
  using End = faults::LinkName::End;
  if (link.end == End::kPort)
    throw UsageError(
        fmt::format("{}: {} names a port of `tilefly cosim`; in a system write s3.17 or e12", origin, link.Text()));
  if (link.end == End::kEndpoint) {
    if (link.node >= static_cast<int>(topology.endpoints.size()))
      throw UsageError(fmt::format("{}: topology {} has no endpoint {}; its endpoints are 0 to {}", origin, topology.name,
                                   link.node, topology.endpoints.size() - 1));
    return topology.endpoints[static_cast<std::size_t>(link.node)].port;
  }
  const bool is_port = link.node < wiring.nodes() && link.port < wiring.ports();
  if (!is_port || !wiring.far(link.node, link.port).connected())
    throw UsageError(fmt::format("{}: topology {} has no link {}; `tilefly topo` lists its links", origin, topology.name,
                                 link.Text()));
  return {link.node, link.port};
}

std::vector<LinkFault> DownsOf(const faults::Plan& plan, const topology::Topology& topology, const Wiring& wiring) {
  std::vector<LinkFault> downs;
  std::map<std::pair<int, int>, std::size_t> latest;  // by the end of a link that comes first: its last entry
  for (const faults::PlannedEvent& event : plan.events) {
    if (event.kind != faults::EventKind::kDown && event.kind != faults::EventKind::kUp) continue;
    const topology::Port end = FindLink(event.link, event.origin, topology, wiring);
    const FarEnd& far = wiring.far(end.at, end.port);
    const std::pair<int, int> near(end.at, end.port), other(far.node, int{far.port});
    const std::pair<int, int> key = far.node < 0 ? near : std::min(near, other);
    const auto found = latest.find(key);
    LinkFault* const before = found == latest.end() ? nullptr : &downs[found->second];
    const bool is_down = before != nullptr && event.at < before->till;
    if (event.kind == faults::EventKind::kDown) {
      if (is_down)
        throw UsageError(fmt::format("{}: the link is down then, by {}; give a later cycle, or leave it out", event.origin,
                                     before->origin));
      latest[key] = downs.size();
      TakeDown(event, end, far.delay, &downs);
    } else if (!is_down) {
      throw UsageError(fmt::format("{}: the link is not down then, by this plan; give the cycle of a time in which it is, or leave "
                                   "it out (a link of --fail-link stays down; write its `down` in the plan)",
                                   event.origin));
    } else {
      before->asked = event.at;
      before->till = std::max(event.at, before->at + LeastDown(far.delay));
    }
  }
  return downs;
}

std::vector<PlannedWrite> WritesOf(const faults::Plan& plan, const topology::Topology& topology, const Wiring& wiring) {
  std::vector<PlannedWrite> writes;
  for (const faults::PlannedEvent& event : plan.events) {
    if (event.kind != faults::EventKind::kTable) continue;
    const faults::PlannedWrite& write = event.write;
    if (write.node >= static_cast<int>(topology.switches.size()))
      throw UsageError(fmt::format("{}: topology {} has no switch {}; its switches are 0 to {}", event.origin, topology.name,
                                   write.node, topology.switches.size() - 1));
    if (write.space != CfgSpace::kRouteGroup && write.space != CfgSpace::kRouteSwitch)
      throw UsageError(fmt::format("{}: a plan of a system writes ROUTE_GROUP and ROUTE_SWITCH, and not {}; other registers "
                                   "are set before the run by the options",
                                   event.origin, ToString(write.space)));
    if (write.port)
      throw UsageError(fmt::format("{}: {} has no registers of ports; leave port out", event.origin, ToString(write.space)));
    CheckRoute(event, topology, wiring);
    writes.push_back({write.node, event.at, golden::WriteRegister(golden::kAllPorts, write.space, write.index, write.value),
                      event.origin});
  }
  return writes;
}

}  // namespace tilefly::network
