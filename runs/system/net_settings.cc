// SPDX-License-Identifier: Apache-2.0
#include "runs/system/net_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cosim/traffic/class_mix.h"
#include "runs/common/common_settings.h"
#include "runs/common/journey_table.h"
#include "runs/switch/tracing.h"
#include "runs/system/link_faults.h"
#include "support/errors.h"
#include "support/text.h"
#include "topology/builder.h"
#include "traffic/size_mix.h"
#include "workload/patterns.h"

namespace tilefly::runs {
namespace {

constexpr int kFullLanes = 4;

/// The lanes of a table's classes.
network::LaneClasses LanesOf(const cosim::ClassSetup& classes) {
  network::LaneClasses lanes;
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    const qos::TrafficClass& one = classes.Of(tc);
    lanes[static_cast<std::size_t>(tc)] = {fmt::format("{}: class {}", classes.file(), one.name), one.lanes,
                                           one.own_lanes};
  }
  return lanes;
}

}  // namespace

const std::vector<Setting>& NetSettings::Table() {
  static const std::vector<Setting> table = WithFlowKeys(WithDepartures(Bench::kSystem, {
      {"topology", "topology", "dragonfly:p=2,a=4,h=2", "FAMILY:key=value,..., preset:NAME or a file",
       false, Commas::kNames},
      {"profile", "profile", "auto",
       "profile of the switches (auto: the topology's, or the smallest with enough ports)"},
      {"routing", "routing", "min",
       "min, valiant, adaptive_0 to adaptive_3, min_hash, nmin_hash, in_order; for jobs also app_aware", false,
       Commas::kNames},
      {"app_aware", "app-aware", "auto", "rule of --routing app_aware: that of the paper or that of its program"},
      {"bias", "bias", "auto",
       "number that the adaptive mode (with app_aware: adaptive_3) adds to the cost of non-minimal paths: cells of "
       "load times links, 0 to 4095 (auto: 0, 264 in the second switch, 88, 660)"},
      kSeed,
      kReseeds,
      {"max_cycles", "max-cycles", "auto",
       "cycles of traffic, after which the system is drained; for jobs a limit; 0: until the capture is over (auto: "
       "20000; for jobs no limit; for a capture 0)"},
      {"warmup", "warmup", "auto",
       "first cycles of traffic that are left out of loads and latencies (auto: a fifth of --max-cycles, with --until "
       "converged 4000 at most; for jobs and captures 0)"},
      {"until", "until", "cycles",
       "cycles: traffic ends after --max-cycles; converged: traffic ends when mean latency and accepted load are known "
       "to 5 % or the system is saturated, after --max-cycles (auto: 1000000) at the latest"},
      {"stall_cycles", "stall-cycles", "20000", "cycles without progress that end the run"},
      {"stalls", "stalls", "off",
       "on: for each link the cycles in which it did not send, by reason, and its words by class"},
      {"journey", "journey", "",
       "packets to follow stage by stage: slowest:K, eE:N (the N-th of endpoint E), all, in a list", false, Commas::kWithin},
      kSample,
      kTimeout,
      {"timing", "timing", "chip",
       "chip: calibrated channel and cables; bench: links of 1, 10, 100 cycles, 256 words a lane"},
      {"acks", "acks", "auto",
       "end-to-end acks: on, off, or possible: on unless a path has more switches than an ack can go back over (auto: "
       "possible; off with --timing bench)"},
      {"congestion_control", "congestion-control", "off",
       "on: flow channels and pauses hold back the flows that fill a destination's link; the option needs acks"},
      {"worst_flows", "worst-flows", "20",
       "with --congestion-control on: flows.csv lists so many flows, those whose packets were held longest"},
      {"nic.rate", "nic-rate", "200Gbps", "rate of the NICs: 200Gbps or 100Gbps"},
      {"nic.window", "window", "possible",
       "the most packets of a NIC that are sent and not yet acknowledged: 1 to 1024 (possible: 1024 when every packet "
       "is acknowledged, else no limit)"},
      {"nic.resend", "resend", "off", "time without an ack after which a packet is sent again: 20us, 1ms; or off"},
      {"nic.resends", "resends", "8", "times that a packet is sent again before it is given up"},
      {"nic.resend_window", "resend-window", "off",
       "a NIC remembers so many packet numbers of each source, 64 to 1024, so that its host gets each packet once even "
       "if an old copy comes; off: it remembers all numbers; the option needs --resend"},
      {"nic.flows", "flows", "auto",
       "number of flows of a source, to which its packets belong in turn, 1 to 1024 (auto: the number of --routing)"},
      {"nic.message_overhead", "message-overhead", "0ns", "time of a NIC for each message, before its first packet"},
      {"nic.packet_overhead", "packet-overhead", "0ns", "time of a NIC for each packet of a message"},
      {"host.send", "host-send", "0ns", "time of a host at the begin of a message, and of a reduction in the switches"},
      {"host.receive", "host-receive", "0ns",
       "time of a host when a message, or the last result of a reduction, is there"},
      {"host.reduce", "host-reduce", "0ns", "time in which a host combines a KiB of operands"},
      kQosFile,
      kScheduler,
      kSenderQueues,
      {"traffic.pattern", "traffic", "auto",
       "uniform, permutation:NAME, hotspot:LIST:SHARE, incast:N, adversarial:SHIFT, bursts:PACKETS, cbr; or jobs, with "
       "+ "
       "between them: pingpong, stream, alltoall, bisection, ring, allreduce:ring, allreduce:rabenseifner, barrier, "
       "broadcast, broadcast:get, gather, gather:two-sided, gather:put, halo3d, sweep3d; in the switches allreduce:sharp, allreduce:sharp-low, allreduce:sharp-auto, reduce:sharp, "
       "broadcast:sharp, barrier:sharp; each with :key=value,..., behind an algorithm with a comma: "
       "allreduce:ring,bytes=64KiB (auto: uniform; with --goal or --pcap none)", false, Commas::kNames},
      {"traffic.goal", "goal", "", "a job: GOAL schedule as text", false, Commas::kWithin},
      {"traffic.allocation", "allocation", "linear", "endpoints of the jobs' ranks: linear, interleaved or random"},
      {"traffic.background", "background", "",
       "synthetic traffic beside jobs, on the endpoints that have none: PATTERN:load=0.3,size=64/1024*0.5,"
       "process=periodic,class=1; it ends with the jobs",
       false, Commas::kWithin},
      {"traffic.only", "only", "",
       "jobs that run, by their numbers from 0: 0/2; the others keep their endpoints and are idle, and there is no "
       "background"},
      {"traffic.load", "load", "0.5", "share of the NICs' word slots, 0 to 1"},
      {"traffic.size", "size", "512", "frame sizes in bytes, FCS included: 64,1024*0.5,4096", false, Commas::kWithin},
      {"traffic.process", "process", "bernoulli", "creation of packets: bernoulli or periodic"},
      {"traffic.classes", "classes", "auto",
       "traffic classes, drawn for each packet: 0,3*0.5 or names of --qos; weights are shares of the load; or "
       "marks: as the tags and DSCP of a capture's frames say (auto: 0; table; of a capture marks)",
       false, Commas::kWithin},
      kCaptureFile,
      kCapturePace,
      kCapturePortsBy,
      kCaptureRepeat,
      {"faults.links", "fail-link", "",
       "link that goes down in both directions: SWITCH.PORT@CYCLE, a cycle of traffic; may be repeated",
       true, Commas::kWithin},
      {"faults.retry", "retry", "off", "on: each link sends again the words that were damaged on it"},
      {"faults.plan", "fault-plan", "",
       "YAML file of a fault plan, which says what happens to links and routing tables, where and when", false,
       Commas::kWithin},
      {"faults.lines", "fault-lines", "10000", "faults.csv has at most so many lines of damaged words and slots"},
      {"devices.switches", "device", "",
       "switches that another device than golden stands for: 3=rtl, 4-7=rtl, all=rtl, 5=rtl+golden, 6=systemc, "
       "7=lib:FILE.so; may be repeated, the later one wins",
       true, Commas::kWithin},
      {"devices.lockstep", "lockstep", "auto",
       "on: every link is compared with that of the golden system in every cycle; with systemc the packets that NICs "
       "get are compared by the contract (auto: on with --device)"},
      {"waves.mode", "waves", "on-fail", "waves of a device: off, full or on-fail"},
      {"waves.switch", "trace-switch", "auto", "switch that --waves full traces (auto: the first with a device)"},
      kWaveStart,
      kWaveEnd,
      kWaveScope,
      kWaveLimit,
  }));
  return table;
}

