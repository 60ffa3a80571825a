// SPDX-License-Identifier: Apache-2.0
#include "runs/system/net_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "cosim/library/call_watch.h"
#include "network/background.h"
#include "network/reduction_check.h"
#include "network/stall_report.h"
#include "network/wait_report.h"
#include "runs/common/common_settings.h"
#include "runs/common/digest.h"
#include "runs/common/extensions.h"
#include "runs/common/figures.h"
#include "runs/common/journey_table.h"
#include "runs/common/manifest.h"
#include "runs/report/report.h"
#include "runs/switch/tracing.h"
#include "runs/system/congestion_results.h"
#include "runs/system/down_links.h"
#include "runs/system/fault_results.h"
#include "runs/system/job_results.h"
#include "runs/system/journey_figures.h"
#include "runs/system/link_figures.h"
#include "runs/system/net_report.h"
#include "runs/system/net_samples.h"
#include "runs/system/nic_figures.h"
#include "runs/system/steady_results.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

/// The text as a line; empty: none.
std::string Line(const std::string& text) { return text.empty() ? text : text + "\n"; }

}  // namespace

NetSession::NetSession(NetSettings settings, SessionOptions options, CheckpointOptions checkpoints,
                       network::Processes* processes)
    : processes_(*processes),
      settings_(std::move(settings)),
      options_(std::move(options)),
      checkpoints_(std::move(checkpoints)),
      run_options_(MakeRunOptions()),
      deadline_(DeadlineOf(settings_)),
      build_s_((cosim::LimitLibraryCalls(deadline_, options_.stop), CpuSeconds())),
      run_(run_options_, MakeTrace(), processes),
      network_(run_.network()) {
  build_s_ = CpuSeconds() - build_s_;
  UseCheckpoints();
  if (run_options_.network.journeys.all && processes_.size() > 1)
    throw UsageError("--journey all: packets are told by one process; leave mpirun out, or give slowest:K");
  if (run_options_.until_converged) {
    network_.EndTrafficWhen(
        [this](const network::TrafficHistory& history, Cycle end) { return IsDecided(network_, history, end); });
  }
  if (processes_.first() && !log_) log_.emplace(options_, RunName());
}

/// Collective.
NetRunOptions NetSession::MakeRunOptions() {
  Resolve();
  NetRunOptions run = settings_.ToRunOptions();
  if (!run.lockstep) run.network.threads = options_.threads > 0 ? options_.threads : processes_.cores();
  return run;
}

/// Collective. A random seed is the first process's.
void NetSession::Resolve() {
  settings_.Resolve();
  SavedBytes bytes;
  Saver save(&bytes);
  save(settings_.Get("seed"), settings_.ToYaml());
  bytes = processes_.FromFirst(bytes);
  if (processes_.first()) return;
  Loader load(bytes);
  settings_.Set("seed", load.Get<std::string>(), "the first process");
  if (settings_.ToYaml() != load.Get<std::string>()) {
    throw UsageError("other settings than the first process has; start all with the same arguments and files");
  }
  options_.verbosity = -1;
  options_.show_progress = false;
}

/// The trace of --waves full, null without it. Devices run, for their registers, as soon as they are made: the files
/// have their place before.
cosim::DeviceTrace* NetSession::MakeTrace() {
  if (run_options_.waves_switch < 0 || !processes_.first()) return nullptr;
  trace_.emplace(*FindProfile(run_options_.topology->profile), run_options_.devices, run_options_.waves_switch,
                 run_options_.waves);
  log_.emplace(options_, RunName());
  trace_->Begin(log_->directory().path() / "waves");
  return &*trace_;
}

/// Collective.
void NetSession::UseCheckpoints() {
  if (checkpoints_.file.empty() && checkpoints_.resumed.empty()) return;
  if (!run_options_.devices.empty())
    throw UsageError("--checkpoint, --resume: only golden switches are in checkpoints; leave --device out");
  if (!checkpoints_.file.empty() && processes_.first()) RequireCheckpointPlace(checkpoints_.file);
  if (!checkpoints_.resumed.empty()) {
    std::optional<CheckpointReader> reader;
    if (processes_.first()) reader.emplace(checkpoints_.resumed, Origin());
    network_.Load([&] { return reader->Read(); });
  }
  if (!checkpoints_.file.empty()) network_.SaveEvery(checkpoints_.every, [this] { WriteCheckpoint(); });
}

