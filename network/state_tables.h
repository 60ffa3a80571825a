// SPDX-License-Identifier: Apache-2.0
// Routing tables of a system for the states of its links (docs/blocks/link_retry.md, In a system): which tables the
// fabric's manager writes when links are down, and how many virtual lanes the paths of all planned states need.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "faults/plan.h"
#include "network/link_faults.h"
#include "network/network_options.h"
#include "network/system_routes.h"

namespace tilefly::network {

/// The tables of a state.
struct LeftTables {
  /// An entry that is not that of the whole system.
  struct Entry {
    int node;
    CfgSpace space;  ///< ROUTE_GROUP or ROUTE_SWITCH
    int index;
    golden::PortMask ports;
  };
  std::vector<Entry> entries;  ///< by switch, space and index
  std::int64_t cut_pairs = 0;  ///< pairs of switches with endpoints between which a packet may find no way
  std::string refusal;         ///< why these tables must not be written; empty: they may be
};

class StateTables {
 public:
  /// Makes the tables of all states of `downs`, links that go down by a plan or --fail-link. `routes`: of the whole
  /// system. `acks`: packets are acknowledged; `reductions`: switches reduce, on lanes of their own. Throws UsageError
  /// with event and remedy when the paths of a state need more hops or virtual lanes than there are. The references
  /// must outlive the tables.
  StateTables(const topology::Topology& topology, const Profile& profile, const NetworkOptions& options,
              const SystemRoutes& routes, const std::vector<LinkFault>& downs, bool acks, bool reductions);

  /// The lanes of a class, by which the paths of all planned states are free of deadlock.
  const topology::LanePlan& plan() const { return plan_; }
  /// What is told of the plan before the run: states in which switches are cut off.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// The tables of the state in which these links are down, whether it was planned or not. The reference stays valid.
  const LeftTables& Of(const std::set<int>& down);
  /// The ports that the table of the whole system has.
  golden::PortMask Whole(int node, CfgSpace space, int index) const {
    return space == CfgSpace::kRouteGroup ? routes_.ToGroup(node, index) : routes_.ToSwitch(node, index);
  }

 private:
  int MostLanes(bool reductions) const;
  std::string NamesOf(const std::set<int>& links) const;
  void ChooseLanes(const faults::Manager& manager);
  std::string TooLong(const SystemRoutes& left) const;
  void AddEntries(const SystemRoutes& left, LeftTables* tables) const;
  void PlanFor(const LinkFault& event, const std::set<int>& down);
  void RaiseLanes(const SystemRoutes& left, const std::set<int>& down);
  std::string RemedyOfLanes() const;

  const topology::Topology& topology_;
  const Profile& profile_;
  const NetworkOptions& options_;
  const SystemRoutes& routes_;
  const bool acks_;
  const int most_lanes_;  ///< of a class
  topology::LanePlan plan_;
  std::map<int, topology::Port> named_;  ///< by link: the end by which an event names it
  std::vector<std::string> warnings_;
  std::map<std::set<int>, LeftTables> made_;
};

}  // namespace tilefly::network
