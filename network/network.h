// SPDX-License-Identifier: Apache-2.0
// A system of switches and NICs, exact in every cycle (docs/network.md).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "golden/scheduler/schedulers.h"
#include "network/figures.h"
#include "network/mail.h"
#include "network/nic_options.h"
#include "network/node.h"
#include "network/processes.h"
#include "network/reduction_job.h"
#include "network/sample_frame.h"
#include "network/save_times.h"
#include "network/system_lanes.h"
#include "network/system_routes.h"
#include "network/timetable.h"

namespace tilefly::network {

/// Makes the node of a switch.
using NodeMaker = std::function<std::unique_ptr<Node>(int node, const Profile& profile, NodeContext* context)>;

/// Whether the NICs' ports are edge ports of the ack network.
enum class AckUse { kOff, kWherePossible, kOn };

/// A link that goes down.
struct LinkFault {
  int node;
  int port;
  Cycle at;  ///< cycle of traffic from which on it is down, in both directions
};

struct NetworkOptions {
  /// Traffic ends when it is done, `cycles` or not.
  bool EndsByItself() const { return hosts.used() || till_sent; }

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
  NodeMaker make_node;      ///< may make a node other than golden; null, or what it makes is null: golden
};

/// How a run ended. kWaiting: ranks wait for messages, and nothing is under way; kLate: they were not done in the
/// cycles given.
enum class Ending { kDrained, kStuck, kStopped, kWaiting, kLate };

class Network {
 public:
  /// Throws UsageError for what cannot be wired, routed or configured. `topology` must outlive the network.
  Network(const topology::Topology& topology, const NetworkOptions& options);
  /// The same on several processes, each with some of the groups. `processes` must outlive the network.
  Network(const topology::Topology& topology, const NetworkOptions& options, Processes* processes);

  /// Looks at every step from now on; null: no more.
  void set_probe(NodeProbe* probe) { context_.probe = probe; }

  /// Runs traffic and drain. `poll(cycle)` is called now and then; true ends the run. Collective.
  Ending Run(const std::function<bool(Cycle)>& poll = {}) { return *RunTo(kNever, poll); }
  /// The part of it before cycle `to`, and perhaps some cycles more; empty: it goes on.
  std::optional<Ending> RunTo(Cycle to, const std::function<bool(Cycle)>& poll = {});
  /// Ends a run that has failed, where it stands: all that is known to arrive counts. Collective.
  void GiveUp();

  /// Between two rounds, from time to time: `judge` gets the history of the traffic up to a cycle, on the first
  /// process. When it returns true, or at the end of the cycles in the options, traffic ends. Only for synthetic
  /// traffic.
  void EndTrafficWhen(std::function<bool(const TrafficHistory& history, Cycle end)> judge);
  /// Calls `save()` between two rounds: each time that `every` cycles have passed, and before a run ends that is
  /// stopped.
  void SaveEvery(Cycle every, std::function<void()> save);
  /// Between two rounds: the state in pieces, which `write` gets on the first process. Collective.
  void Save(const std::function<void(const SavedBytes&)>& write);
  /// Before Run: goes on from a state of a network of the same options; `read` gives its pieces on the first process.
  /// Collective.
  void Load(const std::function<SavedBytes()>& read);