/// Files are told apart by what is in them.
CheckpointOrigin NetSession::Origin() const {
  return {fmt::format("{}, build {}", options_.version, ProgramDigest()),
          settings_.ToYaml() + DigestLines(settings_.InputFiles())};
}

/// Collective.
void NetSession::WriteCheckpoint() {
  std::optional<CheckpointWriter> writer;
  if (processes_.first()) writer.emplace(checkpoints_.file, Origin());
  network_.Save([&](const SavedBytes& piece) { writer->Write(piece); });
  if (!writer) return;
  writer->Finish();
  if (options_.show_progress) Tell("\r\033[K");
  log_->Say(fmt::format("checkpoint: {}, of cycle {}", checkpoints_.file.string(), polled_ - network_.nics().begin));
}

/// "net/uniform".
std::string NetSession::RunName() const {
  if (!run_options_.network.hosts.used()) return "net/" + settings_.TrafficName();
  std::string name;
  for (const workload::Job& job : run_options_.network.hosts.workload->jobs) {
    if (!job.idle) name += (name.empty() ? "net/" : "+") + job.pattern;
  }
  return name + (run_options_.background.empty() ? "" : "+background");
}

int NetSession::Run() {
  if (processes_.first()) Begin();
  const NetOutcome outcome = RunNetwork();
  if (processes_.first()) WriteResults(outcome);
  const auto status = static_cast<char>(ExitCodeOf(outcome.verdict));
  return static_cast<unsigned char>(processes_.FromFirst({status}).front());
}

void NetSession::Begin() {
  log_->directory().Write("config.resolved.yaml", settings_.ToYaml());
  log_->directory().Write("manifest.json", ManifestJson(options_.version, options_.arguments,
                                                        static_cast<std::uint32_t>(run_options_.network.seed),
                                                        settings_.ToYaml(), settings_.InputFiles()));
  for (const std::string& warning : options_.warnings) log_->Say(warning);
  for (const std::string& warning : run_options_.warnings) log_->Say(warning);
  for (const std::string& warning : CongestionWarnings(run_.told(), !run_options_.devices.empty())) log_->Say(warning);
  if (const faults::Plan* const plan = run_options_.network.fault_plan.get()) {
    for (const std::string& warning : plan->warnings) log_->Say(warning);
  }
  if (const network::StateTables* const tables = network_.state_tables()) {
    for (const std::string& warning : tables->warnings()) log_->Say(warning);
  }
  if (const int threads = network_.threads(); options_.threads > threads)
    log_->Say(fmt::format("warning: --threads {}: {} run{} the system{}", options_.threads, threads,
                          threads == 1 ? "s" : "",
                          run_options_.lockstep ? ", for each step is compared with the golden twin (--lockstep)"
                                                : ", for a process has so many groups of switches"));
  for (const std::string& line : settings_.AutoLines()) log_->Note(line);
  if (!run_options_.profile.departures.empty()) log_->Say(DeparturesText(run_options_.profile));
  if (run_options_.classes) {
    if (const std::string units = run_options_.classes->Units(); !units.empty())
      log_->Say(run_options_.classes->file() + ": " + units);
  }
  if (run_options_.capture) log_->Say(run_options_.capture->Text(network_.profile().mtu_bytes));
  if (run_options_.network.journeys.all) hops_.emplace(log_->directory(), &run_.told());
}

