// SPDX-License-Identifier: Apache-2.0
// What a run of a system leaves behind.
#pragma once

#include <string>
#include <vector>

#include "network/node.h"
#include "network/processes.h"

namespace tilefly::network {

class Network;

/// Of one switch, by port.
struct NodeFigures {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports, nics, times, words);
  }

  std::vector<Node::PortCounts> ports;
  std::vector<Nic::Counters> nics;                           ///< of those at it, in the order of their ports
  std::vector<golden::LinkStatistics::Times> times;          ///< as books of links were kept; empty: they were not
  std::vector<std::array<std::int64_t, golden::kMaxClasses>> words;  ///< by class, likewise
};

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

/// Of the whole system, whatever the number of processes.
struct Figures {
  /// After Run. Collective: complete on the first process, of no use on the others.
  explicit Figures(const Network& network);

  Statistics statistics;
  Nic::Queue queue;  ///< what was created and never sent
  Routed routed;
  std::vector<NodeFigures> nodes;
  std::vector<Journey> journeys;  ///< chosen ones
  Leftover leftover;

 private:
  void Add(const Network& network);
  SavedBytes Save(const Network& network) const;
  void Merge(const SavedBytes& bytes);

  Journeys::Kept kept_;
};

}  // namespace tilefly::network
