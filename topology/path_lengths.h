// SPDX-License-Identifier: Apache-2.0
// How long the paths of a routing get: what lanes and hop limits have to allow.
#pragma once

#include <vector>

#include "topology/routes.h"

namespace tilefly::topology {

/// Links of the longest paths of a NextHops, added domain by domain.
class PathLengths {
 public:
  PathLengths(const Routes& routes, const NextHops& hops) : routes_(routes), hops_(hops) {}

  /// Of the paths to and inside `domain`; `next` is what Towards gives for it. A domain without endpoints counts for
  /// nothing.
  void Add(int domain, const std::vector<std::vector<int>>& next);

  int to_domain() const { return to_domain_; }          ///< from a switch with endpoints to another domain
  int to_switch() const { return to_switch_; }          ///< from a switch with endpoints to another one
  int from_anywhere() const { return from_anywhere_; }  ///< from any switch to one with endpoints
  int inside() const { return inside_; }                ///< from a switch with endpoints to another one of its domain

 private:
  int LongestInside(int domain);
  int Entry(int at, int domain, const std::vector<std::vector<int>>& next);

  const Routes& routes_;
  const NextHops& hops_;
  std::vector<int> length_;  ///< of each switch to the domain; -1: not known yet
  int to_domain_ = 0, to_switch_ = 0, from_anywhere_ = 0, inside_ = 0;
};

}  // namespace tilefly::topology
