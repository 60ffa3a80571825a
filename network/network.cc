// SPDX-License-Identifier: Apache-2.0
#include "network/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "golden/common/stage_times.h"
#include "golden/routing/down_ports.h"
#include "network/flow_window.h"
#include "network/golden_node.h"
#include "network/halves_node.h"
#include "network/nic_setup.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::network {
namespace {

constexpr Cycle kBringUp = 11;  ///< beside delay and lanes: cycles from link up to what is known of all lanes, and one

const Profile& ProfileOf(const topology::Topology& topology, const NetworkOptions& options) {
  if (options.profile != nullptr) return *options.profile;
  if (const Profile* profile = FindProfile(topology.profile)) return *profile;
  std::vector<std::string> names;
  for (const Profile& profile : kProfiles) names.emplace_back(profile.name);
  ThrowUnknown("switch profile of the topology", topology.profile, names);
}

Alone& OnlyProcess() {
  static Alone alone;
  return alone;
}

bool UseAcks(const topology::Topology& topology, const NetworkOptions& options, const SystemRoutes& routes) {
  if (options.acks == AckUse::kOff) return false;
  if (routes.longest() <= golden::kMostAckHops + 1) return true;
  if (options.acks == AckUse::kWherePossible) return false;
  throw UsageError(
      fmt::format("topology {}: routing {} has paths over {} switches, an ack finds back over {}; take --acks off{}{}",
                  topology.name, options.routing.name, routes.longest(), golden::kMostAckHops + 1,
                  options.congestion.on ? " and --congestion-control off" : "",
                  routes.paths() == topology::Routing::kMinimal ? "" : ", or --routing min"));
}

/// Throws UsageError when the run has no acks, from which ports learn of congestion.
FlowMark FlowMarkOf(const topology::Topology& topology, const Wiring& wiring, const NetworkOptions& options,
                    const SystemRoutes& routes, bool acks) {
  FlowMark mark = options.congestion.mark;
  if (!options.congestion.on) return mark;
  if (!acks && options.acks == AckUse::kOff)
    throw UsageError(
        "--congestion-control on: ports learn of congestion from acks, and there are none; give --acks on, or leave it out");
  if (!acks) {
    throw UsageError(fmt::format(
        "--congestion-control on: ports learn of congestion from acks, and topology {} has none: routing {} has paths over {} "
        "switches, an ack finds back over {}; {}",
        topology.name, options.routing.name, routes.longest(), golden::kMostAckHops + 1,
        routes.paths() == topology::Routing::kMinimal ? "take a system of smaller diameter, or leave it out"
                                                      : "take --routing min, or leave it out"));
  }
  if (mark.full == 0) mark.full = static_cast<std::uint16_t>(FullCells(LongestFlowRoundTrip(topology, wiring)));
  return mark;
}

/// Whether switches whose classes are written so may run as halves.
bool FitForHalves(const Profile& profile, const std::vector<Cfg>& writes) {
  golden::Registers registers(profile);
  for (const Cfg& write : writes) registers.Apply(write);
  return golden::HalfSwitch::WhyNot(profile, registers) == nullptr;
}

LinkTiming TimingOf(const Profile& profile, const NetworkOptions& options) {
  const faults::Plan* const plan = options.fault_plan.get();
  if (!options.bench_timing) {
    return plan == nullptr ? LinkTiming::Chip(profile) : LinkTiming::Chip(profile, plan->fec, plan->fec_origin);
  }
  if (plan != nullptr && !plan->fec_origin.empty())
    throw UsageError(fmt::format("{}: with --timing bench links have no channel whose delay the FEC could change; leave the key or "
                                 "the option out",
                                 plan->fec_origin));
  return LinkTiming::Bench();
}

/// The options, whose jobs are for the endpoints of this system. Throws UsageError.
const NetworkOptions& WithJobsOf(const topology::Topology& topology, const NetworkOptions& options) {
  if (options.hosts.used() && options.hosts.workload->seats.size() != topology.endpoints.size()) {
    throw UsageError(fmt::format("topology {}: it has {} endpoints, and the workload has seats for {}; make the workload for as many",
                                 topology.name, topology.endpoints.size(), options.hosts.workload->seats.size()));
  }
  return options;
}

/// No more than there are domains in a process.
int ThreadsOf(const NetworkOptions& options, const Domains& domains, const Processes& processes) {
  const int most = (domains.count() + processes.size() - 1) / processes.size();
  return std::clamp(options.threads, 1, std::max(1, most));
}

}  // namespace

