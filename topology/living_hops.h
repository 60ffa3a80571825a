// SPDX-License-Identifier: Apache-2.0
// Next hops of a system some of whose links are down (docs/blocks/link_retry.md, In a system).
#pragma once

#include <cstdint>
#include <vector>

#include "topology/routes.h"

namespace tilefly::topology {

/// Minimal routing as Routes has it, where it finds a way from all switches. Elsewhere the paths that pass the fewest
/// global links, and of these the paths with the fewest links. A switch from which no way leads has no arcs.
///
/// Paths of the two kinds never mix on the way to one domain, or to one switch inside of it: they might go round.
class LivingHops final : public NextHops {
 public:
  /// `routes` are those of `topology`, the links that work. Both must outlive the hops.
  LivingHops(const Topology& topology, const Routes& routes) : topology_(topology), routes_(routes) {}

  void Towards(int domain, std::vector<std::vector<int>>* next) const override;
  void Inside(int from, int to, std::vector<int>* arcs) const override;

 private:
  /// What a link adds to the length of a path.
  std::int64_t LengthOf(int arc) const;
  void Search(const std::vector<int>& targets, bool inside) const;
  void AppendShortest(int from, bool inside, std::vector<int>* arcs) const;
  void PrepareInside(int to) const;

  const Topology& topology_;
  const Routes& routes_;
  // Of the latest search, and of the latest target inside a domain: callers ask for one target after the other.
  mutable std::vector<std::int64_t> length_;  ///< by switch; -1: no way
  mutable int inside_to_ = -1;
  mutable bool inside_by_routes_ = false;
};

/// Pairs (from, to) of switches with endpoints where a packet that follows `hops` may come to a switch that has no port
/// for it. `routes` says which domains there are.
std::int64_t CountCutPairs(const Routes& routes, const NextHops& hops);

}  // namespace tilefly::topology
