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
#include "network/fabric_manager.h"
#include "network/figures.h"
#include "network/flow_figures.h"
#include "network/left_behind.h"
#include "network/mail.h"
#include "network/network_options.h"
#include "network/nodes.h"
#include "network/planned_faults.h"
#include "network/processes.h"
#include "network/reduction_job.h"
#include "network/rounds.h"
#include "network/sample_frame.h"
#include "network/save_times.h"
#include "network/state_tables.h"
#include "network/system_lanes.h"
#include "network/system_routes.h"
#include "network/system_writes.h"
#include "network/traffic_end.h"

namespace tilefly::network {

/// How a run ended. kDrained: all is delivered. kStuck: no progress of packets inside, or of those to be sent again. kStopped: `poll` ended it. kWaiting: ranks wait
/// for messages, and nothing is under way. kLate: the jobs were not done in the cycles given.
enum class Ending { kDrained, kStuck, kStopped, kWaiting, kLate };

class Network {
 public:
  /// Throws UsageError for what cannot be wired, routed or configured. `topology` must outlive the network.
  Network(const topology::Topology& topology, const NetworkOptions& options);
  /// The same for several processes, each of which has some of the groups. `processes` must outlive the network.
  Network(const topology::Topology& topology, const NetworkOptions& options, Processes* processes);

  /// `probe` sees every step from now on, and one thread makes all steps; null: no probe.
  void set_probe(NodeProbe* probe) { contexts_.SetProbe(probe); }

  /// Runs traffic and drain. `poll(cycle)` is called from time to time; when it returns true, the run ends. Collective.
  Ending Run(const std::function<bool(Cycle)>& poll = {}) { return *RunTo(kNever, poll); }
  /// Runs the part of this before cycle `to`, and perhaps some cycles more. Empty: the run has not ended.
  std::optional<Ending> RunTo(Cycle to, const std::function<bool(Cycle)>& poll = {});
  /// Ends a failed run where it stands. All words that are known to arrive count. Collective.
  void GiveUp();

  /// From time to time, between two rounds, `judge` gets the history of the traffic up to a cycle, on the first
  /// process. When `judge` returns true, or after the cycles in the options, traffic ends. Only for synthetic traffic.
  void EndTrafficWhen(TrafficEnd::Judge judge) { traffic_end_.Set(std::move(judge)); }
  /// Calls `save()` between two rounds, each time that `every` cycles have passed, and before a stopped run ends.
  void SaveEvery(Cycle every, std::function<void()> save);
  /// Between two rounds: saves the state. `write` gets its pieces, on the first process. Collective.
  void Save(const std::function<void(const SavedBytes&)>& write);
  /// Before Run: loads the state of a network with the same options. `read` gives its pieces, on the first process.
  /// Collective.
  void Load(const std::function<SavedBytes()>& read);

