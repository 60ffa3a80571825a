// SPDX-License-Identifier: Apache-2.0
// Trees of a switch that reduces, and what their peers do in a run of the contract.
#pragma once

#include <vector>

#include "cosim/tree/episode.h"
#include "testbenches/systemc/offers.h"

namespace tilefly::systemc {

/// A group of the switch.
struct RedTreePlan {
  cosim::Tree tree;
  std::uint64_t pace = 1;                ///< cycles within which a peer sends what it could send now
  int parent_leaves = -1;                ///< the parent says that it leaves, instead of taking this segment; -1: never
  std::vector<cosim::Episode> episodes;  ///< of all children together, one after the other
};

/// Class of reductions, on which no other traffic is.
inline constexpr int kRedClass = 7;

/// A tree of these ports; `parent` -1: the switch is the root. `nodes`: of the children.
RedTreePlan MakeTree(int group, golden::PortMask children, int parent = -1, golden::PortMask nodes = 0);

/// Streamed operations of all children: full segments, but for the last one of each.
cosim::Episode StreamsOf(RedOp op, RedType type, int operations, int segments, int last_bytes);
/// Short operations of all children.
cosim::Episode ShortsOf(RedOp op, RedType type, int operations, int bytes);

/// Adds the registers of the trees to those of the switch.
void WriteTrees(const std::vector<RedTreePlan>& trees, ContractSetup* setup);

/// Episodes drawn from the seed; `mishaps`: share of the streams in which a child does something wrong that the switch
/// or the others find out, each in its turn.
std::vector<cosim::Episode> DrawEpisodes(const Profile& profile, const cosim::Tree& tree, int count, double mishaps,
                                         std::uint64_t seed);

}  // namespace tilefly::systemc
