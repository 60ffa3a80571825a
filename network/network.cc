// SPDX-License-Identifier: Apache-2.0
#include "network/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "golden/common/register_write.h"
#include "golden/common/stage_times.h"
#include "golden/reduction/red_lanes.h"
#include "network/credit_tables.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::network {
namespace {

const Profile& ProfileOf(const topology::Topology& topology, const NetworkOptions& options) {
  if (options.profile != nullptr) return *options.profile;
  if (const Profile* profile = FindProfile(topology.profile)) return *profile;
  std::vector<std::string> names;
  for (const Profile& profile : kProfiles) names.emplace_back(profile.name);
  ThrowUnknown("switch profile of the topology", topology.profile, names);
}

golden::Registers RegistersWith(const Profile& profile, const std::vector<Cfg>& writes) {
  golden::Registers registers(profile);
  for (const Cfg& write : writes) registers.Apply(write);
  return registers;
}

Alone& OnlyProcess() {
  static Alone alone;
  return alone;
}

void CheckProcesses(const topology::Topology& topology, const Domains& domains, const Processes& processes) {
  if (processes.size() <= domains.count()) return;
  if (domains.count() == 1) {
    throw UsageError(fmt::format(
        "topology {}: {} processes, but it is not divided into groups as dragonflies are; start it in one process, "
        "without mpirun",
        topology.name, processes.size()));
  }
  throw UsageError(fmt::format("topology {}: {} processes for {} groups; start at most {}", topology.name,
                               processes.size(), domains.count(), domains.count()));
}

}  // namespace

Network::Network(const topology::Topology& topology, const NetworkOptions& options)
    : Network(topology, options, &OnlyProcess()) {}

Network::Network(const topology::Topology& topology, const NetworkOptions& options, Processes* processes)
    : processes_(*processes),
      topology_(topology),
      options_(options),
      profile_(ProfileOf(topology, options)),
      wiring_(topology, profile_.ports, options.bench_timing ? LinkTiming::Bench() : LinkTiming::Chip(profile_)),
      routes_(topology, profile_, options.routing),
      acks_(UseAcks()),
      trees_(topology, profile_, TreeWishes(options_.hosts, profile_)),
      reductions_(MakeReductionJobs(options_.hosts, profile_, trees_, options_.seed)),
      lanes_(topology, profile_, options.plan ? *options.plan : topology::PlanLanes(topology, routes_.paths()),
             options.routing.name, options.lanes, UsedClasses(), !trees_.empty()),
      used_lanes_(UsedLanes()),
      traffic_(topology, profile_, options.background ? *options.background : options.traffic, options.nic_lanes,
               options.seed),
      timetable_(topology, options.whole),
      mail_(processes) {
  CheckProcesses(topology, timetable_.domains, processes_);
  MakeCommonWrites();
  context_.wiring = &wiring_;
  context_.nics = &nics_;
  nodes_.resize(topology.switches.size());
  for (int s = 0; s < nodes(); ++s) {
    if (ProcessOf(s) == processes_.index()) nodes_[s] = MakeNode(s);
  }
  const Cycle lookahead = Lookahead();
  timetable_.SetLengths(lookahead, SlicesOfRound(lookahead));
  Configure();
}

/// Traffic classes that send.
std::vector<int> Network::UsedClasses() const {
  std::set<int> used;
  for (const TrafficPart& part : options_.traffic.classes) used.insert(part.tc);
  for (const PlannedPacket& packet : options_.traffic.plan) used.insert(packet.tc);
  if (options_.background) {
    for (const TrafficPart& part : options_.background->classes) used.insert(part.tc);
  }
  if (used.empty()) used.insert(0);
  return {used.begin(), used.end()};
}

bool Network::UseAcks() const {
  if (options_.acks == AckUse::kOff) return false;
  if (routes_.longest() <= golden::kMostAckHops + 1) return true;
  if (options_.acks == AckUse::kWherePossible) return false;
  throw UsageError(
      fmt::format("topology {}: routing {} has paths over {} switches, an ack finds back over {}; take --acks off{}",
                  topology_.name, options_.routing.name, routes_.longest(), golden::kMostAckHops + 1,
                  routes_.paths() == topology::Routing::kMinimal ? "" : ", or --routing min"));
}

void Network::MakeCommonWrites() {
  common_ = options_.writes;
  const auto add = [&](const std::vector<Cfg>& writes) { common_.insert(common_.end(), writes.begin(), writes.end()); };
  if (options_.bench_timing)
    add(CreditWrites(golden::kAllPorts,
                     BenchCredits(profile_, used_lanes_, routes_.paths() == topology::Routing::kMinimal)));
  add(lanes_.ClassWrites(RegistersWith(profile_, common_).tables()));
  if (!trees_.empty()) add(SystemLanes::ReductionWrites(trees_.tc(), RegistersWith(profile_, common_).tables()));
  add(routes_.CommonWrites(options_.seed));
  const golden::Registers registers = RegistersWith(profile_, common_);
  const int tables = static_cast<int>(lanes_.plan().tables.size());
  for (int table = 0; table < tables; ++table) maps_.push_back(lanes_.MapWrites(table, registers.tables()));
}

