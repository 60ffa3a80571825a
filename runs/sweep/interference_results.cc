// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/interference_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runs/common/extensions.h"
#include "runs/common/figures.h"
#include "runs/sweep/sweep_results.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

/// A figure of a job in a run: its name here, and where it is in an entry of `jobs` of results.json.
struct JobFigure {
  const char* name;
  const char* pointer;
};
constexpr JobFigure kJobFigures[] = {{"completion_ns", "/completion_ns"},
                                     {"iteration_mean_ns", "/iteration_ns/mean"},
                                     {"iteration_p99_ns", "/iteration_ns/p99"},
                                     {"algorithm_bytes_per_s", "/algorithm_bytes_per_s"},
                                     {"bus_bytes_per_s", "/bus_bytes_per_s"}};

/// Together over alone, both in cycles.
constexpr JobFigure kSlowdowns[] = {{"slowdown", "/completion_cycles"},
                                    {"iteration_mean_slowdown", "/iteration_cycles/mean"},
                                    {"iteration_p99_slowdown", "/iteration_cycles/p99"}};

/// The job's entry in results.json, null when the run has none or the job is not done in it.
Json DoneJob(const RunOutcome& outcome, std::size_t number) {
  if (!outcome.results.is_object()) return nullptr;
  for (const Json& job : outcome.results.value("jobs", Json::array())) {
    if (job["job"] == number && !job["completion_cycles"].is_null()) return job;
  }
  return nullptr;
}

Json FigureAt(const Json& job, const char* pointer) {
  return job.is_object() ? job.value(Json::json_pointer(pointer), Json()) : Json();
}

Json RunJson(const RunOutcome& outcome, const std::string& name) {
  Json json{{"verdict", VerdictOf(outcome)}, {"exit_code", ExitCodeOf(outcome)}};
  if (outcome.exit_code != kPassed && !outcome.message.empty()) json["message"] = outcome.message;
  json["directory"] = outcome.results.is_object() ? Json("points/" + name) : Json();
  return json;
}

/// The job in a run.
Json JobInRun(const RunOutcome& outcome, const std::string& name, std::size_t number) {
  Json json = RunJson(outcome, name);
  const Json job = DoneJob(outcome, number);
  for (const JobFigure& figure : kJobFigures) json[figure.name] = FigureAt(job, figure.pointer);
  return json;
}

/// Of the job's time beside the others, the share in which at least one of them was not done.
Json BesideOthers(const RunOutcome& together, std::size_t number, std::size_t jobs) {
  const Json own = FigureAt(DoneJob(together, number), "/completion_cycles");
  if (!own.is_number()) return nullptr;
  if (together.results.contains("background")) return 1.0;
  double longest = 0;
  for (std::size_t j = 0; j < jobs; ++j) {
    if (j == number) continue;
    const Json other = FigureAt(DoneJob(together, j), "/completion_cycles");
    if (!other.is_number()) return 1.0;  // it was not done when all ended
    longest = std::max(longest, other.get<double>());
  }
  return own.get<double>() > 0 ? Json(std::min(1.0, longest / own.get<double>())) : Json();
}

std::string CsvField(const Json& value) {
  return value.is_number_float() ? fmt::format("{:.9g}", value.get<double>()) : value.is_null() ? "" : value.dump();
}

std::string TimesText(const Json& slowdown) { return InWords(slowdown, 3, " times"); }

}  // namespace

Json InterferenceJson(const NetSettings& settings, const std::vector<InterferingJob>& jobs,
                      const std::vector<RunOutcome>& outcomes, int exit_code) {
  Json json{{"verdict", VerdictOfExitCode(exit_code)}, {"exit_code", exit_code}};
  json["topology"] = settings.Get("topology");
  json["routing"] = settings.Get("routing");
  json["traffic"] = fmt::format("{}", fmt::join(settings.JobTexts(), "+"));
  json["allocation"] = settings.Get("traffic.allocation");
  const std::string& background = settings.Get("traffic.background");
  json["background"] = background.empty() ? Json(nullptr) : Json(background);
  json["seed"] = settings.Integer("seed", 0, 0xffffffff);
  const RunOutcome& together = outcomes.front();
  json["jobs"] = Json::array();
  double cpu_s = 0;
  int reused = 0;
  for (const RunOutcome& one : outcomes) {
    reused += one.reused;
    if (!one.reused && one.results.is_object()) cpu_s += one.results.value("/machine/cpu_s"_json_pointer, 0.0);
  }
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const RunOutcome& alone = outcomes[j + 1];
    Json job{{"job", j},
             {"pattern", jobs[j].pattern},
             {"text", jobs[j].text},
             {"ranks", jobs[j].ranks},
             {"at", jobs[j].at},
             {"alone", JobInRun(alone, fmt::format("alone-{}", j), j)},
             {"together", JobInRun(together, "together", j)}};
    for (const JobFigure& slowdown : kSlowdowns) {
      const Json before = FigureAt(DoneJob(alone, j), slowdown.pointer);
      const Json after = FigureAt(DoneJob(together, j), slowdown.pointer);
      const bool known = before.is_number() && after.is_number() && before.get<double>() > 0;
      job[slowdown.name] = known ? Json(after.get<double>() / before.get<double>()) : Json();
    }
    job["beside_others"] = BesideOthers(together, j, jobs.size());
    json["jobs"].push_back(std::move(job));
  }
  json["together"] = RunJson(together, "together");
  json["together"]["background"] = together.results.is_object() ? together.results.value("background", Json()) : Json();
  json["machine"] = Json{{"wall_s", nullptr}, {"cpu_s", cpu_s}, {"reused_runs", reused}};
  return json;
}