NetSettings::NetSettings() : SettingValues(Table(), {"qos.file", "traffic.goal", "capture.file", "faults.plan"}) {
  NamesDevices("devices.switches");
}

bool NetSettings::HasJobs() const {
  return !Get("traffic.goal").empty() || workload::IsPattern(Get("traffic.pattern"));
}

std::vector<std::string> NetSettings::JobTexts() const {
  std::vector<std::string> texts;
  if (!Get("traffic.goal").empty()) texts.push_back(Get("traffic.goal"));
  if (!workload::IsPattern(Get("traffic.pattern"))) return texts;
  for (const std::string& text : Split(Get("traffic.pattern"), '+')) texts.push_back(text);
  return texts;
}

std::string NetSettings::TrafficName() const {
  if (HasCapture()) return std::filesystem::path(Get("capture.file")).filename().string();
  return Get("traffic.pattern");
}

void NetSettings::ResolveInputs() {
  if (topology::IsFile(Get("topology"))) NamesFile("topology");
  ResolveFilesAndSeed();
}

void NetSettings::Resolve() {
  ResolveInputs();
  Replace("traffic.pattern", Get("traffic.goal").empty() && !HasCapture() ? "uniform" : "none");
  const bool until = Get("until") == "converged";
  Replace("max_cycles", HasJobs() ? std::to_string(kMostCycles) : HasCapture() ? "0" : until ? "1000000" : "20000");
  Replace("warmup", HasJobs() || HasCapture() ? "0" : std::to_string(AutoWarmup()));
  const network::RoutingOptions routing = network::RoutingOptions::Named(Get("routing"));
  Replace("bias", std::to_string(routing.Compares() ? routing.biases[routing.biased()] : 0));
  Replace("app_aware", routing.app_aware ? "paper" : "none");
  const bool channels = routing.any_flow && Get("nic.resend") != "off";
  Replace("nic.flows", std::to_string(channels ? network::RoutingOptions::kMostFlows : routing.flows));
  Replace("acks", Get("timing") == "bench" ? "off" : "possible");
  Replace("traffic.classes", HasCapture() ? "marks" : Get("qos.file").empty() ? "0" : "table");
  Replace("devices.lockstep", Get("devices.switches").empty() ? "off" : "on");
}