/// Lanes of the classes that send.
std::vector<int> Network::UsedLanes() const {
  std::set<int> used;
  for (const int tc : UsedClasses()) used.insert(lanes_.of_class(tc).begin(), lanes_.of_class(tc).end());
  if (!trees_.empty()) used.insert({kRedUpLane, kRedDownLane});
  return {used.begin(), used.end()};
}

std::vector<Cfg> Network::PortWrites(int node) const {
  std::vector<Cfg> writes;
  for (int port = 0; port < profile_.ports; ++port) {
    const FarEnd& far = wiring_.far(node, port);
    if (!far.connected()) continue;
    PortMode mode;
    mode.enable = mode.credits = true;
    mode.std_format = false;
    mode.cut_through = far.node >= 0;
    mode.pclass = lanes_.port_class(node, port);
    mode.lanes = static_cast<std::uint8_t>(far.node >= 0 ? 4 : options_.nic_lanes);
    mode.acks = far.endpoint >= 0 && acks_;
    writes.push_back(golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
    if (options_.bench_timing || far.node < 0) continue;
    if (const auto credits = LongLinkCredits(profile_, used_lanes_, far.delay)) {
      for (const Cfg& write : CreditWrites(port, *credits)) writes.push_back(write);
    }
  }
  return writes;
}

std::vector<Cfg> Network::OwnWrites(int node) const {
  std::vector<Cfg> writes = routes_.Writes(node);
  for (const Cfg& write : PortWrites(node)) writes.push_back(write);
  for (const Cfg& write : trees_.Writes(node)) writes.push_back(write);
  return writes;
}

std::vector<Cfg> Network::WritesOf(int node) const {
  std::vector<Cfg> writes = common_;
  for (const Cfg& write : maps_[lanes_.plan().table_of[node]]) writes.push_back(write);
  for (const Cfg& write : OwnWrites(node)) writes.push_back(write);
  return writes;
}

NicSetup Network::MakeNics() const {
  NicSetup setup{};
  setup.traffic = &traffic_;
  setup.hosts = &options_.hosts;
  setup.background = options_.background.has_value();
  setup.reductions = &reductions_;
  setup.clock_khz = profile_.clock_khz;
  setup.credits = *RegistersWith(profile_, common_).port(0).credit;
  for (int c = 0; c < golden::kMaxClasses; ++c) {
    const std::vector<int>& lanes = lanes_.of_class(c);
    if (!lanes.empty()) setup.lane[c] = static_cast<std::uint8_t>(lanes.front());
  }
  setup.mode = options_.routing.mode;
  setup.flows = static_cast<std::uint64_t>(options_.routing.flows);
  for (const topology::Endpoint& endpoint : topology_.endpoints) {
    const topology::Switch& at = topology_.switches[endpoint.port.at];
    setup.addresses.push_back(topology::AddressOf(at.group, at.index, endpoint.port.port));
  }
  setup.mtu_cells = profile_.mtu_cells;
  setup.lanes = options_.nic_lanes;
  if (options_.routing.app_aware) setup.app_aware = &*options_.routing.app_aware;
  if (options_.nics.resends() || options_.routing.app_aware) {
    setup.channels = {options_.routing.flows, options_.routing.any_flow, options_.nics.resend,
                      options_.nics.most_resends};
  }
  setup.window = WindowOfNics();
  return setup;
}

/// Some class that sends may lose packets, of which no ack tells.
bool Network::MayLose() const {
  const golden::Registers registers = RegistersWith(profile_, common_);
  const std::vector<int> used = UsedClasses();
  return std::any_of(used.begin(), used.end(), [&](int tc) { return registers.port(0).shares->lossy(tc); });
}

/// Packets that a NIC may have outstanding, 0: no limit.
int Network::WindowOfNics() const {
  const NicOptions& nics = options_.nics;
  const bool app_aware = options_.routing.app_aware.has_value();
  if (app_aware && !options_.hosts.used()) {
    throw UsageError(
        "--routing app_aware: it chooses for each message, and synthetic traffic has none; give a job (--traffic "
        "alltoall, --goal FILE), or --routing adaptive_0");
  }
  if (!acks_) {
    if (!nics.window && !nics.resends() && !app_aware) return 0;
    throw UsageError(
        "--window, --resend, --routing app_aware: NICs know what is outstanding from acks, and there are none; give "
        "--acks on, or leave them out");
  }
  if (!nics.resends() && MayLose()) {
    if (!nics.window && !app_aware) return 0;
    throw UsageError(
        "--window, --routing app_aware: a packet that a lossy class loses would be outstanding for ever; give --resend "
        "TIME with it");
  }
  return nics.window.value_or(NicOptions::kMostWindow);
}

std::unique_ptr<Node> Network::MakeNode(int node) {
  if (options_.make_node) {
    if (std::unique_ptr<Node> made = options_.make_node(node, profile_, &context_)) return made;
  }
  return std::make_unique<GoldenNode>(profile_, options_.scheduler, node, &context_);
}

/// What switches with the same VLMAP are written alike is written to one golden switch; the others hold its tables.
void Network::Configure() {
  std::vector<golden::Switch*> first(maps_.size());
  Cycle begin = 0;
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    if (!Has(static_cast<int>(s))) continue;
    const auto table = static_cast<std::size_t>(lanes_.plan().table_of[s]);
    golden::Switch* const golden = nodes_[s]->golden();
    if (golden != nullptr && first[table] != nullptr) {
      golden->ShareTables(*first[table]);
      continue;
    }
    std::vector<Cfg> shared = common_;
    shared.insert(shared.end(), maps_[table].begin(), maps_[table].end());
    nodes_[s]->Write(shared, 0);
    if (golden != nullptr) first[table] = golden;
  }
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    const auto table = static_cast<std::size_t>(lanes_.plan().table_of[s]);
    const std::vector<Cfg> own = OwnWrites(static_cast<int>(s));
    const Cycle from = static_cast<Cycle>(common_.size() + maps_[table].size()) + golden::kWriteLatency;
    begin = std::max(begin, from + static_cast<Cycle>(own.size()));
    if (Has(static_cast<int>(s))) nodes_[s]->Write(own, from);
  }
  nics_ = MakeNics();
  nics_.begin = begin + golden::kWriteLatency;
  nics_.end = nics_.begin + options_.cycles;
  nics_.measured = {nics_.begin + options_.warmup, nics_.end,
                    std::max<Cycle>(1, (options_.cycles - options_.warmup) / kLatencyBatches)};
  nics_.ends_with_loss = !options_.nics.resends();
  if (!options_.EndsByItself()) {
    nics_.history = HistoryCut::For(nics_.begin, options_.cycles);
    context_.statistics.history.KeepSources(topology_.endpoints.size());
  }
  cycle_ = nics_.begin;
  KeepSamples();
  if (options_.journeys.any()) {
    journeys_ = std::make_unique<Journeys>(options_.journeys, nics_.measured, nodes(),
                                           static_cast<int>(topology_.endpoints.size()), options_.nic_lanes);
    context_.journeys = journeys_.get();
  }
  if (options_.hosts.used()) {
    for (const workload::Job& job : options_.hosts.workload->jobs)
      context_.statistics.jobs.emplace_back(job.schedule.phases);
  }
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    if (nodes_[s] == nullptr) continue;
    nodes_[s]->AttachNics();
    if (sample_frame_) nodes_[s]->KeepSamples();
    if (options_.stalls || journeys_) {
      if (nodes_[s]->golden() == nullptr)
        throw UsageError(fmt::format("stalls and journeys are seen inside of golden switches; switch {} is none", s));
      nodes_[s]->KeepLinkStatistics();
    }
  }
  FailLinks();
  EnterAll();
}

