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

/// Next hops of a system in two steps, as a switch looks them up: towards the domain of the destination, then inside
/// it. A domain is a group of addresses.
class NextHops {
 public:
  virtual ~NextHops() = default;
  /// For every switch outside `domain` the arcs that it may take towards it; none for those inside.
  virtual void Towards(int domain, std::vector<std::vector<int>>* next) const = 0;
  /// Appends the arcs from a switch towards another one of its domain.
  virtual void Inside(int from, int to, std::vector<int>* arcs) const = 0;
};

/// Minimal routing:
///
/// - dragonfly, Aries: over one global link, of those with the fewest hops to it. So a path never leads through a third
///   group, even where two global links would be fewer hops. Inside an Aries group the column comes first, to the
///   chassis of the destination (the domain), then the row.
/// - torus: dimension order, the last dimension first (a domain is a row of the first), the shorter way round; both
///   where they are equal.
/// - tree, graph: all paths with the fewest links to the domain, then those inside it.
class Routes final : public NextHops {
 public:
  /// Of a system whose groups of addresses are from 0 on.
  explicit Routes(const Topology& topology);

  const Wiring& wiring() const { return wiring_; }
  int domains() const { return static_cast<int>(members_.size()); }
  int DomainOf(int at) const { return domain_[at]; }
  /// Its switches; none for a group that no address has.
  const std::vector<int>& Members(int domain) const { return members_[domain]; }
  /// Packets begin and end there; true for all when the system has no endpoints.
  bool HasEndpoints(int at) const { return has_endpoints_[at]; }

  /// Throws UsageError when a switch with endpoints has no way.
  void Towards(int domain, std::vector<std::vector<int>>* next) const override;
  void Inside(int from, int to, std::vector<int>* arcs) const override;
  /// For every switch the arcs that lie on a path with the fewest links to a switch, whatever the family.
  void Shortest(int to, std::vector<std::vector<int>>* next) const;

 private:
  enum class Kind { kGrouped, kTorus, kShortest };

  void FindGroups();
  void TowardsGroup(int domain, std::vector<std::vector<int>>* next) const;
  void TowardsGates(int group, std::vector<std::vector<int>>* next) const;
  void TowardsByDimension(int domain, std::vector<std::vector<int>>* next) const;
  void TowardsNearest(const std::vector<int>& targets, std::vector<std::vector<int>>* next) const;
  void Round(int from, int to, std::size_t dimension, std::vector<int>* arcs) const;
  void InsideGroup(int from, int to, std::vector<int>* arcs) const;
  void InsideByDistance(int from, int to, std::vector<int>* arcs) const;
  /// The arcs between two neighbours, as a range of sorted_[from].
  std::pair<const int*, const int*> Direct(int from, int to) const;
  int HopsInGroup(int from, int to) const {
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
  std::vector<int> group_;                  ///< dragonfly, Aries: the system's group of a switch
  std::vector<std::vector<int>> in_group_;  ///< switches of a group
  std::vector<std::vector<int>> by_group_;  ///< arcs of a switch to other groups, by group
};

}  // namespace tilefly::topology
