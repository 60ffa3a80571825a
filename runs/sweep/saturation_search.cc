// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/saturation_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "runs/common/common_settings.h"
#include "runs/common/manifest.h"
#include "runs/sweep/sweep_plan.h"
#include "runs/sweep/sweep_results.h"
#include "runs/sweep/value_range.h"
#include "runs/system/steady_results.h"
#include "support/errors.h"

namespace tilefly::runs {
namespace {

constexpr const char* kSearchCommand = "net saturation";

using Json = nlohmann::ordered_json;

NetSettings SearchSettings(NetSettings settings) {
  if (ReseedsOf(settings) > 1)
    throw UsageError(fmt::format("--saturation: its runs have one seed; leave --reseeds {} out", ReseedsOf(settings)));
  if (IsSweep(settings)) {
    const std::string option = SweepPlan(settings).swept.front().setting->option;
    throw UsageError(
        fmt::format("--saturation: it chooses the loads itself, of one system; give --{} one value", option));
  }
  if (settings.HasJobs() || settings.HasCapture())
    throw UsageError("--saturation: jobs and captures have no offered load; give a pattern such as --traffic uniform");
  settings.ResolveInputs();
  return settings;
}

/// Parts of load 1.
int StepsOf(double step) {
  const double steps = std::round(1 / step);
  if (!(steps >= 2 && steps <= 1000) || std::abs(steps * step - 1) > 1e-9)
    throw UsageError(
        fmt::format("--saturation-step {}: 1 over a whole number from 2 to 1000, such as 0.05 or 0.01", step));
  return static_cast<int>(steps);
}

/// As many as tell neighbouring loads apart and write them exactly, if that can be.
int DecimalsOf(int steps) {
  int decimals = 1;
  for (std::int64_t tens = 10; decimals < 6 && tens % steps != 0; tens *= 10) ++decimals;
  return decimals;
}

}  // namespace

std::vector<int> SaturationBorders::Next() const {
  const int first_other = undecided_.empty() ? lowest_saturated_ : std::min(undecided_.front(), lowest_saturated_);
  const int last_other = undecided_.empty() ? highest_converged_ : std::max(undecided_.back(), highest_converged_);
  std::vector<int> next;
  for (const auto& [low, high] :
       {std::pair(highest_converged_, first_other), std::pair(last_other, lowest_saturated_)}) {
    const int middle = low + (high - low) / 2;
    if (high - low > 1 && (next.empty() || next.front() != middle)) next.push_back(middle);
  }
  return next;
}

void SaturationBorders::Tell(int load, Answer answer) {
  switch (answer) {
    case Answer::kConverged:
      highest_converged_ = std::max(highest_converged_, load);
      break;
    case Answer::kSaturated:
      lowest_saturated_ = std::min(lowest_saturated_, load);
      break;
    case Answer::kUndecided:
      undecided_.insert(std::lower_bound(undecided_.begin(), undecided_.end(), load), load);
      break;
  }
}

SaturationSession::SaturationSession(NetSettings settings, SessionOptions options, std::filesystem::path program,
                                     int jobs, double step)
    : settings_(SearchSettings(std::move(settings))),
      options_(std::move(options)),
      program_(std::move(program)),
      jobs_(jobs),
      steps_(StepsOf(step)),
      decimals_(DecimalsOf(steps_)),
      deadline_(DeadlineOf(settings_)),
      borders_(steps_),
      log_(options_, "net/saturation", kSearchCommand) {}

std::string SaturationSession::LoadText(int load) const {
  return fmt::format("{:.{}f}", static_cast<double>(load) / steps_, decimals_);
}

/// Of its folder: the same whatever the step.
std::string SaturationSession::NameOf(int load) const { return "load=" + PlainNumber(LoadText(load)); }

PoolRun SaturationSession::RunOf(int load) const {
  NetSettings settings = settings_;
  settings.Set("traffic.load", PlainNumber(LoadText(load)), "saturation");
  settings.Resolve();
  return {NameOf(load), settings};
}

/// Whether all have come to an end.
bool SaturationSession::RunLoads(const std::vector<int>& loads) {
  std::vector<PoolRun> runs;
  for (const int load : loads) runs.push_back(RunOf(load));
  RunPool pool({program_, log_.directory().path() / "points", options_.version, jobs_, options_.stop, deadline_,
                "net", options_.threads},
               std::move(runs));
  const std::vector<RunOutcome> ended = pool.Run(
      [](const nlohmann::ordered_json& results, std::size_t) { return PointText(results); }, [](const std::string&) {});
  bool all = true;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    outcomes_[loads[i]] = ended[i];
    const std::string verdict = SteadyVerdictOf(ended[i].results);
    all = all && !verdict.empty();
    if (verdict.empty()) {
      const std::string ending = VerdictOf(ended[i]), &why = ended[i].message;
      log_.Say(
          fmt::format("load {}: {}{}", LoadText(loads[i]), ending, why.empty() || why == ending ? "" : ": " + why));
      continue;
    }
    log_.Say(fmt::format("load {}: {}", LoadText(loads[i]), SteadyLine(ended[i].results)));
    borders_.Tell(loads[i], verdict == "converged"   ? SaturationBorders::Answer::kConverged
                            : verdict == "saturated" ? SaturationBorders::Answer::kSaturated
                                                     : SaturationBorders::Answer::kUndecided);
  }
  return all;
}