  /// After Run: totals of this process's injection queues.
  Nic::Queue Remaining() const;
  /// Adds what waits at this process's sources and was created before cycle `end` to what was created.
  void AddWaiting(Cycle end, TrafficHistory* history) const;
  void AddWaiting(Samples* samples) const;
  /// Which time series are kept, null: none.
  const SampleFrame* sample_frame() const { return sample_frame_.get(); }
  /// Up to where traffic is judged: what EndTrafficWhen's `judge` was asked when it ended traffic, else all of it.
  Cycle judged_to() const { return judged_to_ != kNever ? judged_to_ : nics_.measured.to; }
  /// Of this process.
  const Statistics& statistics() const { return context_.statistics; }
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
  /// After Run: followed packets of this process.
  Journeys::Kept KeptJourneys() const { return journeys_ ? journeys_->AllKept() : Journeys::Kept{}; }
  /// The process that runs the switch: groups are dealt out in blocks.
  int ProcessOf(int node) const {
    return static_cast<int>(std::int64_t{timetable_.domains.domain_of[node]} * processes_.size() /
                            timetable_.domains.count());
  }
  /// Whether it is this one.
  bool Has(int node) const { return nodes_[node] != nullptr; }
  /// The switch of a golden node, for observation records.
  golden::Switch& device(int node) { return *nodes_[node]->golden(); }
  const Node& node(int index) const { return *nodes_[index]; }
  int nodes() const { return static_cast<int>(nodes_.size()); }
  /// Register writes of a switch, one a bus cycle from cycle 0 on.
  std::vector<Cfg> WritesOf(int node) const;
  /// The run is over.
  bool ended() const { return ended_; }
  /// Jobs did not go on for `stall_cycles`, which ended the background beside them.
  bool jobs_stood_still() const { return jobs_stood_still_; }
  /// Last cycle in which something happened; of a run that was ended, the cycle of the end.
  Cycle cycle() const { return cycle_; }
  /// After Run, of this process.
  Routed CountRouted() const;
  /// Cycles that a switch is run at a time.
  Cycle lookahead() const { return timetable_.lookahead(); }

  /// The system is as at the start: buffers empty, credits at home, records released. Empty, or what is not.
  std::string NotHome() const { return WhatIsLeft().Text(); }
  /// The same, of this process.
  Leftover WhatIsLeft() const;

 private:
  void Configure();
  void FailLinks();
  void KeepSamples();
  void EqualiseSamples();
  void EndSamples(Cycle end);
  void MakeCommonWrites();
  bool UseAcks() const;
  std::vector<int> UsedClasses() const;
  std::vector<int> UsedLanes() const;
  std::unique_ptr<Node> MakeNode(int node);
  std::vector<Cfg> PortWrites(int node) const;
  std::vector<Cfg> OwnWrites(int node) const;
  NicSetup MakeNics() const;
  int WindowOfNics() const;
  bool MayLose() const;
  Cycle FewestToAnother(const std::vector<int>& part_of) const;
  Cycle Lookahead() const;
  Cycle SlicesOfRound(Cycle lookahead) const;
  void Shuffle(Cycle number, std::vector<int>* order) const;
  void RunRound(Cycle round);
  void RunSlice(Cycle slice, int domain, bool fetch);
  void SendOutgoing(int domain, Cycle end);
  void SendAway(const LinkMessage& message, Cycle due);
  void TakeIn(Loader* load);
  void Synchronize(const std::function<bool(Cycle)>& poll);
  std::string LeftAt(int node) const;
  void CheckSaves() const;
  Cycle KnownBefore(Cycle begins) const;
  Cycle CutBehind(Cycle begins) const;
  void JudgeWhenDue(Cycle begins);
  Cycle NextJudgement(Cycle last) const;
  void EndTraffic(Cycle begins);
  void EndBackgroundWhenDue(Cycle begins);
  Cycle LongestWayOfAcks() const;
  Cycle PatienceWithJobs() const;
  SavedBytes SaveDomain(int domain);
  void LoadDomain(int domain, const SavedBytes& bytes);
  void EnterAll();
  bool AnyNic(bool (Nic::*is)() const) const;
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
  const std::vector<int> used_lanes_;
  const Traffic traffic_;
  std::vector<Cfg> common_;             ///< writes of all switches
  std::vector<std::vector<Cfg>> maps_;  ///< of all with this VLMAP, after them
  NicSetup nics_;
  NodeContext context_;
  std::unique_ptr<SampleFrame> sample_frame_;  ///< null when no time series are kept
  std::unique_ptr<Journeys> journeys_;        ///< null when no packets are followed
  std::vector<std::unique_ptr<Node>> nodes_;  ///< null: another process's
  Timetable timetable_;
  Mail mail_;  ///< for the other processes
  Standing standing_;
  std::function<bool(const TrafficHistory&, Cycle)> judge_;  ///< null: traffic has a fixed end
  Cycle next_judgement_ = 0;                                 ///< kNever: there is none any more
  Cycle judged_to_ = kNever;                                 ///< the judgement that has ended traffic
  SaveTimes save_times_;
  Cycle cycle_ = 0;
  bool ended_ = false;
  bool background_over_ = false;
  bool jobs_stood_still_ = false;
};

}  // namespace tilefly::network
