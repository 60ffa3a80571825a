// SPDX-License-Identifier: Apache-2.0
#include "network/link_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "network/nodes.h"
#include "support/errors.h"

namespace tilefly::network {

std::string NameOf(const LinkFault& fault) {
  return fault.origin.empty() ? fmt::format("--fail-link {}.{}@{}", fault.node, fault.port, fault.at) : fault.origin;
}

void FailLinks(const std::vector<LinkFault>& faults, const std::string& topology, const Wiring& wiring, Cycle begin,
               const Nodes& nodes) {
  std::map<std::pair<int, int>, std::vector<const LinkFault*>> named;  // by the end of the link that comes first
  for (const LinkFault& fault : faults) {
    const bool is_port =
        fault.node >= 0 && fault.node < nodes.count() && fault.port >= 0 && fault.port < wiring.ports();
    if (!is_port || !wiring.far(fault.node, fault.port).connected())
      throw UsageError(fmt::format("--fail-link: topology {} has no link at port {} of switch {}", topology, fault.port,
                                   fault.node));
    const FarEnd& far = wiring.far(fault.node, fault.port);
    const std::pair<int, int> near(fault.node, fault.port), other(far.node, int{far.port});
    std::vector<const LinkFault*>& others = named[far.node < 0 ? near : std::min(near, other)];
    for (const LinkFault* const one : others) {
      const bool meet = fault.at < one->till && one->at < fault.till;
      if (meet && (fault.origin.empty() || one->origin.empty()))  // a plan knows its own links
        throw UsageError(fmt::format("{}: the link is down then, by {}; give one of them, or write all `down` in the plan",
                                     NameOf(fault), NameOf(*one)));
    }
    others.push_back(&fault);
    for (const auto& [node, port] : {std::pair(fault.node, fault.port), std::pair(far.node, int{far.port})}) {
      if (node < 0 || !nodes.Has(node)) continue;
      if (!nodes[node].is_golden() && !nodes[node].Repeats(port))
        throw UsageError(fmt::format(
            "{}: without retry only links of golden switches go down, and switch {} is none; give --retry on, or leave --device {} out",
            NameOf(fault), node, node));
      nodes[node].FailLink(port, begin + fault.at, fault.till == kNever ? kNever : begin + fault.till);
    }
  }
}

}  // namespace tilefly::network