Network::Network(const topology::Topology& topology, const NetworkOptions& options)
    : Network(topology, options, &OnlyProcess()) {}

Network::Network(const topology::Topology& topology, const NetworkOptions& options, Processes* processes)
    : processes_(*processes),
      topology_(topology),
      options_(WithJobsOf(topology, options)),
      profile_(ProfileOf(topology, options)),
      wiring_(topology, profile_.ports, TimingOf(profile_, options)),
      faults_(options.fault_plan, options.faults, options.retry, options.seed, topology, wiring_, options.nic_lanes),
      routes_(topology, profile_, options.routing),
      acks_(UseAcks(topology, options_, routes_)),
      flow_mark_(FlowMarkOf(topology, wiring_, options_, routes_, acks_)),
      trees_(topology, profile_, TreeWishes(options_.hosts, profile_)),
      state_tables_(MakeStateTables()),
      reductions_(MakeReductionJobs(options_.hosts, profile_, trees_, options_.seed)),
      lanes_(topology, profile_,
             state_tables_ ? state_tables_->plan() : options.plan ? *options.plan : routes_.Plan(), options.routing.name,
             options.lanes, options_.UsedClasses(), !trees_.empty()),
      traffic_(topology, profile_, options.background ? *options.background : options.traffic, options.nic_lanes,
               options.seed),
      nics_{},
      domains_(topology, options.whole),
      contexts_(&wiring_, &nics_, ThreadsOf(options, domains_, processes_)),
      counters_(topology),
      nodes_(topology, domains_, processes_, [this](int node) { return MakeNode(node); }),
      writes_(options_, profile_, wiring_, faults_, routes_, trees_, lanes_, acks_, flow_mark_),
      manager_(state_tables_ ? std::make_unique<FabricManager>(topology, state_tables_.get(), faults_.manager()->delay)
                             : nullptr),
      mail_(processes, &contexts_.first()),
      rounds_(options_, wiring_, domains_, nodes_, &contexts_, &mail_, contexts_.threads() <= processes->cores()),
      traffic_end_(options_.warmup, options_.cycles, profile_, nodes_, &nics_, &contexts_, processes),
      checkpoint_(domains_, nodes_, &nics_, &contexts_, &traffic_end_, manager_.get(), processes) {
  nodes_.ForEach([this](Node& node) { MeetPeers(&node); });
  Configure();
}

/// A domain is run by one thread at a time.
void Network::MeetPeers(Node* node) {
  const int domain = domains_.domain_of[node->index()];
  node->MeetPeers([&](int peer) { return domains_.domain_of[peer] == domain ? &nodes_[peer] : nullptr; });
}

std::unique_ptr<Node> Network::MakeNode(int node) {
  if (options_.make_node) {
    if (std::unique_ptr<Node> made = options_.make_node(node, profile_, &contexts_.first())) {
      if (const golden::PortMask ports = RepeatingPortsOf(node); ports != 0)
        made->AwaitRepeats(ports, faults_.WhatDamages(node, golden::LowestBit(ports)));
      return made;
    }
  }
  if (const golden::PortMask ports = RepeatingPortsOf(node); ports != 0) {
    auto repeating = std::make_unique<GoldenNode>(profile_, options_.scheduler, node, &contexts_.first());
    repeating->AwaitRepeats(ports, "");
    return repeating;
  }
  const bool planned = faults_.any() || !faults_.downs().empty() || !faults_.writes().empty();
  if (!planned && HalvesNode::WhyNot(options_, profile_, lanes_.used(), !trees_.empty()) == nullptr &&
      FitForHalves(profile_, options_.writes))
    return std::make_unique<HalvesNode>(profile_, options_.scheduler, node, &contexts_.first());
  return std::make_unique<GoldenNode>(profile_, options_.scheduler, node, &contexts_.first());
}

golden::PortMask Network::RepeatingPortsOf(int node) const {
  golden::PortMask ports = 0;
  for (int port = 0; port < profile_.ports; ++port) {
    if (faults_.Damages(node, port)) ports |= golden::Bit(port);
  }
  return ports;
}

