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
#include "runs/sweep/saturation_gate.h"
#include "runs/sweep/sweep_picture.h"
#include "runs/sweep/sweep_results.h"
#include "runs/system/net_report.h"

namespace tilefly::runs {
namespace {

/// "load 0.1:0.9:0.1; size 64:4096:64".
std::string RangesText(const SweepPlan& plan) {
  std::vector<std::string> ranges;
  for (const SweptSetting& one : plan.swept) ranges.push_back(fmt::format("{} {}", one.setting->option, one.range));
  return fmt::format("{}", fmt::join(ranges, "; "));
}

/// Of the manifest: the root seed, 0 when there are several.
std::uint32_t SeedIn(const SettingValues& settings) {
  const std::string& seed = settings.Get("seed");
  return IsSeveral(kSeed, seed) ? 0 : static_cast<std::uint32_t>(settings.Integer("seed", 0, 0xffffffff));
}

}  // namespace

SweepSession::SweepSession(SweepPlan plan, SessionOptions options, std::filesystem::path program, int jobs,
                           int past_saturation)
    : plan_(std::move(plan)),
      past_saturation_(past_saturation),
      options_(std::move(options)),
      log_(options_, Name() + "/sweep", Name() + " sweep"),
      pool_({std::move(program), log_.directory().path() / "points", options_.version, jobs, options_.stop,
             DeadlineOf(plan_.settings), Name(), options_.threads},
            {plan_.points.begin(), plan_.points.end()}) {}

std::string SweepSession::Name() const { return plan_.kind->command; }

int SweepSession::Run() {
  const std::string config = plan_.settings.ToYaml();
  log_.directory().Write("config.resolved.yaml", config);
  for (const std::string& warning : options_.warnings) log_.Say(warning);
  for (const std::string& warning : plan_.Warnings()) log_.Say(warning);
  log_.directory().Write("manifest.json", ManifestJson(options_.version, options_.arguments, SeedIn(plan_.settings),
                                                       config, plan_.settings.InputFiles(), Name() + " sweep"));
  log_.Say(fmt::format("sweep of {}: {} run{}{}, {} at a time, in {}", RangesText(plan_), plan_.points.size(),
                       plan_.points.size() == 1 ? "" : "s",
                       pool_.reused() > 0 ? fmt::format(", {} of them done", pool_.reused()) : "", pool_.jobs(),
                       log_.directory().path().string()));
  if (const std::string remade = pool_.Remade(); !remade.empty()) log_.Say(remade);
  const auto begun = std::chrono::steady_clock::now();
  RunPool::GateOf gate;
  if (past_saturation_ >= 0 && HasSeveralLoads(plan_)) gate = SaturationGate(plan_, past_saturation_);
  const std::vector<RunOutcome> outcomes =
      pool_.Run([](const nlohmann::ordered_json& results, std::size_t) { return PointText(results); },
                [this](const std::string& line) { log_.Say(line); }, gate);
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::vector<int> codes;
  for (const RunOutcome& one : outcomes) codes.push_back(one.exit_code);
  const int code = WorstExitCode(codes);
  results_ = SweepJson(plan_, outcomes, code, wall_s);
  log_.directory().Write("sweep.csv", SweepCsv(plan_, outcomes));
  log_.directory().Write("sweep.svg", SweepSvg(plan_, results_["points"].get<std::vector<nlohmann::ordered_json>>()));
  if (code == kTimedOut) log_.Say(fmt::format("TIMEOUT {}/sweep: {}", Name(), kTimeIsUp));
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
