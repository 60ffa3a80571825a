// SPDX-License-Identifier: Apache-2.0
// Minimal next hops of a system, as its route tables have them (docs/topology.md).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "topology/topology.h"

namespace tilefly::topology {

/// The links as arcs: arc 2*l leads from end a of link l to end b, arc 2*l + 1 back.
class Wiring {
 public:
  explicit Wiring(const Topology& topology);

  int arcs() const { return static_cast<int>(ends_.size()); }
  int switches() const { return static_cast<int>(out_.size()); }
  int Tail(int arc) const { return ends_[arc].at; }
  int Head(int arc) const { return ends_[arc ^ 1].at; }
  int TailPort(int arc) const { return ends_[arc].port; }
  int HeadPort(int arc) const { return ends_[arc ^ 1].port; }
  const std::vector<int>& Out(int at) const { return out_[at]; }

 private:
  std::vector<Port> ends_;
  std::vector<std::vector<int>> out_;
};

/// Minimal routing in two steps, as a switch looks it up: towards the domain of the destination, then inside it. A
/// domain is a group of a dragonfly or Aries system, and a single switch in all others.
///
/// - dragonfly, Aries: over one global link, of those with the fewest hops to it. So a path never leads through a third
///   group, even where two global links would be fewer hops. Inside an Aries group the column (chassis) comes first,
///   then the row (blade).
/// - torus: dimension order, the first dimension first, the shorter way round; both where they are equal.
/// - tree, graph: all paths with the fewest links.
class Routes {
 public:
  /// Throws UsageError when a switch has no way to another domain or inside its own.
  explicit Routes(const Topology& topology);

  const Wiring& wiring() const { return wiring_; }
  int domains() const { return static_cast<int>(members_.size()); }
  int DomainOf(int at) const { return domain_[at]; }
  const std::vector<int>& Members(int domain) const { return members_[domain]; }
  /// Packets begin and end there; true for all when the system has no endpoints.
  bool HasEndpoints(int at) const { return has_endpoints_[at]; }

  /// For every switch outside `domain` the arcs that it may take towards it; none for those inside.
  void Towards(int domain, std::vector<std::vector<int>>* next) const;
  /// For every switch the arcs that lie on a path with the fewest links to a switch, whatever the family.
  void Shortest(int to, std::vector<std::vector<int>>* next) const;
  /// Appends the arcs from a switch towards another one of its domain.
  void Inside(int from, int to, std::vector<int>* arcs) const;

 private:
  enum class Kind { kGrouped, kTorus, kShortest };

  void TowardsGroup(int domain, std::vector<std::vector<int>>* next) const;
  void TowardsByDimension(int to, std::vector<std::vector<int>>* next) const;
  /// The arcs between two neighbours, as a range of sorted_[from].
  std::pair<const int*, const int*> Direct(int from, int to) const;
  int InsideHops(int from, int to) const {
    return from == to ? 0 : Direct(from, to).first != Direct(from, to).second ? 1 : 2;
  }
  int Corner(int from, int to) const;

  const Topology& topology_;
  Wiring wiring_;
  Kind kind_;
  std::vector<int> domain_;
  std::vector<std::vector<int>> members_;
  std::vector<bool> has_endpoints_;
  std::vector<std::vector<int>> sorted_;    ///< arcs of a switch, by the switch they lead to
  std::vector<std::vector<int>> by_group_;  ///< arcs of a switch to other domains, by domain
};

}  // namespace tilefly::topology
