// SPDX-License-Identifier: Apache-2.0
// The table of options without effect, row by row.
#include <algorithm>
#include <cstdlib>

#include "cosim/device_factory.h"
#include "cosim/library/device_library.h"
#include "network/routing_options.h"
#include "runs/common/option_effects.h"
#include "runs/switch/everything.h"
#include "runs/switch/settings.h"
#include "support/text.h"
#include "topology/builder.h"
#include "workload/jobs.h"
#include "workload/patterns.h"

namespace tilefly::runs {
namespace {

bool AtBlockLevel(const OptionValues& run) { return run.Get("level") != "switch"; }
bool AtSwitchLevel(const OptionValues& run) { return !AtBlockLevel(run); }

bool HasCapture(const OptionValues& run) { return !run.Get("pcap").empty(); }
bool HasJobs(const OptionValues& run) { return !run.Get("goal").empty() || workload::IsPattern(run.Get("traffic")); }

/// Jobs, without a file of one.
bool HasPatternsOnly(const OptionValues& run) {
  return run.Get("goal").empty() && workload::IsPattern(run.Get("traffic"));
}

/// Whether it holds for each of the run's jobs, which are message patterns.
template <typename Holds>
bool EveryJob(const OptionValues& run, Holds&& holds) {
  const std::vector<std::string> jobs = Split(run.Get("traffic"), '+');
  return HasPatternsOnly(run) && std::all_of(jobs.begin(), jobs.end(), holds);
}

bool HasPlaces(const std::string& job) {
  return job.find(":at=") != std::string::npos || job.find(",at=") != std::string::npos;
}

bool InSwitches(const std::string& job) { return workload::PatternText(job).InSwitches(); }

bool HasDevice(const OptionValues& run, const char* device) {
  const std::vector<std::string> devices = Split(run.Get("devices"), ',');
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

bool HasRtl(const OptionValues& run) { return HasDevice(run, "rtl"); }

bool HasLibrary(const OptionValues& run) { return !cosim::LibrariesIn(run.Get("devices")).empty(); }

bool HasStandardPorts(const OptionValues& run) { return run.Get("ports") == "standard" || run.Get("ports") == "mixed"; }

/// Nothing in a run of a capture is drawn.
bool RepeatsItself(const OptionValues& run) { return HasCapture(run) && run.Off("stalls") && run.Off("outages"); }

/// All packets are of one traffic class.
bool HasOneClass(const OptionValues& run) {
  const bool marked = HasCapture(run) || run.Get("traffic").find("class=") != std::string::npos ||
                      run.Get("background").find("class=") != std::string::npos;
  return run.Off("qos") && !marked && run.Off("reductions") && run.Get("classes").find(',') == std::string::npos;
}

/// A share that is a whole.
bool IsAll(const OptionValues& run, const std::string& option) {
  return std::strtod(run.Get(option).c_str(), nullptr) == 1;
}

/// A pattern that says where frames go, and lets all ports send.
bool NamesOutputs(const OptionValues& run) {
  const std::string& traffic = run.Get("traffic");
  return traffic.rfind("hotspot:", 0) == 0 || traffic.rfind("permutation:", 0) == 0;
}

bool HostsReduce(const OptionValues& run) {
  const std::string& traffic = run.Get("traffic");
  return traffic.find("allreduce:ring") != std::string::npos ||
         traffic.find("allreduce:rabenseifner") != std::string::npos;
}

/// All settings of `cosim` but those that a comparison of blocks obeys.
std::vector<std::string> OfTheSwitch() {
  const std::set<std::string> obeyed = {"level",   "block", "seed",        "max-cycles",
                                        "timeout", "waves", "trace-start", "trace-end"};
  std::vector<std::string> options;
  for (const Setting& setting : Settings::Table()) {
    if (obeyed.count(setting.option) == 0) options.emplace_back(setting.option);
  }
  return options;
}

constexpr NoEffect kWarned = NoEffect::kWarned, kRefused = NoEffect::kRefused;

const std::vector<OptionEffect>& OfCosim() {
  static const std::vector<OptionEffect> rows = {
      {{"cosim"},
       OfTheSwitch(),
       kRefused,
       "at --level block and --level tile: a block's comparison brings its own profiles and stimulus",
       "leave it out, or give --level switch",
       AtBlockLevel},
      {{"cosim"}, {"block"}, kRefused, "at --level switch", "give --level block too", AtSwitchLevel},
      {{"cosim"},
       DrawnOptionNames(),
       kRefused,
       "with --traffic everything: each seed draws it",
       "leave it out, or give another --traffic",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("traffic") == "everything"; }},
      {{"cosim"},
       {"traffic", "load", "size", "process", "classes", "replicated", "routed", "faults"},
       kRefused,
       "with --pcap: the frames are the capture's",
       "leave one of them out",
       HasCapture},
      {{"cosim"},
       {"routed"},
       kWarned,
       "with --replicated 1: there are no other frames",
       "",
       [](const OptionValues& run) { return IsAll(run, "replicated"); }},
      {{"cosim"},
       {"traffic"},
       kWarned,
       "with --replicated 1 or --routed 1: no frame goes where the pattern says",
       "",
       [](const OptionValues& run) { return NamesOutputs(run) && (IsAll(run, "replicated") || IsAll(run, "routed")); }},
      {{"cosim"},
       {"reseeds"},
       kWarned,
       "with --pcap, unless --stalls or --outages draw something: all runs are the same",
       "",
       RepeatsItself},
      {{"cosim"},
       {"reductions"},
       kRefused,
       "with --pcap: a capture's frames come in by standard ports, which take no reductions",
       "leave one of them out",
       [](const OptionValues& run) { return HasCapture(run) && !run.Off("reductions"); }},
      {{"cosim"},
       {"mishaps"},
       kWarned,
       "without --reductions",
       "",
       [](const OptionValues& run) { return run.Off("reductions"); }},
      {{"cosim"},
       {"stall-cycles", "stall-kinds"},
       kWarned,
       "without --stalls",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Off("stalls"); }},
      {{"cosim"},
       {"stalls"},
       kWarned,
       "with --stall-kinds pause and no standard ports (--ports standard or mixed)",
       "",
       [](const OptionValues& run) {
         return AtSwitchLevel(run) && run.Get("stall-kinds") == "pause" && !HasStandardPorts(run);
       }},
      {{"cosim"},
       {"stalls"},
       kWarned,
       "with --stall-kinds credits and standard ports only, which have none",
       "",
       [](const OptionValues& run) {
         return AtSwitchLevel(run) && run.Get("stall-kinds") == "credits" && run.Get("ports") == "standard";
       }},
      {{"cosim"},
       {"sender-queues"},
       kWarned,
       "with standard ports only: a PAUSE holds back all classes",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("ports") == "standard"; }},
      {{"cosim"},
       {"sender-queues"},
       kWarned,
       "with one traffic class on enhanced ports: its frames have one lane",
       "",
       [](const OptionValues& run) {
         return AtSwitchLevel(run) && run.Get("ports") == "enhanced" && HasOneClass(run);
       }},
      {{"cosim"},
       {"ignore-pause"},
       kWarned,
       "without standard ports (--ports standard or mixed)",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && !HasStandardPorts(run); }},
      {{"cosim"},
       {"profile.pause_xoff_cells", "profile.pause_xon_cells"},
       kWarned,
       "without standard ports (--ports standard or mixed)",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && !HasStandardPorts(run); }},
      {{"cosim"},
       {"profile.copy_entries"},
       kWarned,
       "without frames for several ports (--replicated, or a capture's)",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Off("replicated") && !HasCapture(run); }},
      {{"cosim", "net"},
       {"profile.cells"},
       kWarned,
       "by itself: senders fill no more of a buffer than profile.credit_reserve_cells and profile.credit_shared_cells "
       "say",
       "",
       [](const OptionValues& run) {
         const bool credits = run.Given("profile.credit_reserve_cells") || run.Given("profile.credit_shared_cells");
         return !credits && run.Off("qos") &&
                (run.command() == "net" || (AtSwitchLevel(run) && !HasStandardPorts(run)));
       }},
      {{"cosim"},
       {"profile.credit_reserve_cells", "profile.credit_shared_cells", "profile.credit_cap_cells"},
       kWarned,
       "with standard ports only: they have no credits",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("ports") == "standard"; }},
      {{"cosim"},
       {"profile.channel_cycles"},
       kWarned,
       "with --timing bench: latencies are without the channel",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("timing") == "bench"; }},
      {{"cosim"},
       {"profile.load_epoch_cycles", "profile.neighbour_epochs"},
       kWarned,
       "without --routed: nothing compares loads",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Off("routed"); }},
      {{"cosim"},
       {"acks"},
       kWarned,
       "with standard ports only: they have no acks",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("ports") == "standard"; }},
      {{"cosim"},
       {"eth-header"},
       kWarned,
       "without --ports mixed: no frame goes from a fabric port to a standard one",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("ports") != "mixed"; }},
      {{"cosim"},
       {"rtl-threads", "rtl-assert", "rtl-evaluate-all", "rtl-shuffle", "trace-scope"},
       kWarned,
       "without device rtl (--devices)",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && !HasRtl(run); }},
      {{"cosim"},
       {"rtl-random-reset"},
       kWarned,
       "without device rtl or one in a library (--devices)",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && !HasRtl(run) && !HasLibrary(run); }},
      {{"cosim"},
       {"first-cycle"},
       kWarned,
       "on device systemc, which numbers its cycles from 0",
       "",
       [](const OptionValues& run) { return HasDevice(run, cosim::kSystemc); }},
      {{"cosim"},
       {"first-cycle"},
       kWarned,
       "on a device in a library, which numbers its cycles from 0",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && HasLibrary(run); }},
      {{"cosim"},
       {"rtl-threads", "rtl-evaluate-all"},
       kWarned,
       "with --waves full and no --trace-packet: one thread traces, and every tile is clocked",
       "",
       [](const OptionValues& run) {
         return AtSwitchLevel(run) && HasRtl(run) && run.Get("waves") == "full" && run.Off("trace-packet");
       }},
      {{"cosim"},
       {"jobs"},
       kWarned,
       "with --waves full and no --trace-packet: one thread traces",
       "",
       [](const OptionValues& run) {
         return AtSwitchLevel(run) && HasRtl(run) && run.Off("sweep") && run.Get("waves") == "full" &&
                run.Off("trace-packet");
       }},
      {{"cosim"},
       {"jobs"},
       kRefused,
       "with another --rtl-threads: the two name one thread and two",
       "leave one of them out",
       [](const OptionValues& run) {
         return HasRtl(run) && run.Off("sweep") && run.Given("rtl-threads") &&
                (run.Get("jobs") == "1") != (run.Get("rtl-threads") == "1");
       }},
      {{"cosim"},
       {"jobs"},
       kWarned,
       "but at --level switch with device rtl: one processor does it all",
       "",
       [](const OptionValues& run) { return run.Off("sweep") && (AtBlockLevel(run) || !HasRtl(run)); }}};
  return rows;
}

