// SPDX-License-Identifier: Apache-2.0
// A system of switches and NICs, exact in every cycle (docs/network.md).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "network/checkpoint.h"
#include "network/contexts.h"
#include "network/counters.h"
#include "network/figures.h"
#include "network/left_behind.h"
#include "network/mail.h"
#include "network/network_options.h"
#include "network/nodes.h"
#include "network/processes.h"
#include "network/reduction_job.h"
#include "network/rounds.h"
#include "network/sample_frame.h"
#include "network/save_times.h"
#include "network/system_lanes.h"
#include "network/system_routes.h"
#include "network/system_writes.h"
#include "network/traffic_end.h"

namespace tilefly::network {

/// How a run ended. kWaiting: ranks wait for messages, and nothing is under way; kLate: they were not done in the
/// cycles given.
enum class Ending { kDrained, kStuck, kStopped, kWaiting, kLate };

class Network {
 public:
  /// Throws UsageError for what cannot be wired, routed or configured. `topology` must outlive the network.
  Network(const topology::Topology& topology, const NetworkOptions& options);
  /// The same on several processes, each with some of the groups. `processes` must outlive the network.
  Network(const topology::Topology& topology, const NetworkOptions& options, Processes* processes);

  /// Looks at every step from now on, for which one thread makes them all; null: no more.
  void set_probe(NodeProbe* probe) { contexts_.SetProbe(probe); }

  /// Runs traffic and drain. `poll(cycle)` is called now and then; true ends the run. Collective.
  Ending Run(const std::function<bool(Cycle)>& poll = {}) { return *RunTo(kNever, poll); }
  /// The part of it before cycle `to`, and perhaps some cycles more; empty: it goes on.
  std::optional<Ending> RunTo(Cycle to, const std::function<bool(Cycle)>& poll = {});
  /// Ends a run that has failed, where it stands: all that is known to arrive counts. Collective.
  void GiveUp();

  /// Between two rounds, from time to time: `judge` gets the history of the traffic up to a cycle, on the first
  /// process. When it returns true, or at the end of the cycles in the options, traffic ends. Only for synthetic
  /// traffic.
  void EndTrafficWhen(TrafficEnd::Judge judge) { traffic_end_.Set(std::move(judge)); }
  /// Calls `save()` between two rounds: each time that `every` cycles have passed, and before a run ends that is
  /// stopped.
  void SaveEvery(Cycle every, std::function<void()> save);
  /// Between two rounds: the state in pieces, which `write` gets on the first process. Collective.
  void Save(const std::function<void(const SavedBytes&)>& write);
  /// Before Run: goes on from a state of a network of the same options; `read` gives its pieces on the first process.
  /// Collective.
  void Load(const std::function<SavedBytes()>& read);

