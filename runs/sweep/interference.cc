// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/interference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "runs/common/common_settings.h"
#include "runs/common/figures.h"
#include "runs/common/manifest.h"
#include "runs/report/report.h"
#include "runs/sweep/interference_results.h"
#include "runs/sweep/sweep_plan.h"
#include "support/errors.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kInterferenceCommand = "net interference";

NetSettings InterferenceSettings(NetSettings settings) {
  if (ReseedsOf(settings) > 1)
    throw UsageError(
        fmt::format("--interference: its runs have one seed; leave --reseeds {} out", ReseedsOf(settings)));
  if (IsSweep(settings)) {
    const std::string option = SweepPlan(settings).swept.front().setting->option;
    throw UsageError(fmt::format("--interference: its runs have the same settings; give --{} one value", option));
  }
  if (settings.JobTexts().size() + !settings.Get("traffic.background").empty() < 2)
    throw UsageError("--interference: one job has nothing beside it; give more with + in --traffic, or a --background");
  settings.ResolveInputs();
  return settings;
}

/// The jobs on their places. All that is wrong with the settings is said here, before any run.
std::vector<InterferingJob> JobsOf(NetSettings settings) {
  settings.Resolve();
  const NetRunOptions options = settings.ToRunOptions();
  if (options.network.hosts.workload->Repeats())
    throw UsageError("--interference: a job that repeats has no completion time; leave repeat out");
  std::vector<InterferingJob> jobs;
  for (const workload::Job& job : options.network.hosts.workload->jobs)
    jobs.push_back({job.pattern, job.text, fmt::format("{}", fmt::join(job.endpoints, "/")), job.endpoints.size()});
  return jobs;
}

/// "job 0 pingpong 8450.0 ns".
std::string CompletionsText(const Json& results) {
  std::vector<std::string> texts;
  for (const Json& job : results.value("jobs", Json::array()))
    texts.push_back(fmt::format("job {} {} {}", job["job"].dump(), job["pattern"].get<std::string>(),
                                InWords(job["completion_ns"], 1, " ns")));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

InterferenceSession::InterferenceSession(NetSettings settings, SessionOptions options, std::filesystem::path program,
                                         int jobs)
    : settings_(InterferenceSettings(std::move(settings))),
      options_(std::move(options)),
      jobs_(JobsOf(settings_)),
      log_(options_, "net/interference", kInterferenceCommand),
      pool_({std::move(program), log_.directory().path() / "points", options_.version, jobs, options_.stop,
             DeadlineOf(settings_), "net", options_.threads},
            Runs()) {}

/// All together, which takes longest, and then each alone.
std::vector<PoolRun> InterferenceSession::Runs() const {
  NetSettings together = settings_;
  together.Resolve();
  std::vector<PoolRun> runs = {{"together", together}};
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    NetSettings alone = settings_;
    alone.Set("traffic.only", std::to_string(j), "interference");
    alone.Resolve();
    runs.push_back({fmt::format("alone-{}", j), alone});
  }
  return runs;
}

int InterferenceSession::Run() {
  log_.directory().Write("config.resolved.yaml", settings_.ToYaml());
  for (const std::string& warning : options_.warnings) log_.Say(warning);
  log_.directory().Write("manifest.json",
                         ManifestJson(options_.version, options_.arguments,
                                      static_cast<std::uint32_t>(settings_.Integer("seed", 0, 0xffffffff)),
                                      settings_.ToYaml(), settings_.InputFiles(), kInterferenceCommand));
  const std::size_t runs = jobs_.size() + 1;
  log_.Say(fmt::format("interference of {} jobs{}: {} runs{}, {} at a time, in {}", jobs_.size(),
                       settings_.Get("traffic.background").empty() ? "" : " and a background", runs,
                       pool_.reused() > 0 ? fmt::format(", {} of them done", pool_.reused()) : "", pool_.jobs(),
                       log_.directory().path().string()));
  if (const std::string remade = pool_.Remade(); !remade.empty()) log_.Say(remade);
  const auto begun = std::chrono::steady_clock::now();
  const std::vector<RunOutcome> outcomes =
      pool_.Run([](const nlohmann::ordered_json& results, std::size_t) { return CompletionsText(results); },
                [this](const std::string& line) { log_.Say(line); });
  std::vector<int> codes;
  for (const RunOutcome& one : outcomes) codes.push_back(one.exit_code);
  const int code = WorstExitCode(codes);
  results_ = InterferenceJson(settings_, jobs_, outcomes, code);
  results_["machine"]["wall_s"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  if (code == kTimedOut) log_.Say(fmt::format("TIMEOUT net/interference: {}", kTimeIsUp));
  const auto left = std::count_if(codes.begin(), codes.end(), [](int one) { return one < 0 || one == kTimedOut; });
  if (left > 0)
    log_.Say(fmt::format("{} left; the same command with --output-dir {} makes {}",
                         left == 1 ? "1 run is" : fmt::format("{} runs are", left), log_.directory().path().string(),
                         left == 1 ? "it" : "them"));
  log_.Hold();
  for (const std::string& line : InterferenceLines(results_)) log_.Say(line);
  log_.Say(fmt::format("  results: {}", (log_.directory().path() / "interference.json").string()));
  log_.Say(fmt::format("  report:  {}", (log_.directory().path() / "report.html").string()));
  log_.directory().Write("interference.csv", InterferenceCsv(results_));
  log_.directory().Write("interference.svg", InterferenceSvg(results_));
  log_.directory().Write("interference.json", results_.dump(2) + "\n");
  const ReportParts report = InterferenceReport(results_);
  WriteReport(log_.directory().path(), report.results, report.detail);
  log_.Close();
  return code;
}

}  // namespace tilefly::runs
