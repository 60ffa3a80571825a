// SPDX-License-Identifier: Apache-2.0
// Path diversity: how many minimal paths two switches have, and how many of them share no link (docs/topology.md).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace tilefly::topology {

/// Which paths are counted.
enum class PathSet {
  kShortest,  ///< all with the fewest links, whatever the routing
  kRouted     ///< those of minimal routing: Routes
};

/// Least, mean and largest over the pairs of a class. Counts beyond 2^64 - 1 stay there.
struct Spread {
  std::uint64_t least = 0;
  double mean = 0;
  std::uint64_t most = 0;
};

/// Ordered pairs of different switches that are alike.
struct PathClass {
  std::string kind;  ///< "same group", "other group"; "all" where there are no groups
  int hops = 0;      ///< links of the shortest of their paths
  std::int64_t pairs = 0;
  Spread paths;     ///< paths; those over different parallel links are different
  Spread disjoint;  ///< most of them that share no link
};

struct PathDiversity {
  PathSet set = PathSet::kShortest;
  std::vector<PathClass> classes;  ///< by kind, then hops
  int destinations = 0;            ///< switches to which paths were counted, from all others
  int switches = 0;                ///< with endpoints; more than `destinations`: a sample, evenly spread

  bool sampled() const { return destinations < switches; }
};

/// Pairs up to which all destinations are taken: systems of 2,000 switches.
constexpr std::int64_t kAllPairs = 4'000'000;

/// Counts between switches with endpoints (all switches when there are none): every pair up to `max_pairs`, above that
/// from every switch to as many destinations as make so many pairs. Throws UsageError when there is no path.
PathDiversity MeasurePaths(const Topology& topology, PathSet set, std::int64_t max_pairs = kAllPairs);

std::string ToText(const PathDiversity& diversity);
nlohmann::ordered_json ToJson(const PathDiversity& diversity);

}  // namespace tilefly::topology
