// SPDX-License-Identifier: Apache-2.0
// What is left in the switches and NICs of a process after a run.
#pragma once

#include <cstdint>
#include <string>

#include "network/contexts.h"
#include "network/nodes.h"

namespace tilefly::network {

/// The sums of the counters ROUTED_MIN and ROUTED_NONMIN.
struct Routed {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(minimal, nonminimal, again_minimal, again_nonminimal);
  }

  std::int64_t minimal = 0;  ///< packets, by the decision of their source's switch
  std::int64_t nonminimal = 0;
  std::int64_t again_minimal = 0;  ///< decisions in a second switch
  std::int64_t again_nonminimal = 0;
};
static_assert(sizeof(Routed) == 4 * sizeof(std::int64_t));  // Whoever adds a member adds it to Serialize.

/// What in switches and NICs is not as it was at the start.
struct Leftover {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(records, node, text);
  }
  /// A text that says what is left; empty: nothing is.
  std::string Text() const;

  std::int64_t records = 0;  ///< packets that still have a record
  int node = -1;             ///< the first switch with something left; -1: none
  std::string text;          ///< what is left in that switch
};

/// The routing decisions of this process's switches.
Routed CountRouted(const Nodes& nodes, int ports);
/// Cells of lost attempts whose credits stamps gave back at the ports of this process's switches.
std::int64_t CountHealed(const Nodes& nodes, int ports);
/// The packets of this process's NICs that were created and never sent.
Nic::Queue CountQueued(const Nodes& nodes);
/// Adds to the created packets of `history` those that were created before cycle `end` and wait at this process's
/// sources.
void AddWaiting(const Nodes& nodes, Cycle end, TrafficHistory* history);
/// Does the same for `samples`, with all packets that were created before the end of traffic.
void AddWaiting(const Nodes& nodes, Samples* samples);
/// What is left in this process. `lost`: packets were dropped somewhere, so that their cells stay in flow accounts.
Leftover FindLeftover(const Nodes& nodes, const Contexts& contexts, bool lost);

}  // namespace tilefly::network
