// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "runs/common/common_settings.h"
#include "runs/common/manifest.h"
#include "runs/report/report.h"
#include "runs/sweep/sweep_results.h"
#include "runs/system/net_report.h"

namespace tilefly::runs {
namespace {

constexpr const char* kSweepCommand = "net sweep";

NetSettings SweepSettings(NetSettings settings) {
  settings.ResolveInputs();
  return settings;
}

/// "load 0.1:0.9:0.1, size 64:4096:64".
std::string RangesText(const SweepPlan& plan) {
  std::vector<std::string> ranges;
  for (const SweptSetting& one : plan.swept) ranges.push_back(fmt::format("{} {}", one.setting->option, one.range));
  return fmt::format("{}", fmt::join(ranges, ", "));
}

}  // namespace

SweepSession::SweepSession(NetSettings settings, SessionOptions options, std::filesystem::path program, int jobs)
    : settings_(SweepSettings(std::move(settings))),
      options_(std::move(options)),
      plan_(settings_),
      directory_(options_.output_dir.empty() ? RunDirectory::NewName("net/sweep") : options_.output_dir, kSweepCommand),
      pool_({std::move(program), directory_.path() / "points", options_.version, jobs, options_.stop,
             DeadlineOf(settings_)},
            {plan_.points.begin(), plan_.points.end()}) {}

void SweepSession::Say(const std::string& line) { log_.Say(line, options_.verbosity); }

int SweepSession::Run() {
  directory_.Write("config.resolved.yaml", settings_.ToYaml());
  for (const std::string& warning : options_.warnings) Say(warning);
  const bool seeds = IsRange(settings_.Get("seed"));
  directory_.Write("manifest.json",
                   ManifestJson(options_.version, options_.arguments,
                                seeds ? 0 : static_cast<std::uint32_t>(settings_.Integer("seed", 0, 0xffffffff)),
                                settings_.ToYaml(), settings_.InputFiles(), kSweepCommand));
  Say(fmt::format("sweep of {}: {} run{}{}, {} at a time, in {}", RangesText(plan_), plan_.points.size(),
                  plan_.points.size() == 1 ? "" : "s",
                  pool_.reused() > 0 ? fmt::format(", {} of them done", pool_.reused()) : "", pool_.jobs(),
                  directory_.path().string()));
  if (const std::string remade = pool_.Remade(); !remade.empty()) Say(remade);
  const auto begun = std::chrono::steady_clock::now();
  const std::vector<RunOutcome> outcomes = pool_.Run(PointText, [this](const std::string& line) { Say(line); });
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::vector<int> codes;
  for (const RunOutcome& one : outcomes) codes.push_back(one.exit_code);
  const int code = WorstExitCode(codes);
  results_ = SweepJson(plan_, outcomes, code, wall_s);
  directory_.Write("sweep.csv", SweepCsv(plan_, outcomes));
  directory_.Write("sweep.svg", SweepSvg(plan_, outcomes));
  if (code == kTimedOut) Say(fmt::format("TIMEOUT net/sweep: {}", kTimeIsUp));
  const auto unfinished =
      std::count_if(codes.begin(), codes.end(), [](int one) { return one < 0 || one == kTimedOut; });
  if (unfinished > 0) {
    const bool one = unfinished == 1;
    Say(fmt::format("{} run{} left; the same command with --output-dir {} makes {}", unfinished, one ? " is" : "s are",
                    directory_.path().string(), one ? "it" : "them"));
  }
  log_.Hold();
  Say(fmt::format("  results: {}", (directory_.path() / "sweep.csv").string()));
  Say(fmt::format("  report:  {}", (directory_.path() / "report.html").string()));
  directory_.Write("sweep.json", results_.dump(2) + "\n");
  const ReportParts report = SweepReport(results_);
  WriteReport(directory_.path(), report.results, report.detail);
  directory_.Write("log.txt", log_.text());
  log_.Release();
  return code;
}

}  // namespace tilefly::runs
