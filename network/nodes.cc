// SPDX-License-Identifier: Apache-2.0
#include "network/nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "support/errors.h"

namespace tilefly::network {
namespace {

void CheckProcesses(const topology::Topology& topology, const Domains& domains, const Processes& processes) {
  if (processes.size() <= domains.count()) return;
  if (domains.count() == 1) {
    throw UsageError(fmt::format(
        "topology {}: {} processes, but it is not divided into groups as dragonflies are; start it in one process, "
        "without mpirun",
        topology.name, processes.size()));
  }
  throw UsageError(fmt::format("topology {}: {} processes for {} groups; start at most {}", topology.name,
                               processes.size(), domains.count(), domains.count()));
}

}  // namespace

Nodes::Nodes(const topology::Topology& topology, const Domains& domains, const Processes& processes, const Maker& make)
    : domains_(domains), processes_(processes), nodes_(topology.switches.size()), bytes_(nodes_.size()) {
  CheckProcesses(topology, domains, processes);
  for (int n = 0; n < count(); ++n) {
    if (ProcessOf(n) != processes.index()) continue;
    nodes_[n] = make(n);
    bytes_[n] = nodes_[n]->bytes();
  }
}

bool Nodes::AnyNic(bool (Nic::*is)() const) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const std::unique_ptr<Node>& node) {
    return node != nullptr && std::any_of(node->nics().begin(), node->nics().end(), std::mem_fn(is));
  });
}

}  // namespace tilefly::network
