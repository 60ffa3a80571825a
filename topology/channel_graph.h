// SPDX-License-Identifier: Apache-2.0
// Channel dependency graph (Dally and Seitz): a system without a cycle in it cannot deadlock. And the deadlock check.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "topology/lanes.h"
#include "topology/routes.h"
#include "topology/table_hops.h"
#include "topology/turns.h"

namespace tilefly::topology {

/// Vertices are channels, numbered arc * lanes + lane; an arrow for every permitted turn.
class ChannelGraph {
 public:
  ChannelGraph(const Wiring& wiring, int lanes);

  /// Both channels exist, and the second begins where the first ends.
  void Add(const Channel& held, const Channel& wanted);
  std::int64_t turns() const { return turns_; }
  /// The channels of a shortest cycle through one of its channels, in the order in which packets wait; none when the
  /// graph has no cycle.
  std::vector<Channel> FindCycle() const;

 private:
  std::vector<int> Wanted(int channel) const;
  std::vector<int> CycleThrough(int start, const std::vector<int>& component) const;
  int size() const { return wiring_.arcs() * lanes_; }

  const Wiring& wiring_;
  int lanes_;
  std::vector<int> slot_;                    ///< of an arc: its place among the arcs out of its tail
  std::vector<std::size_t> first_;           ///< of a channel: its masks in lanes_wanted_
  std::vector<std::uint16_t> lanes_wanted_;  ///< a mask of lanes for each arc out of the head of the channel's arc
  std::int64_t turns_ = 0;
};

/// What packets do at a switch, without saying where: lane and port classes of a channel.
struct ChannelKind {
  int out_class = 0;  ///< of the port in front of the link
  int in_class = 0;   ///< of the port behind it
  int lane = 0;
};

struct DeadlockCheck {
  bool deadlock_free = false;  ///< proved; the only thing that may be relied on
  bool full = false;           ///< by the channel graph; else by the kinds of turns alone
  std::string routing;         ///< "minimal", "valiant", "progressive"
  int lanes = 0;
  std::int64_t channels = 0;
  std::int64_t turns = 0;          ///< different ones; 0 when not full
  std::vector<Channel> cycle;      ///< of the full graph; deadlock is possible
  std::vector<ChannelKind> kinds;  ///< not full: in rising order, or a cycle of them when nothing is proved
};

/// Channels up to which the whole graph is built: Shandy with four lanes several times over.
constexpr std::int64_t kFullLimit = 500'000;

/// Follows every permitted turn. Up to `full_limit` channels all of them make the channel graph, in which a cycle is
/// looked for. Above, it is proved that the lane rank rises on every permitted kind of turn: port classes and lanes of
/// the channels can be ordered so that each turn leads upwards, and then no cycle of channels exists. When they cannot,
/// nothing is proved.
DeadlockCheck CheckDeadlock(const Topology& topology, Routing routing, const LanePlan& plan,
                            std::int64_t full_limit = kFullLimit);

/// The same for tables as they are written, whatever made them.
DeadlockCheck CheckTables(const Topology& topology, Routing routing, const LanePlan& plan, const PortTables& tables,
                          std::int64_t full_limit = kFullLimit, NoWay no_way = NoWay::kRefused);

/// The verdict with its proof, or the cycle: "switch 3 port 5 -> switch 7 port 2, lane 1, global".
std::string ToText(const Topology& topology, const DeadlockCheck& check);
nlohmann::ordered_json ToJson(const Topology& topology, const DeadlockCheck& check);

}  // namespace tilefly::topology
