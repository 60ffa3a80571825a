// SPDX-License-Identifier: Apache-2.0
// A system of golden switches and NICs, exact in every cycle (docs/network.md).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "golden/network/domain.h"
#include "golden/network/node.h"
#include "golden/network/system_routes.h"
#include "golden/scheduler/schedulers.h"

namespace tilefly::golden {

struct NetworkOptions {
  bool bench_timing = false;  ///< links of fixed delays and buffers as in the equal run of the performance page
  int nic_lanes = 4;          ///< 4: 200 Gb/s, 2: 100 Gb/s
  TrafficOptions traffic;
  std::uint64_t seed = 1;
  Cycle cycles = 20000;        ///< of traffic; then what is inside is delivered
  Cycle warmup = 4000;         ///< of these, left out of loads and latencies
  Cycle stall_cycles = 20000;  ///< without progress: the end
  LanePlan lanes = LanePlan::AtPowerUp();
  std::vector<Cfg> writes;  ///< of every switch, before the others: traffic classes
  SchedulerChoice scheduler;
  Cycle window = 0;         ///< cycles that a switch is run at a time; 0: as many as may be
  bool whole = false;       ///< all switches make one domain
  std::uint64_t order = 0;  ///< not 0: switches of a window are visited in an order drawn with it
};

/// How a run ended.
enum class Ending { kDrained, kStuck, kStopped };

class Network {
 public:
  /// Throws UsageError for what cannot be wired, routed or configured. `topology` must outlive the network.
  Network(const topology::Topology& topology, const NetworkOptions& options);

  /// Looks at every step from now on; null: no more.
  void set_probe(NodeProbe* probe) { context_.probe = probe; }

  /// Runs traffic and drain. `poll(cycle)` is called now and then; true ends the run.
  Ending Run(const std::function<bool(Cycle)>& poll = {});

  /// After Run: totals of the injection queues.
  Nic::Queue Remaining() const;
  const Statistics& statistics() const { return context_.statistics; }
  const topology::Topology& topology() const { return topology_; }
  const Profile& profile() const { return profile_; }
  const NetworkOptions& options() const { return options_; }
  const Wiring& wiring() const { return wiring_; }
  const SystemRoutes& routes() const { return routes_; }
  const NicSetup& nics() const { return nics_; }
  /// For observation records.
  Switch& device(int node) { return nodes_[node]->device(); }
  const Node& node(int index) const { return *nodes_[index]; }
  int nodes() const { return static_cast<int>(nodes_.size()); }
  /// Register writes of a switch, one a bus cycle from cycle 0 on.
  std::vector<Cfg> WritesOf(int node) const;
  /// Last cycle in which something happened; of a run that was ended, the cycle of the end.
  Cycle cycle() const { return cycle_; }
  /// Cycles of a window.
  Cycle window() const { return window_; }

  /// The system is as at the start: buffers empty, credits at home, records released. Empty, or what is not.
  std::string NotHome() const;

 private:
  void Configure();
  void Apply(Node* node, const std::vector<Cfg>& writes, Cycle bus);
  std::vector<Cfg> CreditWrites() const;
  std::vector<Cfg> PortWrites(int node) const;
  NicSetup MakeNics() const;
  Cycle WindowLength() const;
  Cycle RoundLength() const;
  void EnterWhenDue(int node);
  void Shuffle(Cycle window, std::vector<int>* order) const;
  void RunRound(Cycle round);
  void RunWindow(Cycle window, int domain, bool fetch);
  Ending Finish(Ending ending, Cycle cycle);

  const topology::Topology& topology_;
  const NetworkOptions options_;
  const Profile& profile_;
  const Wiring wiring_;
  const SystemRoutes routes_;
  const Traffic traffic_;
  std::vector<Cfg> common_;  ///< writes of all switches
  NicSetup nics_;
  NodeContext context_;
  std::vector<std::unique_ptr<Node>> nodes_;
  const Domains domains_;
  Cycle window_;                   ///< cycles that a switch is run at a time
  Cycle round_;                    ///< windows that a domain is run at a time
  Calendar rounds_;                ///< of domains
  std::vector<Calendar> windows_;  ///< of each domain's switches
  std::vector<int> visited_domains_;
  std::vector<int> visited_;
  Cycle cycle_ = 0;
};

}  // namespace tilefly::golden
