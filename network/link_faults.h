// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/nodes.h"
#include "network/wiring.h"

namespace tilefly::network {

/// A link that goes down.
struct LinkFault {
  int node;
  int port;
  Cycle at;  ///< cycle of traffic from which on it is down, in both directions
};

/// Tells the nodes at both ends of these links that they will go down; traffic begins in cycle `begin`. Throws
/// UsageError for what is no link of the topology of this name, is named twice, or ends at another device than a golden
/// switch.
void FailLinks(const std::vector<LinkFault>& faults, const std::string& topology, const Wiring& wiring, Cycle begin,
               const Nodes& nodes);

}  // namespace tilefly::network
