// SPDX-License-Identifier: Apache-2.0
#include "cosim/network/net_session.h"

#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <utility>

#include "cosim/run/manifest.h"
#include "golden/network/stall_report.h"
#include "support/text.h"

namespace tilefly::cosim {
namespace {

constexpr std::chrono::milliseconds kProgressEvery{250};
/// Where nobody looks at a line that is overwritten.
constexpr std::chrono::seconds kHeartbeatEvery{30};

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

NetSession::NetSession(NetSettings settings, SessionOptions options)
    : settings_(std::move(settings)),
      options_(std::move(options)),
      run_options_((settings_.Resolve(), settings_.ToRunOptions())),
      build_s_(CpuSeconds()),
      network_(*run_options_.topology, run_options_.network),
      directory_((build_s_ = CpuSeconds() - build_s_,
                  options_.output_dir.empty() ? RunDirectory::NewName(RunName()) : options_.output_dir)) {
  const double timeout = ParseReal(settings_.Get("timeout"), "timeout");
  if (timeout > 0) deadline_ = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(timeout * 1000));
}

/// "net/uniform".
std::string NetSession::RunName() const { return "net/" + settings_.Get("traffic.pattern"); }

void NetSession::Say(const std::string& line) {
  log_ += line + "\n";
  if (options_.verbosity >= 0) fmt::print(stderr, "{}\n", line);
}

int NetSession::Run() {
  directory_.Write("config.resolved.yaml", settings_.ToYaml());
  directory_.Write("manifest.json", ManifestJson(options_.version, options_.arguments,
                                                 static_cast<std::uint32_t>(run_options_.network.seed),
                                                 settings_.ToYaml(), settings_.InputFiles()));
  if (run_options_.classes) {
    if (const std::string units = run_options_.classes->Units(); !units.empty())
      Say(run_options_.classes->file() + ": " + units);
  }
  const NetOutcome outcome = RunNetwork();
  results_ = NetResults(network_, run_options_, outcome);
  SayResults(outcome);
  directory_.Write("stats.csv", NetStatsCsv(network_));
  directory_.Write(
      "junit.xml",
      JunitXml(RunName(), {{fmt::format("seed {}", run_options_.network.seed), outcome.wall_s, outcome.message}}));
  Say(fmt::format("  results: {}", (directory_.path() / "results.json").string()));
  directory_.Write("log.txt", log_);
  directory_.Write("results.json", results_.dump(2) + "\n");
  return ExitCodeOf(outcome.verdict);
}

NetOutcome NetSession::RunNetwork() {
  NetOutcome outcome;
  outcome.build_s = build_s_;
  begun_ = shown_ = Clock::now();
  const double cpu = CpuSeconds();
  const golden::Ending ending = network_.Run([this](golden::Cycle cycle) { return Poll(cycle); });
  outcome.cpu_s = CpuSeconds() - cpu;
  outcome.wall_s = std::chrono::duration<double>(Clock::now() - begun_).count();
  if (options_.show_progress) fmt::print(stderr, "\r\033[K");
  switch (ending) {
    case golden::Ending::kDrained:
      outcome.message = network_.NotHome();
      if (!outcome.message.empty()) outcome.verdict = Verdict::kFail;
      break;
    case golden::Ending::kStuck:
      outcome.verdict = Verdict::kNoProgress;
      outcome.message = golden::StallReport(network_).Text(network_);
      break;
    case golden::Ending::kStopped:
      outcome.verdict = late_ ? Verdict::kTimeout : Verdict::kInterrupted;
      outcome.message = late_ ? "the time given by --timeout is over" : "interrupted";
      break;
  }
  return outcome;
}

/// Whether the run is to end.
bool NetSession::Poll(golden::Cycle cycle) {
  const Clock::time_point now = Clock::now();
  late_ = now >= deadline_;
  ShowProgress(cycle, now);
  return late_ || (options_.stop != nullptr && options_.stop->load());
}

void NetSession::ShowProgress(golden::Cycle cycle, Clock::time_point now) {
  if (options_.verbosity < 0 ||
      now - shown_ < (options_.show_progress ? Clock::duration(kProgressEvery) : Clock::duration(kHeartbeatEvery))) {
    return;
  }
  const golden::Cycle at = cycle - network_.nics().begin;
  const double rate = static_cast<double>(at - shown_cycle_) / std::chrono::duration<double>(now - shown_).count();
  const double left = rate > 0 ? std::max(0.0, static_cast<double>(run_options_.network.cycles - at) / rate) : 0;
  fmt::print(stderr, "{}cycle {} of {}  {} packets delivered, {} inside  {:.0f} cycles/s, {:.0f} s left{}",
             options_.show_progress ? "\r" : "", at, run_options_.network.cycles, network_.statistics().delivered(),
             network_.statistics().in_flight(), rate, left, options_.show_progress ? "\033[K" : "\n");
  shown_ = now;
  shown_cycle_ = at;
}

void NetSession::SayResults(const NetOutcome& outcome) {
  const auto number = [&](const nlohmann::ordered_json& value) { return value.is_null() ? 0.0 : value.get<double>(); };
  const bool passed = outcome.verdict == Verdict::kPass;
  Say(fmt::format("{} {} seed={}: {} endpoints, {} switches of {}, {} cycles",
                  passed ? "PASS" : ToString(outcome.verdict), RunName(), run_options_.network.seed,
                  results_["endpoints"].dump(), network_.nodes(), network_.profile().name, results_["cycles"].dump()));
  if (!passed) Say(outcome.message);
  const auto& books = results_["books"];
  std::string drops;
  for (const auto& [reason, count] : books["drops"].items()) drops += fmt::format(", {} {}", count.dump(), reason);
  Say(fmt::format("packets: {} sent, {} delivered{}, {} inside, {} never sent", books["offered"].dump(),
                  books["delivered"].dump(), drops, books["in_flight"].dump(), books["queued"].dump()));
  Say(fmt::format("load: offered {:.4f}, accepted {:.4f} (measured from cycle {} to {})",
                  number(results_["offered_load"]), number(results_["accepted_load"]), run_options_.network.warmup,
                  run_options_.network.cycles));
  if (!results_["saturated"].is_null()) {
    Say("saturated: " + results_["saturated"].get<std::string>());
  } else if (number(results_["accepted_load"]) < 0.95 * number(results_["offered_load"])) {
    Say("the network was still filling when the warm-up was over: give a longer --warmup and --max-cycles");
  }
  const auto& latency = results_["latency_ns"];
  Say(fmt::format("latency: min {:.1f} ns, median {:.1f} ns, p99 {:.1f} ns, max {:.1f} ns; mean hops {:.3f}",
                  number(latency["min"]), number(latency["median"]), number(latency["p99"]), number(latency["max"]),
                  number(results_["mean_hops"])));
  const auto& machine = results_["machine"];
  Say(fmt::format("speed: {:.3g} flit-hops a CPU second, {:.0f} cycles/s; built in {:.2f} s; {} bytes a port",
                  number(machine["flit_hops_per_cpu_s"]), number(machine["cycles_per_s"]), number(machine["build_s"]),
                  machine["bytes_per_port"].dump()));
}

}  // namespace tilefly::cosim
