// SPDX-License-Identifier: Apache-2.0
// FULL of a system: the cells in flight of one flow that fill a link (docs/blocks/flow_channel.md, Registers and counters).
#pragma once

#include "network/wiring.h"
#include "topology/topology.h"

namespace tilefly::network {

/// The longest quiet round trip over minimal paths: cycles from event a + 18 of an MTU at its source's switch until its
/// ack is home there.
Cycle LongestFlowRoundTrip(const topology::Topology& topology, const Wiring& wiring);

/// Cells in flight that fill a link over a round trip of so many cycles, as many as the register takes at most.
int FullCells(Cycle round_trip);

/// The fewest cycles of a meter's epoch in which each of the flows that fill a link with one MTU delivers its MTU.
Cycle LeastFlowEpoch(const Profile& profile, int full_cells);

}  // namespace tilefly::network