int SaturationSession::Run() {
  log_.directory().Write("config.resolved.yaml", settings_.ToYaml());
  for (const std::string& warning : options_.warnings) log_.Say(warning);
  log_.directory().Write("manifest.json",
                         ManifestJson(options_.version, options_.arguments,
                                      static_cast<std::uint32_t>(settings_.Integer("seed", 0, 0xffffffff)),
                                      settings_.ToYaml(), settings_.InputFiles(), kSearchCommand));
  log_.Say(fmt::format("search of the load at which saturation begins, in steps of {}, in {}", LoadText(1),
                       log_.directory().path().string()));
  for (std::vector<int> next = borders_.Next(); !next.empty(); next = borders_.Next()) {
    if (!RunLoads(next)) break;
  }
  std::vector<int> codes;
  for (const auto& [load, outcome] : outcomes_) codes.push_back(outcome.exit_code);
  const bool over = borders_.Next().empty(), found = over && borders_.Known(), undecided = over && !found;
  if (undecided) codes.push_back(kCheckFailed);
  const int code = WorstExitCode(codes);
  const auto load_or_null = [&](int load) {
    return load < 1 || load > steps_ ? Json(nullptr) : Json::parse(LoadText(load));
  };
  results_["verdict"] = undecided && code == kCheckFailed ? "undecided" : VerdictOfExitCode(code);
  results_["exit_code"] = code;
  results_["found"] = found;
  results_["step"] = 1.0 / steps_;
  results_["highest_converged"] = load_or_null(borders_.highest_converged());
  results_["lowest_saturated"] = load_or_null(borders_.lowest_saturated());
  results_["undecided"] = Json::array();
  for (const int load : borders_.undecided()) results_["undecided"].push_back(load_or_null(load));
  results_["points"] = Json::array();
  for (const auto& [load, outcome] : outcomes_) {
    Json point{{"load", load_or_null(load)}, {"verdict", VerdictOf(outcome)}, {"exit_code", ExitCodeOf(outcome)}};
    for (const char* key : {"offered_load", "accepted_load", "converged", "saturated"})
      point[key] = outcome.results.is_object() ? outcome.results.value(key, Json()) : Json();
    if (const std::string line = SteadyLine(outcome.results); !line.empty()) point["steady_state"] = line;
    point["directory"] = "points/" + NameOf(load);
    results_["points"].push_back(std::move(point));
  }
  log_.Hold();
  log_.Say(FoundText());
  log_.Say(fmt::format("  results: {}", (log_.directory().path() / "saturation.json").string()));
  log_.directory().Write("saturation.json", results_.dump(2) + "\n");
  log_.Close();
  return code;
}

std::string SaturationSession::FoundText() const {
  if (!borders_.Next().empty()) return "saturation: not found, a run has not come to an end";
  const int low = borders_.highest_converged(), high = borders_.lowest_saturated();
  const bool none = borders_.undecided().empty();
  std::string text = borders_.Known() ? "saturation: " : "saturation: undecided, ";
  text += high <= steps_ ? fmt::format("load {} is saturated", LoadText(high))
          : none         ? "at no load"
                         : "no load is known to be saturated";
  text += low > 0 ? fmt::format(", {} has converged", LoadText(low)) : ", no load has converged";
  if (none) return text;
  std::vector<std::string> loads;
  for (const int load : borders_.undecided()) loads.push_back(LoadText(load));
  return text + fmt::format("; undecided are {}; give a longer --max-cycles", fmt::join(loads, ", "));
}

}  // namespace tilefly::runs
