// SPDX-License-Identifier: Apache-2.0
// The switches of a system on its processes, and which process runs which (docs/network.md, Several processes).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "network/domain.h"
#include "network/node.h"
#include "network/processes.h"

namespace tilefly::network {

class Nodes {
 public:
  using Maker = std::function<std::unique_ptr<Node>(int node)>;

  /// Makes this process's nodes. The domains are dealt out to the processes in blocks. Throws UsageError when there are
  /// more processes than domains. `domains` and `processes` must outlive the nodes.
  Nodes(const topology::Topology& topology, const Domains& domains, const Processes& processes, const Maker& make);

  /// The number of switches of all processes.
  int count() const { return static_cast<int>(nodes_.size()); }
  /// The process that runs the domain.
  int ProcessOfDomain(int domain) const {
    return static_cast<int>(std::int64_t{domain} * processes_.size() / domains_.count());
  }
  /// The process that runs the switch.
  int ProcessOf(int node) const { return ProcessOfDomain(domains_.domain_of[node]); }
  /// Whether this process runs the switch.
  bool Has(int node) const { return nodes_[node] != nullptr; }
  /// Whether this process runs the domain.
  bool HasDomain(int domain) const { return ProcessOfDomain(domain) == processes_.index(); }
  /// Prefetches the node, without reading it.
  void PrefetchSelf(int node) const { nodes_[node]->PrefetchSelf(bytes_[node]); }
  /// The node of a switch that this process runs.
  Node& operator[](int node) const { return *nodes_[node]; }

  /// Calls `visit(node)` for each node of this process.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (const auto& node : nodes_) {
      if (node != nullptr) visit(*node);
    }
  }
  /// Calls `visit(nic)` for each NIC of this process.
  template <typename Visit>
  void ForEachNic(Visit&& visit) const {
    ForEach([&](const Node& node) {
      for (const Nic& nic : node.nics()) visit(nic);
    });
  }
  /// Whether `is` holds for some NIC of this process.
  bool AnyNic(bool (Nic::*is)() const) const;

 private:
  const Domains& domains_;
  const Processes& processes_;
  std::vector<std::unique_ptr<Node>> nodes_;  ///< null: another process runs it
  std::vector<std::size_t> bytes_;            ///< sizes of the nodes
};

}  // namespace tilefly::network
