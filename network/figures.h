// SPDX-License-Identifier: Apache-2.0
// What a run of a system leaves behind.
#pragma once

#include <string>
#include <vector>

#include "network/left_behind.h"
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
