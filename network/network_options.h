// SPDX-License-Identifier: Apache-2.0
// The options of a system and its run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "golden/scheduler/schedulers.h"
#include "faults/plan.h"
#include "network/congestion_options.h"
#include "network/link_faults.h"
#include "network/nic_options.h"
#include "network/node.h"
#include "network/routing_options.h"
#include "network/system_lanes.h"

namespace tilefly::network {

/// Makes the node of a switch.
using NodeMaker = std::function<std::unique_ptr<Node>(int node, const Profile& profile, NodeContext* context)>;

/// When the ports of NICs are edge ports of the ack network.
enum class AckUse { kOff, kWherePossible, kOn };

struct NetworkOptions {
  /// Whether traffic ends when all is sent, before or after `cycles`.
  bool EndsByItself() const { return hosts.used() || till_sent; }
  /// Whether something is sent beside jobs until they end: a background, or jobs that repeat.
  bool EndsWithJobs() const { return background || (hosts.used() && hosts.workload->Repeats()); }
  /// The traffic classes that send.
  std::vector<int> UsedClasses() const;

  /// Whether something is wanted that can be seen only inside golden switches.
  bool SeesInside() const { return stalls || journeys.any() || sample > 0; }

  const Profile* profile = nullptr;  ///< of the switches; must outlive the network; null: that of the topology
  bool bench_timing = false;  ///< true: links of fixed delays, and buffers, as `--timing bench`
  int nic_lanes = 4;          ///< SerDes lanes: 4 for 200 Gb/s, 2 for 100 Gb/s
  TrafficOptions traffic;
  HostSetup hosts;  ///< when used, the patterns, loads and sizes of `traffic` have no effect
  std::optional<TrafficOptions> background;  ///< of endpoints without a rank, beside jobs; it ends with the jobs
  AckUse acks = AckUse::kOff;
  CongestionOptions congestion;
  NicOptions nics;
  std::uint64_t seed = 1;
  Cycle cycles = 20000;        ///< cycles of traffic; the run then goes on until all inside is delivered
  Cycle warmup = 4000;         ///< of these cycles, those left out of loads and latencies
  Cycle stall_cycles = 20000;  ///< cycles without progress after which the run ends (docs/network.md, No progress)
  RoutingOptions routing;
  LaneClasses lanes;                       ///< by traffic class; all empty: as many as are needed
  std::optional<topology::LanePlan> plan;  ///< lanes in place of the topology's own for the routing
  std::vector<Cfg> writes;                 ///< writes of every switch before all others: traffic classes
  golden::SchedulerChoice scheduler;
  bool till_sent = false;  ///< traffic ends when all is sent; `cycles` is only a limit
  bool stalls = false;     ///< true: keep statistics of what every link does in every cycle
  Cycle sample = 0;        ///< cycles of an interval of the time series; 0: none are kept
  JourneyChoice journeys;  ///< packets to follow
  std::vector<LinkFault> faults;
  bool retry = false;  ///< links between switches send again what is damaged (docs/blocks/link_retry.md)
  std::shared_ptr<const faults::Plan> fault_plan;  ///< null: none
  Cycle lookahead = 0;      ///< most cycles of a slice; 0: as many as are possible
  bool whole = false;       ///< true: all switches make one domain
  std::uint64_t order = 0;  ///< not 0: visit the switches of a slice in an order drawn with it
  int threads = 1;          ///< most threads that run domains
  /// Whether switches run as halves where their features allow it (docs/timing.md, Halves). Results are the same. The
  /// run then has no probe that needs steps.
  bool halves = false;
  NodeMaker make_node;      ///< may make a node that is not golden; null, or a null result: golden
};

}  // namespace tilefly::network
