// SPDX-License-Identifier: Apache-2.0
// Minimum bisection of the switches: exactly where that is feasible, as a pair of bounds where not (docs/topology.md).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "topology/ratio.h"
#include "topology/topology.h"

namespace tilefly::topology {

struct BisectionOptions {
  Ratio alpha{1, 1};                       ///< bandwidth of a global link; any other link has 1
  int restarts = 8;                        ///< of the local search
  std::uint64_t seed = 1;                  ///< of the local search
  std::int64_t max_steps = 2'000'000'000;  ///< of branch and bound, and of the flow bound: some seconds each
};

/// Which method gave a bound.
enum class CutMethod { kBranchAndBound, kSpectral, kRouting, kFlow, kLocalSearch };

/// Bandwidths are in units of 1/scale of a local link: `upper` is scale*local_links + alpha*scale*global_links.
struct Bisection {
  bool exact = false;  ///< lower == upper, both proved
  Ratio alpha;
  std::int64_t scale = 1;  ///< denominator of alpha
  std::int64_t lower = 0;
  std::int64_t upper = 0;  ///< bandwidth of the cut below
  CutMethod lower_by = CutMethod::kBranchAndBound;
  CutMethod upper_by = CutMethod::kLocalSearch;
  int local_links = 0;             ///< links of the cut that are not global
  int global_links = 0;            ///< global links of the cut
  std::vector<std::uint8_t> side;  ///< of each switch: 0 or 1
  std::int64_t nodes = 0;          ///< of branch and bound; 0 when it was not tried
};

/// The lightest cut of the links between two halves of the switches, floor(n/2) and ceil(n/2) of them. Like the paper
/// (S2) it splits switches, of which all have as many endpoints; where they do not (trees, partly filled systems), the
/// halves are equal in switches and not in endpoints. Throws UsageError for fewer than two switches.
Bisection MinimumBisection(const Topology& topology, const BisectionOptions& options);

/// One part of the minimum as a function of alpha: local_links + alpha * global_links.
struct BisectionLine {
  int local_links = 0;
  int global_links = 0;
};

/// The minimum bisection for every alpha > 0, as the lines of which it is the minimum, those for small alpha first.
/// Each is an exact bisection, and so is the minimum between two neighbours where they cross. Throws UsageError when an
/// exact bisection is not feasible.
std::vector<BisectionLine> BisectionEnvelope(const Topology& topology, const BisectionOptions& options);

/// A paragraph: value or bounds, method, links cut, switches of the first half.
std::string ToText(const Bisection& bisection);
/// "min(4+16a, 14+8a, 20+4a, 36)".
std::string ToText(const std::vector<BisectionLine>& envelope);
nlohmann::ordered_json ToJson(const Bisection& bisection);

}  // namespace tilefly::topology