/// Tells the nodes at both ends of links that will go down.
void Network::FailLinks() {
  context_.faults = !options_.faults.empty();
  std::map<std::pair<int, int>, std::string> named;  // links, by the end that comes first
  for (const LinkFault& fault : options_.faults) {
    const bool is_port = fault.node >= 0 && fault.node < nodes() && fault.port >= 0 && fault.port < profile_.ports;
    if (!is_port || !wiring_.far(fault.node, fault.port).connected())
      throw UsageError(fmt::format("--fail-link: topology {} has no link at port {} of switch {}", topology_.name,
                                   fault.port, fault.node));
    const FarEnd& far = wiring_.far(fault.node, fault.port);
    const std::pair<int, int> near(fault.node, fault.port), other(far.node, int{far.port});
    const std::string text = fmt::format("{}.{}@{}", fault.node, fault.port, fault.at);
    const auto [first, is_new] = named.emplace(far.node < 0 ? near : std::min(near, other), text);
    if (!is_new)
      throw UsageError(
          fmt::format("--fail-link {}: it is the link of {}, which stays down; give one of them", text, first->second));
    for (const auto& [node, port] : {std::pair(fault.node, fault.port), std::pair(far.node, int{far.port})}) {
      if (node < 0 || !Has(node)) continue;
      if (nodes_[node]->golden() == nullptr)
        throw UsageError(
            fmt::format("--fail-link: only links of golden switches go down, and switch {} is none", node));
      nodes_[node]->FailLink(port, nics_.begin + fault.at);
    }
  }
}

/// Who is due when.
void Network::EnterAll() {
  timetable_.Clear();
  for (int s = 0; s < nodes(); ++s) {
    if (!Has(s)) continue;
    if (const Cycle due = nodes_[s]->Due(); due != kNever) timetable_.Enter(s, due);
  }
}

}  // namespace tilefly::network
