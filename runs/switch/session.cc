// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cosim/library/call_watch.h"
#include "cosim/library/device_library.h"
#include "runs/common/common_settings.h"
#include "runs/common/extensions.h"
#include "runs/common/figures.h"
#include "runs/common/journey_table.h"
#include "runs/common/manifest.h"
#include "runs/report/report.h"
#include "runs/switch/everything.h"
#include "runs/switch/mark_results.h"
#include "runs/switch/port_captures.h"
#include "runs/switch/pause_room.h"
#include "runs/switch/results.h"
#include "runs/switch/retry_results.h"
#include "runs/switch/switch_samples.h"
#include "support/random.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

RunOptions EverythingOptions(const Settings& settings, std::uint32_t seed) {
  RunOptions options = DrawEverything(settings, seed).ToRunOptions();
  options.everything = true;
  return options;
}

/// Of the root seed. Throws UsageError.
RunOptions RunOptionsOf(const Settings& settings) {
  if (!IsEverything(settings)) return settings.ToRunOptions();
  const auto seed = static_cast<std::uint32_t>(settings.Integer("seed", 0, 0xffffffff));
  return EverythingOptions(settings, seed);
}

}  // namespace

Session::Session(Settings settings, SessionOptions options)
    : settings_(std::move(settings)),
      options_(std::move(options)),
      run_options_((settings_.Resolve(), RunOptionsOf(settings_))),
      followed_(settings_),
      reached_(*run_options_.profile),
      reseeds_(ReseedsOf(settings_)),
      wave_window_(WaveWindow(settings_)),
      first_(MakeFirst()),
      deadline_(DeadlineOf(settings_)),
      log_(options_, RunName()) {}

/// Those of a seed of this session.
RunOptions Session::OptionsOf(std::uint32_t seed) const {
  if (seed == run_options_.seed || !IsEverything(settings_)) {
    RunOptions options = run_options_;
    options.seed = seed;
    return options;
  }
  RunOptions options = EverythingOptions(settings_, seed);
  options.devices = run_options_.devices;  // as ChooseSides left them
  return options;
}

/// Of two devices one may be bounded: it runs alone, and so does the other, with the same traffic.
void Session::ChooseSides() {
  std::vector<std::string>& devices = run_options_.devices;
  if (devices.size() > 2) return;  // which SwitchRun refuses
  for (const std::string& name : devices) cosim::RequireDevice(name, "device");
  const auto is_bounded = [](const std::string& name) { return cosim::ContractOf(name) == cosim::Contract::kBounded; };
  const auto found = std::find_if(devices.begin(), devices.end(), is_bounded);
  if (found == devices.end()) return;
  const std::string bounded = *found;
  if (std::count_if(devices.begin(), devices.end(), is_bounded) > 1)
    throw UsageError(fmt::format("--devices {},{}: neither is exact; hold one of them against golden or rtl", bounded, bounded));
  if (run_options_.outages.every > 0)
    throw UsageError(fmt::format("--outages: {} does not know links that go down; give --devices golden,rtl or golden", bounded));
  if (run_options_.retry > 0 || run_options_.link_delay > 0)
    throw UsageError(
        fmt::format("--retry, --link-delay: {} has no words to send again; give --devices golden,rtl or golden", bounded));
  if (followed_.any())
    throw UsageError(fmt::format("--journey, --trace-packet: the record of {} does not show the stages of packets; give "
                                 "--devices golden,rtl or one of them",
                                 bounded));
  bounded_ = true;
  if (devices.size() > 1) reference_ = found == devices.begin() ? devices.back() : devices.front();
  devices = {bounded};
}

std::unique_ptr<SwitchRun> Session::MakeFirst() {
  ChooseSides();
  if (settings_.Get("waves.mode") != "off") RequireTiles(*run_options_.profile, wave_window_.scope);
  RunOptions options = run_options_;
  // That the program cannot write waves is said before the run whose packet they are to be of.
  if (followed_.traces()) cosim::MakeWaveWriter(*options.profile, options.devices, wave_window_);
  if (settings_.Get("waves.mode") == "full" && !followed_.traces()) tracing_ = std::make_unique<Tracing>(wave_window_, &options);
  cosim::LimitLibraryCalls(DeadlineOf(settings_), options_.stop);
  auto run = std::make_unique<SwitchRun>(options);
  if (run->lockstep().observed() == nullptr) RefuseWhatNeedsARecord(run->lockstep().a().Name());
  return run;
}

