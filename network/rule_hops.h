// SPDX-License-Identifier: Apache-2.0
// Next hops by a routing rule of a user's own.
#pragma once

#include <string>
#include <vector>

#include "network/routing_options.h"
#include "network/routing_rules.h"
#include "topology/routes.h"

namespace tilefly::network {

class RuleHops final : public topology::NextHops {
 public:
  /// The hops of the rule in `options`; `routes` is asked for addresses. The other arguments must outlive it. Throws
  /// UsageError, as the rule does.
  RuleHops(const topology::Topology& topology, const topology::Routes& routes, const RoutingOptions& options);

  /// Both functions throw UsageError for ports without links. This one also throws it for switches of a domain that the
  /// rule wants to reach apart.
  void Towards(int domain, std::vector<std::vector<int>>* next) const override;
  void Inside(int from, int to, std::vector<int>* arcs) const override;
  /// The lanes that the rule gives; without tables: it gives none.
  const topology::LanePlan& lanes() const { return rule_.lanes; }

 private:
  std::vector<int> ArcsOf(int at, int to) const;
  void CheckLanes() const;
  void CheckClasses() const;
  void CheckTables() const;

  const topology::Topology& topology_;
  const topology::Routes& routes_;
  std::string name_;       ///< of the rule with its keys, for messages to the user
  std::string rule_name_;  ///< of the rule without its keys
  RouteRule rule_;
  std::vector<int> arc_of_;  ///< by switch and port: the link; -1: none
};

}  // namespace tilefly::network
