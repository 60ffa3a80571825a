// SPDX-License-Identifier: Apache-2.0
// Provable lower bounds of the minimum bisection, for graphs too large to be searched.
#pragma once

#include <cstdint>

#include "topology/weighted_graph.h"

namespace tilefly::topology {

/// Switches up to which SpectralBound is computed: its matrix is dense.
constexpr int kSpectralLimit = 2048;

/// A split x in {-1, 1}^n with halves of floor(n/2) and ceil(n/2) cuts x'Lx / 4 >= lambda2 * (n - (n mod 2)/n) / 4, L
/// being the Laplacian. lambda2 is taken from below: the number used is one for which a Cholesky factorisation in
/// double precision proves L - lambda*I positive on the vectors that sum to 0, after its rounding error is taken off
/// (Rump, "Verification of positive definiteness", 2006). The result is rounded up to a whole weight. 0 when it proves
/// nothing. Needs 16 n^2 bytes; `graph.size` at most kSpectralLimit.
std::int64_t SpectralBound(const WeightedGraph& graph);

/// Every pair of vertices sends one unit over its paths with the fewest links, in shares as the products of their
/// weights. A bisection is crossed by floor(n/2) * ceil(n/2) units, and no link carries more than c units for each unit
/// of its weight: the cut weighs at least their quotient (Leighton). Rounded up likewise; 0 for a graph in parts. Takes
/// vertices times links steps.
std::int64_t RoutingBound(const WeightedGraph& graph);

}  // namespace tilefly::topology