/// Links that repeat come up in cycle `up`, when all registers are written. Returns the cycle in which traffic begins: all
/// lanes of all links are known then, and all inputs see the ports up, whether words are damaged on them or not.
Cycle Network::BeginBehind(Cycle up) const {
  if (!options_.retry) return up;
  Cycle longest = 0;
  for (int s = 0; s < nodes(); ++s) {
    for (int port = 0; port < profile_.ports; ++port) longest = std::max<Cycle>(longest, wiring_.far(s, port).delay);
  }
  const Cycle epoch = profile_.load_epoch_cycles;
  const Cycle known = std::max(longest + profile_.vls + kBringUp, golden::LinkUpToTrigger(epoch));
  return up + (known + epoch - 1) / epoch * epoch;
}

void Network::BeginRepeats(Cycle up) {
  for (int s = 0; s < nodes() && faults_.any(); ++s) {
    if (const golden::PortMask ports = RepeatingPortsOf(s); ports != 0 && Has(s))
      nodes_[s].BeginRepeats(ports, faults_, up, nics_.begin);
  }
}

/// What switches with the same VLMAP are written alike is written to one golden switch; the others hold its tables.
/// Returns the cycle from which on all writes count.
Cycle Network::WriteRegisters() {
  std::vector<const golden::Registers*> first(static_cast<std::size_t>(writes_.maps()));
  for (int s = 0; s < nodes(); ++s) {
    if (!Has(s)) continue;
    const golden::Registers*& holder = first[static_cast<std::size_t>(writes_.MapOf(s))];
    if (nodes_[s].is_golden() && holder != nullptr) {
      nodes_[s].ShareTables(*holder);
      continue;
    }
    nodes_[s].Write(writes_.SharedOf(writes_.MapOf(s)), 0);
    if (nodes_[s].is_golden()) holder = nodes_[s].registers();
  }
  Cycle begin = 0;
  for (int s = 0; s < nodes(); ++s) {
    const std::vector<Cfg> own = writes_.OwnOf(s);
    const Cycle from = writes_.CountShared(writes_.MapOf(s)) + golden::kWriteLatency;
    begin = std::max(begin, from + static_cast<Cycle>(own.size()));
    if (Has(s)) nodes_[s].Write(own, from);
  }
  return begin + golden::kWriteLatency;
}

/// Traffic begins in cycle `begin`.
void Network::SetTimes(Cycle begin) {
  nics_.begin = begin;
  nics_.end = nics_.begin + options_.cycles;
  nics_.measured = {nics_.begin + options_.warmup, nics_.end,
                    std::max<Cycle>(1, (options_.cycles - options_.warmup) / kLatencyBatches)};
  if (!options_.EndsByItself()) nics_.history = HistoryCut::For(nics_.begin, options_.cycles);
  cycle_ = nics_.begin;
}

/// What is counted, before anything has happened.
Statistics Network::NoStatistics() const {
  Statistics zeros;
  if (!options_.EndsByItself()) zeros.history.KeepSources(topology_.endpoints.size());
  zeros.counters = counters_.Zeros();
  if (sample_frame_)
    zeros.samples.Keep(nics_.begin, options_.sample, static_cast<int>(sample_frame_->groups.size()),
                       static_cast<int>(sample_frame_->links.size()));
  if (options_.hosts.used()) {
    for (const workload::Job& job : options_.hosts.workload->jobs) zeros.jobs.emplace_back(job.schedule.phases);
  }
  return zeros;
}

void Network::Configure() {
  const Cycle up = WriteRegisters();
  nics_ = MakeNicSetup(options_, topology_, profile_, lanes_, writes_.Common(), acks_, faults_.loses_acks());
  nics_.traffic = &traffic_;
  nics_.hosts = &options_.hosts;
  nics_.reductions = &reductions_;
  SetTimes(BeginBehind(up));
  KeepSamples();
  NodeContext& first = contexts_.first();
  first.statistics = NoStatistics();
  if (!first.statistics.counters.empty()) first.counters = &counters_;
  if (options_.journeys.any()) {
    journeys_ = std::make_unique<Journeys>(options_.journeys, nics_.measured, nodes(), profile_.ports,
                                           static_cast<int>(topology_.endpoints.size()));
    first.journeys = journeys_.get();
  }
  for (int s = 0; s < nodes(); ++s) {
    if (!Has(s)) continue;
    nodes_[s].AttachNics();
    if (options_.congestion.on && nodes_[s].golden() != nullptr) nodes_[s].golden()->KeepFlowBooks();
    if (sample_frame_) nodes_[s].KeepSamples();
    if (options_.stalls || journeys_) {
      if (!nodes_[s].is_golden())
        throw UsageError(fmt::format("stalls and journeys are seen inside of golden switches; switch {} is none", s));
      nodes_[s].KeepLinkStatistics();
    }
  }
  BeginRepeats(up);
  const std::vector<LinkFault> downs = Downs();
  first.faults = !downs.empty() || !faults_.writes().empty() || manager_ != nullptr;
  if (manager_ != nullptr) manager_->Begin(nics_.begin, downs);
  contexts_.Begin([this] { return NoStatistics(); });
  FailLinks(downs, topology_.name, wiring_, nics_.begin, nodes_);
  for (const PlannedWrite& one : faults_.writes()) {
    if (!Has(one.node)) continue;
    nodes_[one.node].WriteLater({one.write}, nics_.begin + one.at);
  }
  rounds_.EnterAll();
}