const std::vector<OptionEffect>& OfNet() {
  static const std::vector<OptionEffect> rows = {
      {{"net"},
       {"load"},
       kRefused,
       "with --saturation, which chooses the loads itself",
       "leave one of them out",
       [](const OptionValues& run) { return run.Given("saturation"); }},
      {{"net"},
       {"load", "size", "process"},
       kRefused,
       "with --pcap: the frames are the capture's",
       "leave one of them out",
       HasCapture},
      {{"net"},
       {"load", "size", "process"},
       kRefused,
       "with jobs (--goal, message patterns): they say what is sent, and when",
       "leave it out",
       HasJobs},
      {{"net"},
       {"classes"},
       kRefused,
       "with jobs (--goal, message patterns)",
       "write class=CLASS into the pattern",
       HasJobs},
      {{"net"},
       {"process"},
       kRefused,
       "with --traffic cbr, whose rate is constant",
       "leave one of them out",
       [](const OptionValues& run) { return run.Get("traffic") == "cbr"; }},
      {{"net"},
       {"background", "only", "interference"},
       kRefused,
       "without jobs (--goal, message patterns)",
       "leave it out, or give jobs: --traffic pingpong:ranks=2+alltoall:ranks=16",
       [](const OptionValues& run) { return !HasJobs(run); }},
      {{"net"},
       {"only"},
       kRefused,
       "with --interference, which runs every job by itself",
       "leave one of them out",
       [](const OptionValues& run) { return run.Given("interference"); }},
      {{"net"},
       {"background"},
       kWarned,
       "with --only: it keeps its endpoints and its class, and sends nothing",
       "",
       [](const OptionValues& run) { return !run.Get("only").empty(); }},
      {{"net"},
       {"allocation", "message-overhead", "packet-overhead", "host-send", "host-receive"},
       kWarned,
       "without jobs (--goal, message patterns)",
       "",
       [](const OptionValues& run) { return !HasJobs(run); }},
      {{"net"},
       {"allocation"},
       kWarned,
       "with one job: interleaved is linear then",
       "",
       [](const OptionValues& run) {
         const bool several = run.Get("traffic").find('+') != std::string::npos ||
                              (!run.Get("goal").empty() && workload::IsPattern(run.Get("traffic")));
         return HasJobs(run) && !several && run.Get("allocation") == "interleaved";
       }},
      {{"net"},
       {"allocation"},
       kWarned,
       "when every job has its places (at=)",
       "",
       [](const OptionValues& run) { return EveryJob(run, HasPlaces); }},
      {{"net"},
       {"host-send", "host-receive"},
       kWarned,
       "with --goal alone: a file has calcs of its own",
       "",
       [](const OptionValues& run) { return !run.Get("goal").empty() && !workload::IsPattern(run.Get("traffic")); }},
      {{"net"},
       {"host-reduce"},
       kWarned,
       "without jobs whose hosts reduce: allreduce:ring, allreduce:rabenseifner",
       "",
       [](const OptionValues& run) { return !HostsReduce(run); }},
      {{"net"},
       {"app-aware"},
       kRefused,
       "without --routing app_aware",
       "leave it out, or give --routing app_aware",
       [](const OptionValues& run) { return run.Get("routing") != "app_aware"; }},
      {{"net"},
       {"bias"},
       kRefused,
       "without a routing that compares loads",
       "leave it out, or give --routing adaptive_0 to adaptive_3 or app_aware",
       [](const OptionValues& run) {
         return !network::RoutingOptions::Named(run.Get("routing")).Compares();
       }},
      {{"net"},
       {"profile.load_epoch_cycles", "profile.neighbour_epochs"},
       kRefused,
       "without a routing that compares loads",
       "leave it out, or give --routing adaptive_0 to adaptive_3 or app_aware",
       [](const OptionValues& run) {
         return !network::RoutingOptions::Named(run.Get("routing")).Adaptive();
       }},
      {{"net"},
       {"profile.neighbour_epochs"},
       kWarned,
       "with --acks off: acks bring the loads of neighbours",
       "",
       [](const OptionValues& run) { return run.Off("acks"); }},
      {{"net"},
       {"profile.credit_reserve_cells", "profile.credit_shared_cells", "profile.credit_cap_cells",
        "profile.channel_cycles"},
       kRefused,
       "with --timing bench, which has credits and links of its own",
       "leave one of them out",
       [](const OptionValues& run) { return run.Get("timing") == "bench"; }},
      {{"net"},
       {"bias"},
       kWarned,
       "on a torus: adaptive routing takes minimal paths only",
       "",
       [](const OptionValues& run) {
         return run.Given("bias") && topology::FamilyOf(run.Get("topology")) == "torus" &&
                network::RoutingOptions::Named(run.Get("routing")).rule == nullptr;
       }},
      {{"net"},
       {"routing", "bias", "app-aware", "window", "resend", "resends", "flows", "message-overhead", "journey"},
       kWarned,
       "with jobs that all reduce in the switches: they send no messages",
       "",
       [](const OptionValues& run) { return EveryJob(run, InSwitches) && run.Off("background"); }},
      {{"net"},
       {"sender-queues"},
       kWarned,
       "with jobs and no --background: a NIC sends packets of its rank's class only",
       "",
       [](const OptionValues& run) { return HasJobs(run) && run.Off("background"); }},
      {{"net"},
       {"sender-queues"},
       kWarned,
       "with one traffic class (--qos, --classes): it waits for itself",
       "",
       [](const OptionValues& run) { return HasOneClass(run) && !HasJobs(run); }},
      {{"net"},
       {"resends"},
       kWarned,
       "without --resend",
       "",
       [](const OptionValues& run) { return run.Off("resend"); }},
      {{"net"},
       {"waves", "trace-start", "trace-end", "trace-scope", "trace-limit", "trace-switch"},
       kWarned,
       "without --device: golden switches have no words",
       "",
       [](const OptionValues& run) { return run.Off("device") && run.Get("waves") != "full"; }},
      {{"net"},
       {"lockstep"},
       kWarned,
       "without --device: every switch is golden",
       "",
       [](const OptionValues& run) { return run.Off("device") && run.Off("lockstep"); }},
      {{"net"},
       {"trace-switch"},
       kWarned,
       "without --waves full: the switch that fails is traced",
       "",
       [](const OptionValues& run) { return !run.Off("device") && run.Get("waves") != "full"; }},
      {{"net"},
       {"checkpoint-every"},
       kRefused,
       "without --checkpoint",
       "give --checkpoint FILE",
       [](const OptionValues& run) { return run.Off("checkpoint"); }},
      {{"net"},
       {"past-saturation"},
       kWarned,
       "without several loads, such as --load 0.1:0.9:0.1",
       "",
       [](const OptionValues& run) { return run.Off("loads"); }},
      {{"net"},
       {"jobs"},
       kWarned,
       "beyond 2 with --saturation, which makes two runs at a time",
       "",
       [](const OptionValues& run) {
         return run.Given("saturation") && std::strtol(run.Get("jobs").c_str(), nullptr, 10) > 2;
       }},
      {{"net"},
       {"jobs"},
       kWarned,
       "on a single run; give --reseeds, or several values such as --load 0.1:0.9:0.1",
       "",
       [](const OptionValues& run) { return run.Off("sweep"); }}};
  return rows;
}

