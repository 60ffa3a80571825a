// SPDX-License-Identifier: Apache-2.0
// What a system and its run are to be.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "golden/scheduler/schedulers.h"
#include "network/link_faults.h"
#include "network/nic_options.h"
#include "network/node.h"
#include "network/routing_options.h"
#include "network/system_lanes.h"

namespace tilefly::network {

/// Makes the node of a switch.
using NodeMaker = std::function<std::unique_ptr<Node>(int node, const Profile& profile, NodeContext* context)>;

/// Whether the NICs' ports are edge ports of the ack network.
enum class AckUse { kOff, kWherePossible, kOn };

struct NetworkOptions {
  /// Traffic ends when it is done, `cycles` or not.
  bool EndsByItself() const { return hosts.used() || till_sent; }
  /// Traffic classes that send.
  std::vector<int> UsedClasses() const;

  /// Something is told that is seen inside of golden switches only.
  bool SeesInside() const { return stalls || journeys.any() || sample > 0; }

  const Profile* profile = nullptr;  ///< of the switches, which must outlive the network; null: the topology's
  bool bench_timing = false;  ///< links of fixed delays and buffers as in the equal run of the performance page
  int nic_lanes = 4;          ///< 4: 200 Gb/s, 2: 100 Gb/s
  TrafficOptions traffic;
  HostSetup hosts;  ///< when used, what `traffic` says of patterns, loads and sizes counts for nothing
  std::optional<TrafficOptions> background;  ///< beside jobs, of endpoints without a rank; it ends with the jobs
  AckUse acks = AckUse::kOff;
  NicOptions nics;
  std::uint64_t seed = 1;
  Cycle cycles = 20000;        ///< of traffic; then what is inside is delivered
  Cycle warmup = 4000;         ///< of these, left out of loads and latencies
  Cycle stall_cycles = 20000;  ///< without progress: the end (docs/network.md, No progress)
  RoutingOptions routing;
  LaneClasses lanes;                       ///< of the traffic classes; all empty: as many as are needed
  std::optional<topology::LanePlan> plan;  ///< instead of the topology's own for the routing
  std::vector<Cfg> writes;                 ///< of every switch, before the others: traffic classes
  golden::SchedulerChoice scheduler;
  bool till_sent = false;  ///< traffic ends when all is sent; `cycles` is a limit
  bool stalls = false;     ///< keep books of what every link does in every cycle
  Cycle sample = 0;        ///< cycles of an interval of the time series, 0: none are kept
  JourneyChoice journeys;  ///< packets that are followed
  std::vector<LinkFault> faults;
  Cycle lookahead = 0;      ///< most cycles that a switch is run at a time; 0: as many as may be
  bool whole = false;       ///< all switches make one domain
  std::uint64_t order = 0;  ///< not 0: switches of a slice are visited in an order drawn with it
  int threads = 1;          ///< that run domains, as far as there are so many in the process
  NodeMaker make_node;      ///< may make a node other than golden; null, or what it makes is null: golden
};

}  // namespace tilefly::network