  /// After Run: the sums over the injection queues of this process.
  Nic::Queue Remaining() const { return CountQueued(nodes_); }
  /// Adds to the created packets of `history` those that were created before cycle `end` and wait at this process's
  /// sources.
  void AddWaiting(Cycle end, TrafficHistory* history) const {
    if (nics_.history.kept()) network::AddWaiting(nodes_, end, history);
  }
  void AddWaiting(Samples* samples) const {
    if (sample_frame_) network::AddWaiting(nodes_, samples);
  }
  /// Which time series are kept; null: none.
  const SampleFrame* sample_frame() const { return sample_frame_.get(); }
  /// The cycle up to which traffic is judged. When EndTrafficWhen's `judge` ended it, this is the cycle of that
  /// judgement.
  Cycle judged_to() const { return traffic_end_.judged_to() != kNever ? traffic_end_.judged_to() : nics_.measured.to; }
  /// After Run: the statistics of this process.
  const Statistics& statistics() const { return contexts_.first().statistics; }
  /// The number of threads that run the system in this process.
  int threads() const { return contexts_.threads(); }
  /// The counters of the program's own; their sums are in the statistics.
  const CounterBank& counters() const { return counters_; }
  /// The standing of all processes when the last round began.
  const Standing& standing() const { return standing_; }
  Processes& processes() const { return processes_; }
  const topology::Topology& topology() const { return topology_; }
  const Profile& profile() const { return profile_; }
  const NetworkOptions& options() const { return options_; }
  const Wiring& wiring() const { return wiring_; }
  const PlannedFaults& faults() const { return faults_; }
  const SystemRoutes& routes() const { return routes_; }
  /// The tables that the manager of the fabric writes, and what it did; null: the plan has no manager that writes tables.
  const StateTables* state_tables() const { return state_tables_.get(); }
  const FabricManager* manager() const { return manager_.get(); }
  /// Whether packets are acknowledged.
  bool acks() const { return acks_; }
  /// The register FLOW_MARK of all ports to NICs, with the FULL that was given or chosen; used with congestion control.
  const FlowMark& flow_mark() const { return flow_mark_; }
  const SystemLanes& lanes() const { return lanes_; }
  /// The trees of the jobs that reduce in switches, in the order of the jobs.
  const ReductionTrees& trees() const { return trees_; }
  const NicSetup& nics() const { return nics_; }
  /// Before Run, with `journeys.all`: tells every packet of this process to `listener` after the round in which it
  /// ended. Packets of one round are told by source and number. Null: tells none.
  void TellJourneys(Journeys::Listener listener);
  /// After Run: tells the packets that are inside, too.
  void TellJourneysInside() const;
  /// After Run: the followed packets of this process.
  Journeys::Kept KeptJourneys() const { return contexts_.KeptJourneys(); }
  /// The process that runs the switch. Groups are dealt out to processes in blocks.
  int ProcessOf(int node) const { return nodes_.ProcessOf(node); }
  /// Whether this process runs the switch.
  bool Has(int node) const { return nodes_.Has(node); }
  /// After the run: the value of a counter of a switch that this process runs (docs/reference/counters.md).
  std::uint64_t ReadCounter(int node, int port, int index) const { return nodes_[node].ReadCounter(port, index); }
  /// A golden switch that is stepped, for observation records.
  golden::Switch& device(int node) { return *nodes_[node].golden(); }
  const Node& node(int index) const { return nodes_[index]; }
  int nodes() const { return nodes_.count(); }
  /// The register writes of a switch, one in each bus cycle from cycle 0 on.
  std::vector<Cfg> WritesOf(int node) const { return writes_.Of(node); }
  /// Whether the run is over.
  bool ended() const { return ended_; }
  /// Whether the background was ended because jobs did not go on for `stall_cycles`.
  bool jobs_stood_still() const { return jobs_stood_still_; }
  /// The last cycle in which something happened; of a run that was ended, the cycle of its end.
  Cycle cycle() const { return cycle_; }
  /// After Run: the routing decisions in this process.
  Routed CountRouted() const { return network::CountRouted(nodes_, profile_.ports); }
  /// After Run: adds what flow channels did in this process, with congestion control.
  void AddFlows(FlowCounts* counts, std::vector<WorstFlow>* worst) const {
    if (options_.congestion.on) network::AddFlows(*this, nodes_, counts, worst);
  }
  /// Cells of lost attempts whose credits stamps gave back at ports of switches.
  std::int64_t CountHealed() const { return network::CountHealed(nodes_, profile_.ports); }
  /// The cycles of a slice.
  Cycle lookahead() const { return rounds_.lookahead(); }

  /// A text that says what is not as it was at the start (buffers empty, credits at home, records released); empty: all
  /// is.
  std::string NotHome() const { return WhatIsLeft().Text(); }
  /// The same for this process, as data.
  Leftover WhatIsLeft() const {
    return FindLeftover(nodes_, contexts_, standing_.dropped > 0 || faults_.loses_acks());
  }

 private:
  std::unique_ptr<Node> MakeNode(int node);
  void MeetPeers(Node* node);
  std::vector<LinkFault> Downs() const;
  std::unique_ptr<StateTables> MakeStateTables() const;
  void LearnNews();
  void WriteTables(Cycle end);
  void Configure();
  Cycle WriteRegisters();
  golden::PortMask RepeatingPortsOf(int node) const;
  Cycle BeginBehind(Cycle up) const;
  void BeginRepeats(Cycle up);
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
  bool HasFlowDeadline(Cycle cycle) const;
  bool OnlySweepsAreLeft() const;
  bool HostsWork() const;
  bool AnyNic(bool (Nic::*is)() const) const;
  Ending EndingWhenQuiet() const;
  bool PacketsAreLate() const;
  Ending Finish(Ending ending, Cycle cycle, bool late = false);

  Processes& processes_;
  const topology::Topology& topology_;
  const NetworkOptions options_;
  const Profile& profile_;
  const Wiring wiring_;
  const PlannedFaults faults_;
  const SystemRoutes routes_;
  const bool acks_;
  const FlowMark flow_mark_;
  const ReductionTrees trees_;
  const std::unique_ptr<StateTables> state_tables_;  ///< null: no manager writes tables
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
  const std::unique_ptr<FabricManager> manager_;  ///< null: no manager writes tables
  Mail mail_;  ///< messages to the other processes
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
