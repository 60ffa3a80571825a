// SPDX-License-Identifier: Apache-2.0
// Next hops by a routing rule of one's own.
#pragma once

#include <string>
#include <vector>

#include "network/routing_options.h"
#include "network/routing_rules.h"
#include "topology/routes.h"

namespace tilefly::network {

class RuleHops final : public topology::NextHops {
 public:
  /// Of the rule in the options, by `routes` for addresses. Both others must outlive it. Throws UsageError, as the rule does.
  RuleHops(const topology::Topology& topology, const topology::Routes& routes, const RoutingOptions& options);

  /// Both throw UsageError for ports without links; this one for switches of a domain that are to be reached apart, too.
  void Towards(int domain, std::vector<std::vector<int>>* next) const override;
  void Inside(int from, int to, std::vector<int>* arcs) const override;
  /// As the rule gives them; without tables: it gives none.
  const topology::LanePlan& lanes() const { return rule_.lanes; }

 private:
  std::vector<int> ArcsOf(int at, int to) const;
  void CheckLanes() const;
  void CheckClasses() const;
  void CheckTables() const;

  const topology::Topology& topology_;
  const topology::Routes& routes_;
  std::string name_;       ///< for messages to the user
  std::string rule_name_;  ///< without keys
  RouteRule rule_;
  std::vector<int> arc_of_;  ///< by switch and port, -1: no link
};

}  // namespace tilefly::network
