// SPDX-License-Identifier: Apache-2.0
// The figures of a run of a system.
#pragma once

#include <string>
#include <vector>

#include "network/flow_figures.h"
#include "network/left_behind.h"
#include "network/node.h"
#include "network/processes.h"

namespace tilefly::network {

class Network;

/// The figures of one switch, by port.
struct NodeFigures {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports, nics, times, words, drawn, drawn_at_nics, given_up, lane_changes, sent, sent_by_nics);
  }

  std::vector<Node::PortCounts> ports;
  std::vector<Nic::Counters> nics;                           ///< NICs at this switch, in the order of their ports
  std::vector<golden::LinkStatistics::Times> times;          ///< statistics of links; empty: they were not kept
  std::vector<std::array<std::int64_t, golden::kMaxClasses>> words;  ///< by class; empty: they were not kept
  std::vector<std::vector<DrawnError>> drawn;  ///< words that were damaged on the way into the ports; empty: no plan damages words
  std::vector<GivenUp> given_up;  ///< links that ports and NICs gave up
  std::vector<LaneChange> lane_changes;                ///< SerDes lanes that ports and NICs send on
  std::vector<DirectionCounts> sent;                   ///< by the ports, on links that repeat; empty: no link repeats
  std::vector<DirectionCounts> sent_by_nics;           ///< the same of the NICs at the ports
  std::vector<std::vector<DrawnError>> drawn_at_nics;  ///< the same of the NICs at the ports
};

/// The figures of the whole system, for any number of processes.
struct Figures {
  /// After Run. Collective: the figures are complete on the first process, and of no use on the others.
  explicit Figures(const Network& network);

  Statistics statistics;
  Nic::Queue queue;  ///< packets that were created and never sent
  Routed routed;
  std::vector<NodeFigures> nodes;
  FlowCounts flows;               ///< of flow channels; zeros without congestion control
  std::vector<WorstFlow> worst_flows;  ///< the flows whose packets were held longest, the worst first
  std::vector<Journey> journeys;  ///< the chosen journeys
  Leftover leftover;

 private:
  void Add(const Network& network);
  void AddRepeats(const Network& network, const Node& node, int port, NodeFigures* own);
  SavedBytes Save(const Network& network) const;
  void Merge(const SavedBytes& bytes);

  Journeys::Kept kept_;
};

}  // namespace tilefly::network
