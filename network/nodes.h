// SPDX-License-Identifier: Apache-2.0
// The switches of a system on its processes: who runs which (docs/network.md, Several processes).
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

  /// Makes this process's nodes. Throws UsageError when there are more processes than domains, which are dealt out in
  /// blocks. `domains` and `processes` must outlive the nodes.
  Nodes(const topology::Topology& topology, const Domains& domains, const Processes& processes, const Maker& make);

  /// Switches, of all processes.
  int count() const { return static_cast<int>(nodes_.size()); }
  /// The process that runs the domain.
  int ProcessOfDomain(int domain) const {
    return static_cast<int>(std::int64_t{domain} * processes_.size() / domains_.count());
  }
  /// The process that runs the switch.
  int ProcessOf(int node) const { return ProcessOfDomain(domains_.domain_of[node]); }
  /// Whether it is this one.
  bool Has(int node) const { return nodes_[node] != nullptr; }
  /// Whether it runs the domain.
  bool HasDomain(int domain) const { return ProcessOfDomain(domain) == processes_.index(); }
  /// One that this process has.
  Node& operator[](int node) const { return *nodes_[node]; }

  /// Calls `visit(node)` for each that this process has.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (const auto& node : nodes_) {
      if (node != nullptr) visit(*node);
    }
  }
  /// Calls `visit(nic)` for each of theirs.
  template <typename Visit>
  void ForEachNic(Visit&& visit) const {
    ForEach([&](const Node& node) {
      for (const Nic& nic : node.nics()) visit(nic);
    });
  }
  /// Whether `is` holds for a NIC that this process has.
  bool AnyNic(bool (Nic::*is)() const) const;

 private:
  const Domains& domains_;
  const Processes& processes_;
  std::vector<std::unique_ptr<Node>> nodes_;  ///< null: another process's
};

}  // namespace tilefly::network