/// Cycles of --warmup auto, of synthetic traffic.
std::int64_t NetSettings::AutoWarmup() const {
  constexpr std::int64_t kMostOfUntil = 4000;
  const std::int64_t fifth = Integer("max_cycles", 1, kMostCycles) / 5;
  return Get("until") == "converged" ? std::min(kMostOfUntil, fifth) : fifth;
}

void NetSettings::ReadUntil(NetRunOptions* options) const {
  options->until_converged = Choice("until", {"cycles", "converged"}) == "converged";
  if (!options->until_converged) return;
  if (HasJobs() || HasCapture())
    throw UsageError("--until converged: jobs and captures have no offered load, and end by themselves; leave it out");
  if (!options->devices.empty())
    throw UsageError("--until converged: systems with devices have a fixed end of traffic; leave it or --device out");
  if (options->network.stalls || options->network.journeys.any()) {
    throw UsageError(
        "--until converged: --stalls and --journey count in measured cycles that are known from the start; leave one "
        "of them out");
  }
}

void NetSettings::ReadDevices(NetRunOptions* options) const {
  const int switches = static_cast<int>(options->topology->switches.size());
  options->devices = cosim::ParseSystemDevices(Get("devices.switches"), switches);
  options->lockstep = Choice("devices.lockstep", {"on", "off"}) == "on";
  options->network.halves = options->devices.empty();
  if (options->lockstep && options->devices.empty()) {
    throw UsageError(fmt::format("{}: every switch is golden, there is nothing to compare; give --device SWITCH=rtl",
                                 Get("devices.switches").empty() ? "--lockstep" : "--device " + Get("devices.switches")));
  }
  if (!options->devices.empty() && !options->lockstep && options->network.SeesInside()) {
    throw UsageError(
        "--stalls, --journey, --sample: only golden switches tell them; give --lockstep on, whose golden system has all");
  }
  options->waves = WaveWindow(*this);
  if (!options->devices.empty() && Get("waves.mode") != "off")
    RequireTiles(*FindProfile(options->topology->profile), options->waves.scope);
  options->waves_mode = Choice("waves.mode", {"off", "full", "on-fail"});
  if (options->waves_mode != "full") return;
  if (options->devices.empty())
    throw UsageError("--waves: every switch is golden, which has no words; give --device SWITCH=rtl");
  options->waves_switch = Get("waves.switch") == "auto" ? options->devices.begin()->first
                                                        : static_cast<int>(Integer("waves.switch", 0, switches - 1));
}