/// Throws UsageError for what is made of the observation record, of a device that shows none.
void Session::RefuseWhatNeedsARecord(const std::string& device) const {
  const auto refuse = [&](const char* option, const char* what) {
    throw UsageError(fmt::format("{}: {} shows no observation record, of which {}; give --devices {},golden, whose record "
                                 "is read then",
                                 option, device, what, run_options_.devices.front()));
  };
  if (followed_.any()) refuse("--journey, --trace-packet", "journeys are made");
  if (IsEverything(settings_)) refuse("--traffic everything", "functional bins are counted");
}

/// "switch/uniform", "switch/in.pcapng".
std::string Session::RunName() const {
  const std::string capture = settings_.Get("capture.file");
  return settings_.Get("level") + "/" +
         (capture.empty() ? settings_.Get("traffic.pattern") : std::filesystem::path(capture).filename().string());
}

int Session::Run() {
  log_.directory().Write("config.resolved.yaml", settings_.ToYaml());
  log_.directory().Write("manifest.json", ManifestJson(options_.version, options_.arguments, run_options_.seed,
                                                       settings_.ToYaml(), settings_.InputFiles()));
  for (const std::string& warning : options_.warnings) log_.Say(warning);
  const std::vector<std::string>& devices = run_options_.devices;
  if (devices.size() == 2 && devices.front() == devices.back()) {
    log_.Say(fmt::format(
        "warning: --devices {0},{0}: a model is compared with itself, which shows that it repeats itself, and "
        "no more",
        devices.front()));
  }
  if (!run_options_.device.assertions && std::find(devices.begin(), devices.end(), "rtl") != devices.end())
    log_.Say("warning: --rtl-assert off: no assertion of the tiles was looked at, but for those of a drained switch");
  if (run_options_.plan) {
    for (const std::string& warning : run_options_.plan->warnings) log_.Say(warning);
  }
  if (const std::string warning = PauseWarning(run_options_); !warning.empty()) log_.Say(warning);
  for (const std::string& line : settings_.AutoLines()) log_.Note(line);
  if (!run_options_.departed.departures.empty()) log_.Say(DeparturesText(run_options_.departed));
  Verdict verdict = Verdict::kPass;
  std::uint32_t seed = run_options_.seed;
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (int reseed = 0; reseed < reseeds_ && verdict == Verdict::kPass; ++reseed) {
    const RunOptions options = OptionsOf(SeedOf(run_options_.seed, reseed));
    const auto run = first_ ? std::move(first_) : std::make_unique<SwitchRun>(options);
    log_.Release();  // what the run before has said
    seed = options.seed;
    verdict = RunSeed(reseed, seed, *run).verdict;
    runs.push_back(results_);
  }
  if (reseeds_ > 1) AddRuns(runs);
  if (IsEverything(settings_)) SayReached();
  if (followed_.any()) SayJourneys(seed);
  if (followed_.traces()) TracePacket(seed, verdict);
  log_.directory().Write("stats.csv", stats_);
  log_.directory().Write("junit.xml", JunitXml(RunName(), cases_));
  if (!samples_.empty()) log_.directory().Write("samples.csv", samples_);
  if (!faults_.empty()) log_.directory().Write("faults.csv", faults_);
  log_.Hold();
  if (!samples_.empty()) log_.Say(fmt::format("  samples: {}", (log_.directory().path() / "samples.csv").string()));
  log_.Say(fmt::format("  report: {}", (log_.directory().path() / "report.html").string()));
  log_.Say(fmt::format("  results: {}", (log_.directory().path() / "results.json").string()));
  log_.directory().Write("results.json", results_.dump(2) + "\n");
  WriteReport(log_.directory().path(), results_, detail_);
  log_.Close();
  return ExitCodeOf(verdict);
}