  /// After Run: totals of this process's injection queues.
  Nic::Queue Remaining() const { return CountQueued(nodes_); }
  /// Adds what waits at this process's sources and was created before cycle `end` to what was created.
  void AddWaiting(Cycle end, TrafficHistory* history) const {
    if (nics_.history.kept()) network::AddWaiting(nodes_, end, history);
  }
  void AddWaiting(Samples* samples) const {
    if (sample_frame_) network::AddWaiting(nodes_, samples);
  }
  /// Which time series are kept, null: none.
  const SampleFrame* sample_frame() const { return sample_frame_.get(); }
  /// Up to where traffic is judged: what EndTrafficWhen's `judge` was asked when it ended traffic, else all of it.
  Cycle judged_to() const { return traffic_end_.judged_to() != kNever ? traffic_end_.judged_to() : nics_.measured.to; }
  /// After Run, of this process.
  const Statistics& statistics() const { return contexts_.first().statistics; }
  /// That run it in this process.
  int threads() const { return contexts_.threads(); }
  /// Of the program's own, whose sums are in the statistics.
  const CounterBank& counters() const { return counters_; }
  /// Of all processes, when the last round began.
  const Standing& standing() const { return standing_; }
  Processes& processes() const { return processes_; }
  const topology::Topology& topology() const { return topology_; }
  const Profile& profile() const { return profile_; }
  const NetworkOptions& options() const { return options_; }
  const Wiring& wiring() const { return wiring_; }
  const SystemRoutes& routes() const { return routes_; }
  /// Whether packets are acknowledged.
  bool acks() const { return acks_; }
  const SystemLanes& lanes() const { return lanes_; }
  /// Of the jobs that reduce in switches, in their order.
  const ReductionTrees& trees() const { return trees_; }
  const NicSetup& nics() const { return nics_; }
  /// Before Run, with `journeys.all`: every packet of this process is told to `listener` when the round is over in which
  /// it ended, those of a round by source and number. Null: no more.
  void TellJourneys(Journeys::Listener listener);
  /// After Run: those that are inside, too.
  void TellJourneysInside() const;
  /// After Run: followed packets of this process.
  Journeys::Kept KeptJourneys() const { return contexts_.KeptJourneys(); }
  /// The process that runs the switch: groups are dealt out in blocks.
  int ProcessOf(int node) const { return nodes_.ProcessOf(node); }
  /// Whether it is this one.
  bool Has(int node) const { return nodes_.Has(node); }
  /// The switch of a golden node, for observation records.
  golden::Switch& device(int node) { return *nodes_[node].golden(); }
  const Node& node(int index) const { return nodes_[index]; }
  int nodes() const { return nodes_.count(); }
  /// Register writes of a switch, one a bus cycle from cycle 0 on.
  std::vector<Cfg> WritesOf(int node) const { return writes_.Of(node); }
  /// The run is over.
  bool ended() const { return ended_; }
  /// Jobs did not go on for `stall_cycles`, which ended the background beside them.
  bool jobs_stood_still() const { return jobs_stood_still_; }
  /// Last cycle in which something happened; of a run that was ended, the cycle of the end.
  Cycle cycle() const { return cycle_; }
  /// After Run, of this process.
  Routed CountRouted() const { return network::CountRouted(nodes_, profile_.ports); }
  /// Cycles that a switch is run at a time.
  Cycle lookahead() const { return rounds_.lookahead(); }

  /// The system is as at the start: buffers empty, credits at home, records released. Empty, or what is not.
  std::string NotHome() const { return WhatIsLeft().Text(); }
  /// The same, of this process.
  Leftover WhatIsLeft() const { return FindLeftover(nodes_, contexts_, standing_.dropped > 0); }

 private:
  std::unique_ptr<Node> MakeNode(int node);
  void Configure();
  Cycle WriteRegisters();
  void SetTimes(Cycle begin);
  Statistics NoStatistics() const;
  void KeepSamples();
  void EqualiseSamples();
  void EndSamples(Cycle end);
  void GatherCounts();
  void Synchronize(const std::function<bool(Cycle)>& poll);
  Cycle CutBehind(Cycle begins) const;
  void EndBackgroundWhenDue(Cycle begins);
  Cycle LongestWayOfAcks() const;
  Cycle PatienceWithJobs() const;
  bool HostsWork() const;
  Ending EndingWhenQuiet() const;
  bool PacketsAreLate() const;
  Ending Finish(Ending ending, Cycle cycle, bool late = false);

  Processes& processes_;
  const topology::Topology& topology_;
  const NetworkOptions options_;
  const Profile& profile_;
  const Wiring wiring_;
  const SystemRoutes routes_;
  const bool acks_;
  const ReductionTrees trees_;
  const std::vector<ReductionJob> reductions_;  ///< by job
  const SystemLanes lanes_;
  const Traffic traffic_;
  NicSetup nics_;
  const Domains domains_;
  Contexts contexts_;
  const CounterBank counters_;
  std::unique_ptr<SampleFrame> sample_frame_;  ///< null when no time series are kept
  std::unique_ptr<Journeys> journeys_;         ///< null when no packets are followed
  Journeys::Listener listener_;                ///< null when packets are not told
  const Nodes nodes_;
  const SystemWrites writes_;
  Mail mail_;  ///< for the other processes
  Rounds rounds_;
  TrafficEnd traffic_end_;
  Checkpoint checkpoint_;
  SaveTimes save_times_;
  Standing standing_;
  Cycle cycle_ = 0;
  bool ended_ = false;
  bool background_over_ = false;
  bool jobs_stood_still_ = false;
};

}  // namespace tilefly::network
