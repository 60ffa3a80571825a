// SPDX-License-Identifier: Apache-2.0
#include "network/link_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "support/errors.h"

namespace tilefly::network {

void FailLinks(const std::vector<LinkFault>& faults, const std::string& topology, const Wiring& wiring, Cycle begin,
               const Nodes& nodes) {
  std::map<std::pair<int, int>, std::string> named;  // links, by the end that comes first
  for (const LinkFault& fault : faults) {
    const bool is_port =
        fault.node >= 0 && fault.node < nodes.count() && fault.port >= 0 && fault.port < wiring.ports();
    if (!is_port || !wiring.far(fault.node, fault.port).connected())
      throw UsageError(fmt::format("--fail-link: topology {} has no link at port {} of switch {}", topology, fault.port,
                                   fault.node));
    const FarEnd& far = wiring.far(fault.node, fault.port);
    const std::pair<int, int> near(fault.node, fault.port), other(far.node, int{far.port});
    const std::string text = fmt::format("{}.{}@{}", fault.node, fault.port, fault.at);
    const auto [first, is_new] = named.emplace(far.node < 0 ? near : std::min(near, other), text);
    if (!is_new)
      throw UsageError(
          fmt::format("--fail-link {}: it is the link of {}, which stays down; give one of them", text, first->second));
    for (const auto& [node, port] : {std::pair(fault.node, fault.port), std::pair(far.node, int{far.port})}) {
      if (node < 0 || !nodes.Has(node)) continue;
      if (nodes[node].golden() == nullptr)
        throw UsageError(
            fmt::format("--fail-link: only links of golden switches go down, and switch {} is none", node));
      nodes[node].FailLink(port, begin + fault.at);
    }
  }
}

}  // namespace tilefly::network