/// Of several seeds the figures are those of the last run, and each run has its own.
void Session::AddRuns(const Json& runs) {
  results_["seeds"] = Json::array();
  for (const Json& run : runs) results_["seeds"].push_back(run["seed"]);
  results_["runs"] = runs;
  log_.Say(fmt::format(
      "{} seeds: results.json, stats.csv and the report are of seed={}, the last; `runs` in results.json has "
      "each",
      runs.size(), results_["seed"].dump()));
}

/// What all runs together reached.
void Session::SayReached() {
  std::vector<std::string> never;
  Json reached = Json::object();
  for (const auto& [name, count] : reached_.Entries()) {
    reached[name] = count;
    if (count == 0) never.push_back(name);
  }
  log_.Say(fmt::format("reached {} of {} functional bins{}{}", reached.size() - never.size(), reached.size(),
                       never.empty() ? "" : "; never: ", fmt::join(never, ", ")));
  results_["reached"] = std::move(reached);
}

Outcome Session::RunSeed(int reseed, std::uint32_t seed, SwitchRun& run) {
  if (run.capture_summary()) {
    const cosim::Capture& capture = *run.capture_summary();
    if (capture.cut > 0) {
      log_.Say(CaptureText(capture));
    } else {
      log_.Note(CaptureText(capture));
    }
    if (!capture.notice.empty()) log_.Say(capture.notice);
    if (capture.too_long > 0) {
      log_.Say(fmt::format(
          "{}: {} frames are longer than the switch's MTU of {} B (FCS included): they must be dropped (LONG)",
          capture.file, capture.too_long, run.options().profile->mtu_bytes));
    }
  }
  if (run.options().classes) {
    const cosim::ClassSetup& classes = *run.options().classes;
    if (const std::string units = classes.Units(); !units.empty())
      log_.Say(fmt::format("{}: {}", classes.file(), units));
  }
  std::optional<PortCaptures> captures;
  if (settings_.Get("output.captures") == "on" && reseed == 0)
    captures.emplace(run.setup(), log_.directory().Folder("captures"));
  RunControl control;
  control.stop = options_.stop;
  control.deadline = deadline_;
  if (captures) control.taps.push_back(&*captures);
  const bool traced = tracing_ && reseed == 0;
  if (traced) tracing_->Begin(log_.directory().Folder("waves"), "run", &control);
  if (followed_.any()) followed_.Begin(&run, &control);
  if (options_.show_progress)
    control.progress = [this](Cycle cycle, const cosim::Books& books) { ShowProgress(cycle, books); };
  Outcome outcome = run.Run(control);
  if (followed_.any()) followed_.End(run);
  contract_.reset();
  if (!reference_.empty() && outcome.verdict == Verdict::kPass) HoldAgainstReference(run, seed, &outcome);
  if (options_.show_progress) Tell("\r\033[K");
  if (captures) captures->Close();
  results_ = Results(run, outcome);
  if (Json used = UsedExtensions(settings_, false); !used.empty()) results_["extensions"] = std::move(used);
  reached_.Merge(run.bins());
  if (IsEverything(settings_)) results_["drawn"] = DrawnOptions(DrawEverything(settings_, seed));
  if (bounded_) {
    results_["devices"] = reference_.empty() ? run_options_.devices : std::vector{run_options_.devices.front(), reference_};
    if (contract_) contract_->AddTo(&results_); else cosim::AddBounded(&results_);
  }
  detail_ = ReportDetail(run, outcome);
  detail_["command"] = fmt::format("{} cosim --config config.resolved.yaml --seed {}", ProgramName(), seed);
  if (run.sampler() != nullptr) TakeSamples(run);
  if (run.options().plan || !run.fault_log().lines().empty()) {
    faults_ = FaultsCsv(run);
    detail_["faults"] = FaultsReport(run);
  }
  const bool failed = outcome.verdict == Verdict::kFail && outcome.failed_at >= 0;
  wave_.clear();
  stats_ = StatsCsv(run);
  if (traced) {
    if (failed) run.ShowFailure(control, cosim::kAfterFailure);
    NameWaves(tracing_->End(failed ? &outcome : nullptr), "the window asked for");
    if (wave_.empty()) log_.Say(NoWaves(wave_window_, run.lockstep().cycle()));
  } else if (failed && (settings_.Get("waves.mode") == "on-fail" || followed_.traces())) {
    TraceFailure(seed, outcome);
  }
  cases_.push_back(
      {fmt::format("seed {}", seed), outcome.wall_s, outcome.verdict == Verdict::kPass ? "" : outcome.message});
  if (outcome.verdict == Verdict::kPass) {
    log_.Hold();
    SayPass(run);
  } else {
    SayFailure(reseed, seed, outcome);
  }
  for (const std::string& line : sample_lines_) log_.Say(line);
  if (outcome.verdict == Verdict::kPass) {
    for (const std::string& warning : EventsWithoutEffect(run)) log_.Say(warning);
  }
  return outcome;
}

