// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/wiring.h"

namespace tilefly::network {

class Nodes;

/// A link that goes down.
struct LinkFault {
  int node;
  int port;
  Cycle at;              ///< cycle of traffic from which on the link is down, in both directions
  Cycle till = kNever;   ///< cycle of traffic from which on it works again; kNever: it stays down
  Cycle asked = kNever;  ///< what a fault plan says of `till`: an earlier cycle is put off
  std::string origin{};  ///< of a fault plan: "FILE:LINE: kind"; empty: of --fail-link
};

/// The event or the option, for messages.
std::string NameOf(const LinkFault& fault);

/// Tells the nodes at both ends of these links when they go down; traffic begins in cycle `begin`. Throws UsageError
/// when a fault names no link of the topology (`topology` is its name), when a link is named twice, and when it ends
/// at a device that is not golden and does not repeat.
void FailLinks(const std::vector<LinkFault>& faults, const std::string& topology, const Wiring& wiring, Cycle begin,
               const Nodes& nodes);

}  // namespace tilefly::network
