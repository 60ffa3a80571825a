// SPDX-License-Identifier: Apache-2.0
// What a fault plan does to whole links and to registers of switches (docs/network.md, Links with faults).
#pragma once

#include <string>
#include <vector>

#include "faults/plan.h"
#include "generated/wire.h"
#include "network/link_faults.h"
#include "network/wiring.h"

namespace tilefly::network {

/// The end of the link that the plan names: a port of a switch. Throws UsageError that begins with `origin`.
topology::Port FindLink(const faults::LinkName& link, const std::string& origin, const topology::Topology& topology,
                        const Wiring& wiring);

/// The times in which links are down by the plan. A link comes up no earlier than the words that were on it are gone. Throws
/// UsageError for a link that goes down while it is down, or comes up while it works.
std::vector<LinkFault> DownsOf(const faults::Plan& plan, const topology::Topology& topology, const Wiring& wiring);

/// DOWN_MIN of docs/blocks/link_retry.md, Link down: the words of before have left a link of this delay, and the MACs are
/// empty.
Cycle LeastDown(Cycle delay);
/// Cycles from the cycle in which an end asks for its link to go down until the link does, at both ends.
Cycle NoticeOfDown(Cycle delay);

/// A register write of a switch.
struct PlannedWrite {
  int node;
  Cycle at;  ///< cycle of traffic in which it is on the register bus
  Cfg write;
  std::string origin;
};
/// The register writes of the plan. Throws UsageError for a switch, group or link that is not there, and for other
/// registers than those of routing.
std::vector<PlannedWrite> WritesOf(const faults::Plan& plan, const topology::Topology& topology, const Wiring& wiring);

}  // namespace tilefly::network