/// Those of the latest run stay.
void Session::TakeSamples(SwitchRun& run) {
  const SampleTable table = SwitchSamples(run, !bounded_ && run.lockstep().observed() != nullptr);
  results_["samples"] = SamplesJson(table);
  detail_["samples"] = SamplesReport(table);
  samples_ = SamplesCsv(table);
  sample_lines_ = SampleLines(table, settings_.Get("sample"));
}

/// Runs the other device with the same traffic, and compares.
void Session::HoldAgainstReference(SwitchRun& run, std::uint32_t seed, Outcome* outcome) {
  const auto figures = [](SwitchRun& of) {
    const cosim::Scoreboard& board = of.scoreboard();
    return cosim::ContractFigures{board.books().offered,     board.books().delivered,
                           board.books().drops,       of.offered_load(),
                           of.accepted_load(),        board.latency().Mean(),
                           static_cast<double>(board.latency().Quantile(0.99)),
                           {}};
  };
  RunOptions options = OptionsOf(seed);
  options.devices = {reference_};
  SwitchRun exact(options);
  RunControl control;
  control.stop = options_.stop;
  control.deadline = deadline_;
  const Outcome other = exact.Run(control);
  outcome->verdict = other.verdict;
  if (other.verdict != Verdict::kPass) {
    outcome->message = reference_ + ": " + other.message;
    return;
  }
  contract_.emplace(reference_, figures(run), figures(exact));
  outcome->message = contract_->Message();
  if (!outcome->message.empty()) outcome->verdict = Verdict::kFail;
}

/// Repeats the run with traced models up to the failure.
void Session::TraceFailure(std::uint32_t seed, const Outcome& outcome) {
  RunOptions options = OptionsOf(seed);
  Tracing tracing(FailureWindow(outcome.failed_at, wave_window_), &options);
  SwitchRun run(options);
  RunControl control;
  control.stop = options_.stop;
  tracing.Begin(log_.directory().Folder("waves"), "fail", &control);
  const Outcome again = run.Run(control);
  run.ShowFailure(control, cosim::kAfterFailure);
  NameWaves(tracing.End(&again), "the cycles before the failure and after it");
}

/// Those of the latest run, and how to see one in waves.
void Session::SayJourneys(std::uint32_t seed) {
  detail_["journeys"] = followed_.Write(log_.directory());
  const std::string one_seed = reseeds_ > 1 ? " --reseeds 1" : "";
  const std::string command =
      fmt::format("{} cosim --config {} --seed {}{} --waves full --trace-packet ", ProgramName(),
                  (log_.directory().path() / "config.resolved.yaml").string(), seed, one_seed);
  for (const std::string& line : followed_.Lines(log_.directory(), command)) log_.Say(line);
}

