// SPDX-License-Identifier: Apache-2.0
// Which links between switches are down, and when (docs/blocks/link_retry.md, In a system).
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "network/link_downs.h"
#include "topology/topology.h"

namespace tilefly::network {

class LinkStates {
 public:
  /// All links work. Links have the numbers of `topology`.
  explicit LinkStates(const topology::Topology& topology);

  /// The number of the link at the port of a switch; -1: no link to another switch is there.
  int LinkAt(int node, int port) const;
  /// Both ends of the link see it down from cycle `from` on and before cycle `till`. Times that meet are one.
  void Add(int link, Cycle from, Cycle till) { downs_[link].Add(from, till); }
  /// The first cycle from `cycle` on in which a link goes down or comes up; kNever: there is none.
  Cycle NextChange(Cycle cycle) const;
  /// The links that go down or come up in this cycle.
  std::vector<int> ChangedIn(Cycle cycle) const;
  /// The links that are down in this cycle.
  std::set<int> DownIn(Cycle cycle) const;

  /// State between two cycles. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(downs_);
  }

 private:
  std::map<std::pair<int, int>, int> link_at_;  ///< by switch and port
  std::map<int, LinkDowns> downs_;              ///< by link
};

}  // namespace tilefly::network