NetRunOptions NetSettings::ToRunOptions() const {
  NetRunOptions options;
  options.topology = std::make_unique<topology::Topology>(
      topology::Build(Get("topology"), Get("profile") == "auto" ? "" : Get("profile")));
  network::NetworkOptions& network = options.network;
  network.routing = network::RoutingOptions::Named(Get("routing"));
  const auto bias = static_cast<int>(Integer("bias", 0, network::RoutingOptions::kMostBias));
  if (network.routing.Compares()) {
    network.routing.biases[network.routing.biased()] = bias;
  } else if (bias != 0) {
    throw UsageError(fmt::format(
        "--bias: routing {} compares no loads; take one of adaptive_0 to adaptive_3, app_aware", network.routing.name));
  }
  network.scheduler = SchedulerOf(*this);
  network.seed = static_cast<std::uint64_t>(Integer("seed", 0, 0xffffffff));
  network.cycles = Integer("max_cycles", HasCapture() ? 0 : 1, kMostCycles);
  if (network.cycles == 0) network.cycles = kMostCycles;
  network.warmup = Integer("warmup", 0, network.cycles - 1);
  network.stall_cycles = Integer("stall_cycles", 1, std::int64_t{1} << 40);
  network.stalls = Choice("stalls", {"off", "on"}) == "on";
  network.journeys = ParseJourneys(Get("journey"), {'e', static_cast<int>(options.topology->endpoints.size()),
                                                    "endpoint", "the system has endpoints", "--journey", true});
  network.faults = ParseLinkFaults(Get("faults.links"));
  network.retry = Choice("faults.retry", {"on", "off"}) == "on";
  options.fault_lines = static_cast<std::size_t>(Integer("faults.lines", 0, network::DrawnError::kMost));
  if (!Get("faults.plan").empty())
    network.fault_plan = std::make_shared<const faults::Plan>(faults::ReadPlan(Get("faults.plan")));
  network.bench_timing = Choice("timing", {"chip", "bench"}) == "bench";
  const std::string& acks = Get("acks");
  if (acks.find_first_not_of("0123456789.e-") == std::string::npos)
    throw UsageError(fmt::format(
        "--acks {}: a share is of the ports of one switch (tilefly cosim); in a system all packets are acknowledged or "
        "none: on, off or possible",
        acks));
  Choice("acks", {"on", "off", "possible"});
  network.acks = acks == "on"    ? network::AckUse::kOn
                 : acks == "off" ? network::AckUse::kOff
                                 : network::AckUse::kWherePossible;
  network.nic_lanes = Choice("nic.rate", {"200Gbps", "100Gbps"}) == "200Gbps" ? kFullLanes : kFullLanes / 2;
  network.traffic.pattern = Get("traffic.pattern");
  network.traffic.load = Share("traffic.load");
  network.traffic.size = Get("traffic.size");
  network.traffic.periodic = Choice("traffic.process", {"bernoulli", "periodic"}) == "periodic";
  const Profile* profile = FindProfile(options.topology->profile);
  if (profile == nullptr)
    throw UsageError(fmt::format("topology: there is no switch profile '{}'", options.topology->profile));
  const std::string& devices = Get("devices.switches");
  options.profile = Depart(*profile, *this, devices.empty() ? "" : "--device " + devices);
  profile = network.profile = options.profile.profile.get();
  ReadNics(profile->clock_khz, &network);
  // A wrong value is refused where it has no effect, too.
  for (const char* path : {"nic.message_overhead", "nic.packet_overhead", "host.send", "host.receive", "host.reduce"})
    workload::ParseNanoseconds(Get(path), NameOf(path));
  workload::ParseAllocation(Get("traffic.allocation"));
  network.sample = SampleCyclesOf(*this, profile->clock_khz);
  if (!Get("qos.file").empty()) {
    options.classes.emplace(Get("qos.file"), *profile, kFullLanes);
    network.plan = network::PlanLanes(*options.topology, *profile, network.routing);
    options.classes->SpreadLanes(network.plan->lanes);
    network.lanes = LanesOf(*options.classes);
    network.writes = options.classes->Writes({0, 1, 2, 3});
  }
  ReadDevices(&options);
  ReadCongestion(&options);
  ReadUntil(&options);
  if (HasJobs()) {
    AddJobs(*profile, &options);
    if (!Get("traffic.background").empty()) AddBackground(*profile, &options);
  } else if (HasCapture()) {
    AddCapture(*profile, &options);
  } else {
    AddPattern(*profile, &options);
  }
  return options;
}