void Network::SaveEvery(Cycle every, std::function<void()> save) {
  checkpoint_.CheckPossible();
  save_times_.Set(every, std::move(save));
}

void Network::Save(const std::function<void(const SavedBytes&)>& write) {
  GatherCounts();
  EqualiseSamples();
  checkpoint_.Save(standing_, write);
}

void Network::Load(const std::function<SavedBytes()>& read) {
  checkpoint_.Load(read);
  cycle_ = std::max(cycle_, contexts_.first().last_event);
  rounds_.EnterAll();
}

void Network::TellJourneys(Journeys::Listener listener) {
  listener_ = std::move(listener);
  contexts_.KeepEnded(listener_ != nullptr);
}

void Network::TellJourneysInside() const {
  if (listener_) Journeys::Tell(journeys_->Inside(), listener_);
}

/// What the threads have counted is in the first context, what is under way between them is at its node.
void Network::GatherCounts() {
  rounds_.Settle(standing_.next == kNever ? 0 : standing_.next * rounds_.length());
  contexts_.Fold();
}

/// Makes `standing_` that of all processes, and exchanges what was sent in the round that is over.
void Network::Synchronize(const std::function<bool(Cycle)>& poll) {
  LearnNews();
  const Cycle written = manager_ == nullptr ? kNever : manager_->due();
  const Cycle next = std::min(rounds_.Next(), written == kNever ? kNever : written / rounds_.length());
  const Cycle shown = next != kNever ? next : standing_.next;
  const bool stop = poll && shown != kNever && poll(shown * rounds_.length());
  const std::int64_t in_flight = contexts_.Sum([](const Statistics& one) { return one.in_flight(); });
  standing_ = {std::min(next, mail_.due()),
               contexts_.Largest(&NodeContext::last_progress),
               contexts_.Largest(&NodeContext::last_event),
               contexts_.Sum([](const Statistics& one) { return one.delivered(); }),
               in_flight,
               contexts_.Sum([this](const Statistics& one) { return one.dropped() + (options_.retry ? one.lost : 0); }),
               0,
               -1,
               contexts_.Largest(&NodeContext::jobs_progress),
               in_flight - contexts_.Sum([](const Statistics& one) { return one.background_inside; }),
               stop};
  for (int t = 0; t < contexts_.threads(); ++t) {
    for (const workload::JobStatistics& job : contexts_[t].statistics.jobs) {
      standing_.ranks_done += job.ranks_done;
      standing_.jobs_last = std::max(standing_.jobs_last, job.last);
    }
  }
  if (listener_) contexts_.TellEnded(listener_);
  standing_ = mail_.Exchange(standing_, [&](const LinkMessage& message) { rounds_.Receive(message); });
}