/// Repeats the latest run with traced models up to the end of the window.
void Session::TracePacket(std::uint32_t seed, Verdict verdict) {
  if (!wave_.empty()) return;  // they show a failure
  const bool cut = verdict == Verdict::kInterrupted || verdict == Verdict::kTimeout;
  const std::optional<FollowedPackets::Trace> trace = cut ? std::nullopt : followed_.TraceOf(wave_window_);
  if (!trace) {
    log_.Say(fmt::format("warning: no waves were written of --trace-packet {}: {}", settings_.Get("waves.packet"),
                         cut ? "the run was cut" : "it was never sent"));
    return;
  }
  RunOptions options = OptionsOf(seed);
  options.max_cycles = options.max_cycles == 0 ? trace->cycles : std::min(options.max_cycles, trace->cycles);
  Tracing tracing(trace->window, &options);
  SwitchRun run(options);
  RunControl control;
  control.stop = options_.stop;
  control.deadline = deadline_;
  shown_cycle_ = 0;
  if (options_.show_progress)
    control.progress = [this](Cycle cycle, const cosim::Books& books) { ShowProgress(cycle, books); };
  tracing.Begin(log_.directory().Folder("waves"), followed_.TracedName(), &control);
  run.Run(control);
  if (options_.show_progress) Tell("\r\033[K");
  NameWaves(tracing.End(trace->story), "around the packet asked for");
  if (wave_.empty()) log_.Say(NoWaves(trace->window, run.lockstep().cycle()));
  SayWaves();
}

void Session::NameWaves(const std::vector<std::filesystem::path>& files, const char* what) {
  if (files.empty()) return;
  wave_ = files.front();
  std::error_code error;
  if (static_cast<std::int64_t>(std::filesystem::file_size(wave_, error)) >= wave_window_.max_bytes && !error)
    log_.Say("warning: the waves end early: the file has reached --trace-limit " + settings_.Get("waves.limit_mb"));
  for (const auto& file : files) detail_["waves"].push_back({{"path", file.string()}, {"what", what}});
}

void Session::ShowProgress(Cycle cycle, const cosim::Books& books) {
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> since = now - shown_;
  if (since.count() < 0.25) return;
  const double rate = shown_cycle_ > 0 ? static_cast<double>(cycle - shown_cycle_) / since.count() : 0;
  shown_ = now;
  shown_cycle_ = cycle;
  Tell(fmt::format("\rcycle {}  {} frames delivered, {} under way  {:.0f} cycles/s\033[K", cycle, books.delivered,
                   books.in_flight(), rate));
}

void Session::SayPass(SwitchRun& run) {
  const auto ns = [&](const char* key) { return InWords(results_["latency_ns"][key], 1, " ns"); };
  const bool compares = run.lockstep().b() != nullptr;
  const std::string what =
      compares ? fmt::format("{} words compared ({} busy)", run.lockstep().compared(), run.lockstep().compared_busy())
      : !bounded_ ? fmt::format("nothing compared: {} alone", run_options_.devices.front())
      : contract_ ? contract_->Line()
                  : "bounded, held against nothing";
  log_.Say(fmt::format("{} {} seed={}: {} cycles, {} frames delivered, {}", bounded_ ? "PASS (bounded)" : "PASS",
                       RunName(), run.options().seed, run.lockstep().cycle(), run.scoreboard().books().delivered,
                       what));
  SayLevel(run);
  if (IsEverything(settings_)) log_.Say("drawn: " + results_["drawn"].get<std::string>());
  std::string drops;
  for (const auto& [reason, count] : results_["books"]["drops"].items())
    drops += fmt::format(" {} {}", reason, count.dump());
  if (!drops.empty()) log_.Say("drops:" + drops);
  log_.Say(fmt::format("latency: min {}, median {}, p99 {}, max {}; load offered {}, accepted {}", ns("min"),
                       ns("median"), ns("p99"), ns("max"), InWords(results_["offered_load"], 3),
                       InWords(results_["accepted_load"], 3)));
  if (const std::string why = WhyAboveOffered(run); !why.empty()) log_.Say("accepted above offered: " + why);
  if (run.frames_left() > 0)
    log_.Say(fmt::format("capture: {} frames were not sent before the end of --max-cycles", run.frames_left()));
  if (const cosim::ReductionPeers* const peers = run.reductions()) {
    log_.Say(fmt::format("reductions: {} episodes of {} groups, {} failures, {} packets compared", peers->episodes(),
                         run.options().reductions.groups, peers->failures(), peers->received()));
  }
  if (!results_["link_retry"].is_null()) {
    log_.Say(LinkRetryLine(run, results_["link_retry"]));
    if (const std::string line = TimeLineLine(run, results_["link_retry"]); !line.empty()) log_.Say(line);
  }
  if (!results_["congestion_marks"].is_null()) log_.Say(CongestionMarksLine(run, results_["congestion_marks"]));
  if (run.options().outages.every > 0) SayOutages(run);
  if (run.options().classes) SayClasses();
  SayWaves();
}