void NetSession::WriteResults(const NetOutcome& outcome) {
  results_ = NetResults(run_.told(), *figures_, run_options_, outcome);
  if (nlohmann::ordered_json used = UsedExtensions(settings_, true); !used.empty()) results_["extensions"] = std::move(used);
  if (!run_options_.devices.empty()) results_["devices"] = cosim::ToText(run_options_.devices);
  if (const cosim::SystemLockstep* lockstep = run_.lockstep()) {
    results_["compared"] = lockstep->compared();
    results_["compared_busy"] = lockstep->compared_busy();
  } else if (!run_options_.devices.empty()) {
    results_["compared"] = results_["compared_busy"] = nullptr;
  }
  std::optional<SampleTable> samples;
  if (run_options_.network.sample > 0) samples = NetSamples(run_.told(), *figures_, run_options_);
  if (samples) results_["samples"] = SamplesJson(*samples);
  if (run_.bounded() && run_.contract()) run_.contract()->AddTo(&results_);
  if (run_.bounded() && !run_.contract()) cosim::AddBounded(&results_);
  if (outcome.verdict == Verdict::kPass) log_->Hold();
  SayResults(outcome);
  log_->directory().Write("stats.csv", NetStatsCsv(run_.told(), *figures_));
  std::vector<FaultLine> faults;
  if (HasFaults(run_.told())) {
    faults = FaultLines(run_.told(), *figures_, run_options_.fault_lines);
    log_->directory().Write("faults.csv", FaultsCsv(faults));
  }
  log_->directory().Write("nics.csv", NicsCsv(run_.told(), *figures_));
  const bool flows = run_options_.network.congestion.on && SeesFlows(*figures_);
  if (flows) log_->directory().Write("flows.csv", FlowsCsv(*figures_));
  if (results_.contains("jobs")) log_->directory().Write("jobs.csv", JobsCsv(run_.told(), figures_->statistics.jobs));
  if (run_options_.network.journeys.any()) WriteJourneys();
  if (samples) WriteSamples(*samples);
  log_->directory().Write(
      "junit.xml",
      JunitXml(RunName(), {{fmt::format("seed {}", run_options_.network.seed), outcome.wall_s, outcome.message}}));
  log_->Hold();
  log_->Say(fmt::format("  results: {}", (log_->directory().path() / "results.json").string()));
  log_->Say(fmt::format("  report:  {}", (log_->directory().path() / "report.html").string()));
  log_->directory().Write("results.json", results_.dump(2) + "\n");
  ReportParts report = NetReport(run_.told(), *figures_, settings_, results_, journeys_);
  if (samples) report.detail["samples"] = SamplesReport(*samples);
  if (flows) report.detail["flows"] = FlowsReport(*figures_);
  if (HasFaults(run_.told())) report.detail["faults"] = FaultsReport(faults);
  WriteReport(log_->directory().path(), report.results, report.detail);
  log_->Close();
}

void NetSession::WriteJourneys() {
  if (hops_) {
    hops_->Close();
    log_->Say(fmt::format("  hops:    {} ({} packets)", (log_->directory().path() / "hops.csv").string(),
                          hops_->packets()));
  }
  if (!run_options_.network.journeys.some()) return;
  const std::vector<network::Journey>& journeys = figures_->journeys;
  JourneyFiles files(log_->directory());
  for (const network::Journey& journey : journeys) files.Add(JourneyJson(run_.told(), journey));
  files.Close();
  journeys_ = files.OfReport();
  for (const std::string& missing : MissingJourneys(run_.told(), journeys)) log_->Say("journey: " + missing);
  log_->Say(fmt::format("  journeys: {} ({} packets)", (log_->directory().path() / "journeys.csv").string(),
                        journeys.size()));
}

void NetSession::WriteSamples(const SampleTable& samples) {
  log_->directory().Write("samples.csv", SamplesCsv(samples));
  for (const std::string& line : SampleLines(samples, settings_.Get("sample"))) log_->Say(line);
  log_->Say(fmt::format("  samples: {}", (log_->directory().path() / "samples.csv").string()));
}

