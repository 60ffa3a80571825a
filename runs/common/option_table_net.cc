// SPDX-License-Identifier: Apache-2.0
// Options of `net` without effect.
#include <algorithm>

#include "network/routing_options.h"
#include "runs/common/option_conditions.h"
#include "support/text.h"
#include "topology/builder.h"
#include "workload/jobs.h"
#include "workload/patterns.h"

namespace tilefly::runs {
namespace {

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

bool ControlsCongestion(const OptionValues& run) { return !run.Off("congestion-control"); }

bool HostsReduce(const OptionValues& run) {
  const std::string& traffic = run.Get("traffic");
  return traffic.find("allreduce:ring") != std::string::npos ||
         traffic.find("allreduce:rabenseifner") != std::string::npos;
}

}  // namespace

const std::vector<OptionEffect>& EffectsOfNet() {
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
       kLeftOut,
       "without --routing app_aware",
       "leave it out, or give --routing app_aware",
       [](const OptionValues& run) { return run.Get("routing") != "app_aware"; }},
      {{"net"},
       {"bias"},
       kLeftOut,
       "without a routing that compares loads",
       "leave it out, or give --routing adaptive_0 to adaptive_3 or app_aware",
       [](const OptionValues& run) {
         return !network::RoutingOptions::Named(run.Get("routing")).Compares();
       }},
      {{"net"},
       {"profile.load_epoch_cycles", "profile.neighbour_epochs"},
       kLeftOut,
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
       {"routing", "bias", "app-aware", "window", "resend", "resends", "resend-window", "flows", "message-overhead",
        "journey"},
       kWarned,
       "with jobs that all reduce in the switches: they send no messages",
       "",
       [](const OptionValues& run) { return EveryJob(run, InSwitches) && run.Off("background"); }},
      {{"net"},
       {"congestion-control"},
       kRefused,
       "with --acks off (and --timing bench without --acks on): ports learn of congestion from acks",
       "give --acks on, or leave one of them out",
       [](const OptionValues& run) { return ControlsCongestion(run) && run.Off("acks"); }},
      {{"net"},
       {"congestion-control"},
       kWarned,
       "with jobs that all reduce in the switches: flow channels do not count reduction packets",
       "",
       [](const OptionValues& run) {
         return ControlsCongestion(run) && EveryJob(run, InSwitches) && run.Off("background");
       }},
      {{"net"},
       {"worst-flows"},
       kWarned,
       "without --congestion-control on: no packet is held",
       "",
       [](const OptionValues& run) { return !ControlsCongestion(run); }},
      {{"net"},
       {"profile.flow_mark_on", "profile.flow_mark_hard", "profile.flow_full", "profile.flow_deadline",
        "profile.flow_idle", "profile.flow_grow", "profile.flow_hold", "profile.flow_period", "profile.flow_first",
        "profile.flow_deep_requests", "profile.flow_epoch_cycles"},
       kLeftOut,
       "without --congestion-control on",
       "leave it out, or give --congestion-control on",
       [](const OptionValues& run) { return !ControlsCongestion(run); }},
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
       {"resend-window"},
       kLeftOut,
       "without --resend: no packet is sent again, and none comes twice",
       "give --resend TIME, or leave it out",
       [](const OptionValues& run) { return run.Off("resend") && !run.Off("resend-window"); }},
      {{"net"},
       {"fault-lines"},
       kWarned,
       "without --fault-plan: no word is damaged",
       "",
       [](const OptionValues& run) { return run.Get("fault-plan").empty(); }},
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

}  // namespace tilefly::runs