/// What a device in a library shows, and so what was compared and where drops and bins come from.
void Session::SayLevel(SwitchRun& run) {
  const std::vector<std::string>& devices = run_options_.devices;
  if (std::none_of(devices.begin(), devices.end(), cosim::IsLibraryName)) return;
  const cosim::Lockstep& lockstep = run.lockstep();
  const bool record = lockstep.observation_compared().has_value(), counters = lockstep.counters_compared().has_value();
  if (run.lockstep().b() != nullptr) {
    log_.Say(fmt::format("level: {}", record && counters ? "L3, links, observation record and counters are equal"
                                      : record           ? "L3, links and observation record are equal; counters were not compared"
                                      : counters ? "L2, links and counters are equal; the observation record was not compared"
                                                 : "L2, links are equal; neither observation record nor counters were compared"));
  }
  const auto say = [this](const char* what, const cosim::Device* device, const char* without) {
    log_.Say(fmt::format("{}: {}", what, device != nullptr ? device->Name() : without));
  };
  say("observation record read", lockstep.observed(), "none; functional bins and levels of queues are not known");
  say("counters read", lockstep.counting(), "none; that drops are those that frames call for was not checked against any");
}

void Session::SayOutages(const SwitchRun& run) {
  if (run.links_down() > 0 || IsEverything(settings_)) {
    log_.Say(fmt::format("outages: {} times a link went down", run.links_down()));
    return;
  }
  log_.Say(
      fmt::format("warning: --outages {} has no effect: no link went down in {} cycles of traffic; give fewer, or a "
                  "longer --max-cycles",
                  run.options().outages.every, run.traffic_cycles()));
}

/// A line for each class that had frames.
void Session::SayClasses() {
  log_.Say(fmt::format("{:<16} {:>9} {:>9} {:>9} {:>7} {:>10} {:>10} {:>10}", "class", "offered", "delivered",
                       "dropped", "share", "median", "p99", "p99.9"));
  for (const auto& one : results_["classes"]) {
    const auto& latency = one["latency_ns"];
    const auto ns = [&](const char* key) { return InWords(latency[key], 1, " ns"); };
    const std::string share = one["share"].is_null() ? "-" : fmt::format("{:.2f}%", 100 * one["share"].get<double>());
    log_.Say(fmt::format("{:<16} {:>9} {:>9} {:>9} {:>7} {:>10} {:>10} {:>10}", one["name"].get<std::string>(),
                         one["offered"].get<std::int64_t>(), one["delivered"].get<std::int64_t>(),
                         one["dropped"].get<std::int64_t>(), share, ns("median"), ns("p99"), ns("p999")));
  }
}

void Session::SayWaves() {
  if (wave_.empty()) return;
  const std::filesystem::path save = std::filesystem::path(wave_).replace_extension(".gtkw");
  log_.Say(fmt::format("  waves:  {}   (view: gtkwave {})", wave_.string(), save.string()));
}

void Session::SayFailure(int reseed, std::uint32_t seed, const Outcome& outcome) {
  for (const std::string& event : outcome.history) log_.Say("  " + event);
  log_.Say(fmt::format("{} {} [reseed {}] seed={}", Headline(ToString(outcome.verdict)), RunName(), reseed, seed));
  log_.Say("  " + outcome.message);
  if (IsEverything(settings_)) log_.Say("  drawn:  " + results_["drawn"].get<std::string>());
  SayWaves();
  log_.Say(fmt::format("  repro:  tilefly cosim --config {} --seed {} --waves full",
                       (log_.directory().path() / "config.resolved.yaml").string(), seed));
}

}  // namespace tilefly::runs