NetOutcome NetSession::RunNetwork() {
  NetOutcome outcome;
  outcome.from = {network_.cycle(), network_.statistics().flit_hops};
  shown_cycle_ = outcome.from.cycle - network_.nics().begin;
  begun_ = shown_ = Clock::now();
  const double cpu = CpuSeconds();
  std::optional<network::Ending> ending;
  std::optional<cosim::LinkFailure> failure;
  try {
    ending = run_.Run([this](Cycle cycle) { return Poll(cycle); });
  } catch (const cosim::LinkFailure& error) {
    failure = error;
    outcome.verdict = Verdict::kFail;
    outcome.message = std::string("first failure: ") + error.what();
  } catch (const network::WrongResult& error) {
    if (processes_.size() > 1) throw;  // the others wait for this process
    outcome.verdict = Verdict::kFail;
    outcome.message = std::string("first failure: ") + error.what();
  }
  outcome.cost = CostOf(CpuSeconds() - cpu);
  outcome.wall_s = std::chrono::duration<double>(Clock::now() - begun_).count();
  if (options_.show_progress) Tell("\r\033[K");
  figures_.emplace(run_.told());
  if (ending) Judge(*ending, &outcome);
  if (trace_) SayWaves(trace_->End());
  if (failure && !trace_ && run_options_.waves_mode == "on-fail") TraceFailure(*failure);
  return outcome;
}

/// Collective.
NetCost NetSession::CostOf(double cpu_s) const {
  NetCost cost{1, network_.threads(), build_s_, cpu_s, PeakBytes()};
  SavedBytes own;
  Saver save(&own);
  if (!processes_.first()) save(cost);
  for (const SavedBytes& bytes : processes_.Gather(own)) {
    if (bytes.empty()) continue;
    Adder add(bytes);
    add(cost);
  }
  return cost;
}

/// Collective.
void NetSession::Judge(network::Ending ending, NetOutcome* outcome) {
  switch (ending) {
    case network::Ending::kDrained:
      outcome->message = WhatFailed();
      if (outcome->message.empty()) outcome->message = NothingSent();
      if (outcome->message.empty()) outcome->message = NothingDelivered();
      if (outcome->message.empty()) outcome->message = WhatIsLeft();
      if (outcome->message.empty() && run_.contract()) outcome->message = run_.contract()->Message();
      if (!outcome->message.empty()) outcome->verdict = Verdict::kFail;
      break;
    case network::Ending::kStuck:
      outcome->verdict = Verdict::kNoProgress;
      outcome->message = network::StallReport(network_).Text(network_);
      if (run_options_.network.hosts.used()) {
        const network::WaitReport waits(network_);
        outcome->message += fmt::format("{} ranks are not done\n", waits.ranks) + waits.Lines(network_);
      }
      break;
    case network::Ending::kWaiting:
      outcome->verdict = Verdict::kNoProgress;
      outcome->message =
          network::WaitReport(network_).Text(network_) + network::StallReport(network_).DownLines(network_);
      break;
    case network::Ending::kLate:
      if (network_.jobs_stood_still()) {
        outcome->verdict = Verdict::kNoProgress;
        outcome->message = fmt::format(
            "no packet of a job moved for {} times the {} cycles of --stall-cycles, beside {}\n",
            network::kPatienceInside, run_options_.network.stall_cycles,
            run_options_.background.empty() ? "jobs that repeat" : "a background");
        break;
      }
      outcome->verdict = Verdict::kTimeout;
      outcome->message =
          fmt::format("the jobs were not done in the {} cycles of --max-cycles", run_options_.network.cycles);
      break;
    case network::Ending::kStopped: {
      const bool late =
          processes_.Largest(late_ ? 1 : 0) != 0;  // the others stop with a process whose deadline is over
      outcome->verdict = late ? Verdict::kTimeout : Verdict::kInterrupted;
      outcome->message = late ? kTimeIsUp : "interrupted";
      break;
    }
  }
  if (ending != network::Ending::kDrained) outcome->message = Line(WhatFailed()) + outcome->message;
}

/// Jobs that have failed; empty: none. In the first process.
std::string NetSession::WhatFailed() const {
  if (!run_options_.network.hosts.used() || !processes_.first()) return "";
  return FailedJobs(JobsJson(run_.told(), figures_->statistics.jobs));
}