std::optional<Ending> Network::RunTo(Cycle to, const std::function<bool(Cycle)>& poll) {
  for (;;) {
    Synchronize(poll);
    const bool cut = contexts_.first().until != kNever;
    if (standing_.next == kNever || (!cut && OnlySweepsAreLeft())) {
      if (cut) return Finish(Ending::kStopped, contexts_.first().until);
      const Ending ending = EndingWhenQuiet();
      // Hosts and NICs that are late have been given all their cycles, whether anything happened in the last or not.
      const bool late = ending == Ending::kLate || (ending == Ending::kDrained && PacketsAreLate());
      return Finish(ending, std::max(standing_.last_event, late ? nics_.end - 1 : 0), late);
    }
    const Cycle begins = standing_.next * rounds_.length();
    if (begins >= to && (cut || !standing_.stop)) return std::nullopt;
    const Cycle patience = std::max(standing_.last_progress, nics_.begin) + options_.stall_cycles;
    if (standing_.in_flight > 0 && begins > patience && !HostsWork() && !AnyNic(&Nic::times_out) &&
        !HasFlowDeadline(begins - options_.stall_cycles))  // a deadline lets packets go that the channel holds
      return Finish(Ending::kStuck, std::min(begins, std::max(patience, standing_.last_event)));
    // What links that repeat still do, a stamp that nobody answers or a word of noise, is no event of the run.
    if (faults_.any() && standing_.in_flight == 0 && begins > patience && !HostsWork() && !AnyNic(&Nic::acts_alone) &&
        !HasFlowDeadline(begins))
      return Finish(EndingWhenQuiet(), standing_.last_event);
    if (!cut) {
      EndBackgroundWhenDue(begins);
      traffic_end_.JudgeWhenDue(begins);
      save_times_.SaveWhenDue(begins, standing_.stop);
      if (standing_.stop) contexts_.CutAt(CutBehind(begins));
    }
    if (begins >= contexts_.first().until) return Finish(Ending::kStopped, contexts_.first().until);
    WriteTables((standing_.next + 1) * rounds_.length());
    if (rounds_.Next() == standing_.next) rounds_.Run(standing_.next);
  }
}

/// Where a run is cut that is to end when round `begins` begins: packets count as soon as it is known when their last
/// words are at their NICs, so the run goes on to the end of the round in which the latest of these is.
Cycle Network::CutBehind(Cycle begins) const {
  const Cycle known = std::max(begins, std::min(KnownBefore(wiring_, profile_, begins), standing_.last_progress + 1));
  const Cycle cycles = rounds_.length();
  return (known + cycles - 1) / cycles * cycles;
}

void Network::GiveUp() {
  Synchronize({});
  Finish(Ending::kStopped, standing_.next == kNever ? standing_.last_event : standing_.next * rounds_.length());
}

/// Some host does something at a time that is known, or its NIC does. Collective.
bool Network::HostsWork() const { return AnyNic(&Nic::working); }

/// In cycle `cycle` or later a deadline made, or will make, a flow channel forget what is in flight now. Collective.
bool Network::HasFlowDeadline(Cycle cycle) const {
  if (!options_.congestion.on) return false;
  Cycle last = -1;
  nodes_.ForEach([&](Node& node) { last = std::max(last, node.LastFlowDeadline()); });
  return processes_.Largest(cycle <= last ? 1 : 0) > 0;
}

/// Flow channels are swept, and nothing else is due; no sweep will find cells that are lost. Collective.
bool Network::OnlySweepsAreLeft() const {
  if (!options_.congestion.on || standing_.in_flight > 0) return false;
  bool due = false;
  nodes_.ForEach([&](Node& node) { due = due || node.DueButSweeps() != kNever; });
  if (processes_.Largest(due ? 1 : 0) > 0) return false;
  return !HasFlowDeadline(standing_.next * rounds_.length());
}

/// Of all processes. Collective.
bool Network::AnyNic(bool (Nic::*is)() const) const { return processes_.Largest(nodes_.AnyNic(is) ? 1 : 0) > 0; }

/// Nothing is due any more. Collective.
Ending Network::EndingWhenQuiet() const {
  if (standing_.in_flight > 0) return Ending::kStuck;
  bool waits = false, late = false;
  nodes_.ForEachNic([&](const Nic& nic) {
    if (!nic.IsOfJob() || nic.host()->over()) return;
    (nic.host()->busy() ? late : waits) = true;
  });
  const int worst = processes_.Largest(late ? 2 : waits ? 1 : 0);
  if (worst > 0) return worst == 2 ? Ending::kLate : Ending::kWaiting;
  return AnyNic(&Nic::sends_again) ? Ending::kStuck : Ending::kDrained;
}

/// Packets of a plan are left that are created when traffic is over. Collective.
bool Network::PacketsAreLate() const {
  return options_.till_sent && AnyNic(&Nic::late);
}

/// The run is over in `cycle`. What would have come later counts for nothing. `late`: traffic lasts as long as it may.
Ending Network::Finish(Ending ending, Cycle cycle, bool late) {
  cycle_ = cycle;
  ended_ = true;
  GatherCounts();
  if (!late && (ending != Ending::kDrained || options_.EndsByItself())) {
    nics_.end = std::min(nics_.end, cycle);
    nics_.measured.to = std::min(nics_.measured.to, cycle);
  }
  EndSamples(cycle + 1);
  nodes_.ForEach([](Node& node) { node.Settle(); });
  return ending;
}

}  // namespace tilefly::network