/// What NICs do with acks, and the choice of modes.
void NetSettings::ReadNics(int clock_khz, network::NetworkOptions* network) const {
  network::NicOptions& nics = network->nics;
  nics.class_queues = HasClassQueues(*this);
  if (Get("nic.window") != "possible")
    nics.window = static_cast<int>(Integer("nic.window", 1, network::NicOptions::kMostWindow));
  if (Get("nic.resend") != "off") {
    nics.resend = workload::CyclesOf(workload::ParseNanoseconds(Get("nic.resend"), NameOf("nic.resend")), clock_khz);
    if (nics.resend == 0)
      throw UsageError(fmt::format("{} {}: a packet would be sent again at once; give a time, or off",
                                   NameOf("nic.resend"), Get("nic.resend")));
  }
  nics.most_resends = static_cast<int>(Integer("nic.resends", 0, network::NicOptions::kMostResends));
  if (Get("nic.resend_window") != "off")
    nics.resend_window = static_cast<int>(Integer("nic.resend_window", network::NicOptions::kLeastResendWindow,
                                                  network::NicOptions::kMostResendWindow));
  network->routing.flows = static_cast<int>(Integer("nic.flows", 1, network::RoutingOptions::kMostFlows));
  const std::string& choice = Choice("app_aware", {"paper", "program", "none"});
  if (network->routing.app_aware.has_value() != (choice != "none")) {
    throw UsageError(
        fmt::format("--app-aware {}: with --routing app_aware there is a choice, paper or program, and with "
                    "no other routing; leave it out",
                    choice));
  }
  if (choice == "program") network->routing.app_aware = workload::AppAwareOptions::Program();
}

/// Synthetic traffic.
void NetSettings::AddPattern(const Profile& profile, NetRunOptions* options) const {
  if (Get("traffic.pattern") == "none")
    throw UsageError("--traffic none: nothing is sent; give --goal FILE or --pcap FILE with it, or another --traffic");
  const int largest = SizeMix(Get("traffic.size"), profile.min_enh_bytes, profile.mtu_bytes).largest();
  for (const cosim::ClassPart& part : ParseClasses(Get("traffic.classes"), options->classes, profile)) {
    options->network.traffic.classes.push_back({part.tc, part.share, part.largest});
    if (largest <= part.largest) continue;
    options->warnings.push_back(fmt::format(
        "warning: --size {}: frames of class {} have at most {} B, its MTU in {}; longer ones are cut to it",
        Get("traffic.size"), options->classes->Of(part.tc).name, part.largest, options->classes->file()));
  }
}

/// The frames of a capture.
void NetSettings::AddCapture(const Profile& profile, NetRunOptions* options) const {
  if (Get("traffic.pattern") != "none") {
    throw UsageError(fmt::format("--pcap and --traffic {} exclude each other: leave one out", Get("traffic.pattern")));
  }
  const std::string& classes = Get("traffic.classes");
  int tc = -1;
  if (classes != "marks") {
    const std::vector<cosim::ClassPart> parts = ParseClasses(classes, options->classes, profile);
    if (parts.size() != 1)
      throw UsageError(fmt::format("--classes {}: of a capture it is marks, or one class for all frames", classes));
    tc = parts[0].tc;
  }
  options->capture = PlanCapture(ReadCaptureOptions(*this), *options->topology, profile, options->classes, tc,
                                 &options->network.traffic);
  options->network.till_sent = true;
}

}  // namespace tilefly::runs