/// Synthetic traffic that sent no packet, or frames that were none; empty: some were sent. In the first process.
std::string NetSession::NothingSent() const {
  if (run_options_.network.hosts.used() || !processes_.first() || figures_->statistics.sent() > 0) return "";
  const std::vector<LinkDown> downs = DownsOf(run_.told(), *figures_, LinkNames(run_.told()));
  if (figures_->queue.packets > 0 && !downs.empty())
    return fmt::format("no packet was sent: {} wait at NICs, and links are down, the first, {}, from cycle {} on ({}); leave links up",
                       figures_->queue.packets, downs[0].link, downs[0].from, downs[0].By());
  const char* const remedy = run_options_.capture
                                 ? "the capture's frames come later: give more --max-cycles, or a faster --pace"
                                 : "give a higher --load, or more --max-cycles";
  return fmt::format("no packet was sent: nothing was measured; {}", remedy);
}

/// Of synthetic traffic and captures: faults kept all packets from their NICs; empty: some came, or there are no faults.
std::string NetSession::NothingDelivered() const {
  if (run_options_.network.hosts.used() || !processes_.first() || !HasFaults(run_.told())) return "";
  const network::Statistics& sums = figures_->statistics;
  if (sums.delivered() > 0) return "";
  return fmt::format("no packet was delivered: of {} sent {} were lost on links that went down, and {} dropped; leave a way up",
                     sums.sent(), sums.lost, sums.dropped());
}

/// What is not as at the start after a run without link faults; empty: all is.
std::string NetSession::WhatIsLeft() const {
  if (!run_options_.network.faults.empty() || !network_.faults().downs().empty()) return "";
  std::string left = figures_->leftover.Text();
  if (&run_.told() != &network_ && left.empty()) left = network_.WhatIsLeft().Text();
  return left;
}

/// Repeats the run, with the waves of the device concerned, up to the failure.
void NetSession::TraceFailure(const cosim::LinkFailure& failure) {
  if (run_options_.devices.count(failure.node()) == 0) return;
  cosim::DeviceTrace trace(network_.profile(), run_options_.devices, failure.node(),
                    FailureWindow(failure.cycle(), run_options_.waves));
  trace.Begin(log_->directory().Folder("waves"));
  NetRunOptions again;
  again.topology = std::make_unique<topology::Topology>(*run_options_.topology);
  again.network = run_options_.network;
  again.devices = run_options_.devices;
  SystemRun run(again, &trace, &processes_);
  try {
    run.Run([&](Cycle cycle) { return cycle > failure.cycle() + run.network().lookahead(); });
  } catch (const cosim::LinkFailure&) {  // the same again
  }
  cosim::FailurePoint point;
  point.message = failure.what();
  point.cycle = failure.cycle();
  point.packet.output = failure.port();
  SayWaves(trace.End(&point));
}

void NetSession::SayWaves(const std::vector<std::filesystem::path>& files) {
  if (files.empty()) {
    log_->Say(NoWaves(run_options_.waves, network_.cycle()));
    return;
  }
  log_->Say(fmt::format("  waves:  {}   (view: gtkwave {})", files[0].string(), files[1].string()));
  std::error_code error;
  if (static_cast<std::int64_t>(std::filesystem::file_size(files[0], error)) >= run_options_.waves.max_bytes && !error)
    log_->Say("warning: the waves end early: the file has reached --trace-limit " + settings_.Get("waves.limit_mb"));
}

/// Whether the run is to end.
bool NetSession::Poll(Cycle cycle) {
  const Clock::time_point now = Clock::now();
  late_ = now >= deadline_;
  if (log_ && polled_ < 0 && !checkpoints_.resumed.empty())
    log_->Say(fmt::format("resumed from {} in cycle {}", checkpoints_.resumed.string(), cycle - network_.nics().begin));
  polled_ = cycle;
  ShowProgress(cycle, now);
  return late_ || (options_.stop != nullptr && options_.stop->load());
}

}  // namespace tilefly::runs