const std::vector<OptionEffect>& OfSeveral() {
  static const std::vector<OptionEffect> rows = {
      {{"cosim", "net"},
       {"scheduler"},
       kWarned,
       "with one traffic class: there is nothing to choose (--qos, --classes)",
       "",
       [](const OptionValues& run) { return HasOneClass(run) && !(run.command() == "cosim" && AtBlockLevel(run)); }},
      {{"cosim", "net"},
       {"profile.class_hold"},
       kWarned,
       "with one traffic class, or another --scheduler than dtable",
       "",
       [](const OptionValues& run) {
         const bool blocks = run.command() == "cosim" && AtBlockLevel(run);
         return !blocks && (HasOneClass(run) || run.Get("scheduler") != "dtable");
       }},
      {{"cosim", "net"},
       {"process"},
       kWarned,
       "with --load 1: packets follow without a gap",
       "",
       [](const OptionValues& run) { return IsAll(run, "load") && !HasCapture(run); }},
      {{"cosim", "net"},
       {"pace", "ports-by", "repeat"},
       kWarned,
       "without --pcap",
       "",
       [](const OptionValues& run) { return !HasCapture(run) && !(run.command() == "cosim" && AtBlockLevel(run)); }},
      {{"cosim"},
       {"trace-start", "trace-end"},
       kWarned,
       "without --waves full, at --level switch: of a failure the cycles around it are traced",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("waves") == "on-fail"; }},
      {{"cosim"},
       {"trace-packet"},
       kWarned,
       "without --waves full, with which it says whose waves they are",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("waves") != "full"; }},
      {{"net"},
       {"trace-start", "trace-end"},
       kWarned,
       "without --waves full: of a failure the cycles around it are traced",
       "",
       [](const OptionValues& run) { return !run.Off("device") && run.Get("waves") == "on-fail"; }},
      {{"cosim", "net"},
       {"trace-start", "trace-end", "trace-scope", "trace-limit"},
       kWarned,
       "with --waves off",
       "",
       [](const OptionValues& run) { return run.Off("waves") && (run.command() == "cosim" || !run.Off("device")); }},
      {{"cosim", "net"},
       {"verbose"},
       kRefused,
       "with --quiet",
       "leave one of them out",
       [](const OptionValues& run) { return run.Given("quiet"); }},
      {{"topo"},
       {"topology", "bisection", "alpha", "envelope", "paths", "deadlock", "svg", "output"},
       kRefused,
       "with --presets, which lists the names only",
       "leave one of them out",
       [](const OptionValues& run) { return run.Given("presets"); }},
      {{"topo"},
       {"alpha"},
       kRefused,
       "without --bisection",
       "give --bisection too",
       [](const OptionValues& run) { return !run.Given("bisection"); }},
      {{"qos show"}, {"color"}, kWarned, "with --json", "", [](const OptionValues& run) { return run.Given("json"); }},
      {{"compare"},
       {"verbose"},
       kWarned,
       "with --json, which has every figure",
       "",
       [](const OptionValues& run) { return run.Given("json"); }},
      {{"repro"},
       {"FIGURE", "quick", "ping-pong-ns", "jobs", "timeout", "output-dir", "json", "quiet"},
       kRefused,
       "with --list, which lists the names only",
       "leave one of them out",
       [](const OptionValues& run) { return run.Given("list"); }}};
  return rows;
}

}  // namespace

const std::vector<OptionEffect>& OptionEffects() {
  static const std::vector<OptionEffect> all = [] {
    std::vector<OptionEffect> rows;
    for (const auto* part : {&OfCosim(), &OfNet(), &OfSeveral()}) rows.insert(rows.end(), part->begin(), part->end());
    return rows;
  }();
  return all;
}

}  // namespace tilefly::runs