std::string InterferenceCsv(const Json& interference) {
  std::string text = "job,pattern,ranks";
  for (const JobFigure& figure : kJobFigures) text += fmt::format(",alone_{0},together_{0}", figure.name);
  for (const JobFigure& slowdown : kSlowdowns) text += fmt::format(",{}", slowdown.name);
  text += ",beside_others\n";
  for (const Json& job : interference["jobs"]) {
    text += fmt::format("{},{},{}", CsvField(job["job"]), job["pattern"].get<std::string>(), CsvField(job["ranks"]));
    for (const JobFigure& figure : kJobFigures)
      text += fmt::format(",{},{}", CsvField(job["alone"][figure.name]), CsvField(job["together"][figure.name]));
    for (const JobFigure& slowdown : kSlowdowns) text += "," + CsvField(job[slowdown.name]);
    text += fmt::format(",{}\n", CsvField(job["beside_others"]));
  }
  return text;
}

std::vector<std::string> InterferenceLines(const Json& interference) {
  std::vector<std::string> lines;
  for (const Json& job : interference["jobs"]) {
    const Json &alone = job["alone"], &together = job["together"];
    const auto both = [&](const char* figure) {
      return fmt::format("{} alone, {} together", InWords(alone[figure], 1, " ns"),
                         InWords(together[figure], 1, " ns"));
    };
    lines.push_back(fmt::format("job {} {} of {} ranks: {}, {}", job["job"].dump(), job["pattern"].get<std::string>(),
                                job["ranks"].dump(), both("completion_ns"), TimesText(job["slowdown"])));
    lines.push_back(
        fmt::format("  iteration mean: {}, {}", both("iteration_mean_ns"), TimesText(job["iteration_mean_slowdown"])));
    lines.push_back(
        fmt::format("  iteration p99: {}, {}", both("iteration_p99_ns"), TimesText(job["iteration_p99_slowdown"])));
    if (!alone["bus_bytes_per_s"].is_null() && !together["bus_bytes_per_s"].is_null())
      lines.push_back(fmt::format("  bus bandwidth: {:.4g} GB/s alone, {:.4g} GB/s together",
                                  alone["bus_bytes_per_s"].get<double>() * 1e-9,
                                  together["bus_bytes_per_s"].get<double>() * 1e-9));
    const Json& beside = job["beside_others"];
    if (beside.is_number() && beside.get<double>() < 1)
      lines.push_back(fmt::format("  beside others in {:.1f} % of its time together only: they were done before it",
                                  100 * beside.get<double>()));
  }
  return lines;
}

ReportParts InterferenceReport(const Json& interference) {
  ReportParts parts{interference, nlohmann::json::object()};
  std::string failed;
  const auto add = [&](const std::string& name, const Json& run) {
    if (run["exit_code"] == kPassed) return;
    failed += fmt::format("{}: {}{}\n", name, run["verdict"].get<std::string>(),
                          run.contains("message") ? ": " + run["message"].get<std::string>() : "");
  };
  add("together", interference["together"]);
  for (const Json& job : interference["jobs"]) add(fmt::format("alone-{}", job["job"].dump()), job["alone"]);
  if (!failed.empty()) parts.detail["failure"] = {{"text", failed}};
  parts.detail["interference"] = interference.at("jobs");
  for (const char* key : {"jobs", "together", "exit_code"}) parts.results.erase(key);
  parts.results["level"] = "net interference";
  parts.detail["files"] = {"interference.csv", "interference.svg",     "interference.json",
                           "manifest.json",    "config.resolved.yaml", "log.txt"};
  parts.detail["command"] = ProgramName() + " net --config config.resolved.yaml --interference";
  return parts;
}

}  // namespace tilefly::runs
