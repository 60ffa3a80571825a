// SPDX-License-Identifier: Apache-2.0
// The families that a description can name; docs/topology.md has their keys and the numbering of ports. Each throws
// UsageError for what cannot be wired or addressed. The name of what they make is left to the caller.
#pragma once

#include "topology/parameters.h"
#include "topology/topology.h"

namespace tilefly::topology {

Topology BuildDragonfly(Parameters* parameters);
Topology BuildAries(Parameters* parameters);
Topology BuildTree(Parameters* parameters);
Topology BuildFatTree(Parameters* parameters);
Topology BuildTorus(Parameters* parameters);

/// Copper up to 2.6 m, optical up to 100 m (S0).
inline constexpr double kCopperMetres = 2.6;
inline constexpr double kOpticalMetres = 100;

/// Sets profile and radix: the named profile, or the smallest that has `needed` ports if `name` is empty. `origin`
/// begins the message when there is none.
void SetProfile(const std::string& name, int needed, const std::string& origin, Topology* topology);
/// The same with the name of key `profile`.
void ChooseProfile(Parameters* parameters, int needed, Topology* topology);

/// Numbers the parallel links of each two switches in the order in which they are listed.
void NumberTrunks(Topology* topology);

}  // namespace tilefly::topology
