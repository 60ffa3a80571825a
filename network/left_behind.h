// SPDX-License-Identifier: Apache-2.0
// What a run leaves behind in the switches and NICs of a process.
#pragma once

#include <cstdint>
#include <string>

#include "network/contexts.h"
#include "network/nodes.h"

namespace tilefly::network {

/// Counters ROUTED_MIN and ROUTED_NONMIN, summed.
struct Routed {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(minimal, nonminimal, again_minimal, again_nonminimal);
  }

  std::int64_t minimal = 0;  ///< packets as their source's switch decided
  std::int64_t nonminimal = 0;
  std::int64_t again_minimal = 0;  ///< decisions in a second switch
  std::int64_t again_nonminimal = 0;
};
static_assert(sizeof(Routed) == 4 * sizeof(std::int64_t));  // Whoever adds a member adds it to Serialize.

/// What switches and NICs are not as they were at the start.
struct Leftover {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(records, node, text);
  }
  /// Empty: nothing is left.
  std::string Text() const;

  std::int64_t records = 0;  ///< packets that are still on record
  int node = -1;             ///< the first switch with something left, -1: none
  std::string text;          ///< what that is
};

/// Of this process's switches.
Routed CountRouted(const Nodes& nodes, int ports);
/// Of this process's NICs, what was created and never sent.
Nic::Queue CountQueued(const Nodes& nodes);
/// Adds what waits at this process's sources and was created before cycle `end` to what was created.
void AddWaiting(const Nodes& nodes, Cycle end, TrafficHistory* history);
/// The same of all that was created before the end of traffic.
void AddWaiting(const Nodes& nodes, Samples* samples);
/// Of this process; `lost`: packets were dropped somewhere, whose cells stay in the accounts of their flows.
Leftover FindLeftover(const Nodes& nodes, const Contexts& contexts, bool lost);

}  // namespace tilefly::network
