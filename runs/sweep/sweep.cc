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
      log_(options_, "net/sweep", kSweepCommand),
      pool_({std::move(program), log_.directory().path() / "points", options_.version, jobs, options_.stop,
             DeadlineOf(settings_)},
            {plan_.points.begin(), plan_.points.end()}) {}

int SweepSession::Run() {
  log_.directory().Write("config.resolved.yaml", settings_.ToYaml());
  for (const std::string& warning : options_.warnings) log_.Say(warning);
  const bool seeds = IsRange(settings_.Get("seed"));
  log_.directory().Write("manifest.json",
                         ManifestJson(options_.version, options_.arguments,
                                      seeds ? 0 : static_cast<std::uint32_t>(settings_.Integer("seed", 0, 0xffffffff)),
                                      settings_.ToYaml(), settings_.InputFiles(), kSweepCommand));
  log_.Say(fmt::format("sweep of {}: {} run{}{}, {} at a time, in {}", RangesText(plan_), plan_.points.size(),
                       plan_.points.size() == 1 ? "" : "s",
                       pool_.reused() > 0 ? fmt::format(", {} of them done", pool_.reused()) : "", pool_.jobs(),
                       log_.directory().path().string()));
  if (const std::string remade = pool_.Remade(); !remade.empty()) log_.Say(remade);
  const auto begun = std::chrono::steady_clock::now();
  const std::vector<RunOutcome> outcomes = pool_.Run(PointText, [this](const std::string& line) { log_.Say(line); });
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::vector<int> codes;
  for (const RunOutcome& one : outcomes) codes.push_back(one.exit_code);
  const int code = WorstExitCode(codes);
  results_ = SweepJson(plan_, outcomes, code, wall_s);
  log_.directory().Write("sweep.csv", SweepCsv(plan_, outcomes));
  log_.directory().Write("sweep.svg", SweepSvg(plan_, outcomes));
  if (code == kTimedOut) log_.Say(fmt::format("TIMEOUT net/sweep: {}", kTimeIsUp));
  const auto unfinished =
      std::count_if(codes.begin(), codes.end(), [](int one) { return one < 0 || one == kTimedOut; });
  if (unfinished > 0) {
    const bool one = unfinished == 1;
    log_.Say(fmt::format("{} run{} left; the same command with --output-dir {} makes {}", unfinished,
                         one ? " is" : "s are", log_.directory().path().string(), one ? "it" : "them"));
  }
  log_.Hold();
  log_.Say(fmt::format("  results: {}", (log_.directory().path() / "sweep.csv").string()));
  log_.Say(fmt::format("  report:  {}", (log_.directory().path() / "report.html").string()));
  log_.directory().Write("sweep.json", results_.dump(2) + "\n");
  const ReportParts report = SweepReport(results_);
  WriteReport(log_.directory().path(), report.results, report.detail);
  log_.Close();
  return code;
}

}  // namespace tilefly::runs
