// SPDX-License-Identifier: Apache-2.0
#include "cosim/network/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <thread>
#include <utility>

#include "cosim/network/net_report.h"
#include "cosim/network/sweep_results.h"
#include "cosim/report/report.h"
#include "cosim/run/manifest.h"
#include "support/errors.h"

namespace tilefly::cosim {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Of the output of a run that ended badly, what is kept.
constexpr std::size_t kLastLines = 20;

NetSettings Resolved(NetSettings settings) {
  settings.ResolveInputs();
  return settings;
}

/// Null when there is none.
Json ReadJson(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return nullptr;
  const Json json = Json::parse(in, nullptr, false);
  return json.is_object() ? json : Json(nullptr);
}

/// "load 0.1:0.9:0.1, size 64:4096:64".
std::string RangesText(const SweepPlan& plan) {
  std::vector<std::string> ranges;
  for (const SweptSetting& one : plan.swept) ranges.push_back(fmt::format("{} {}", one.setting->option, one.range));
  return fmt::format("{}", fmt::join(ranges, ", "));
}

int CodeOf(const std::string& verdict) {
  for (const Verdict one : {Verdict::kPass, Verdict::kFail, Verdict::kNoProgress}) {
    if (verdict == ToString(one)) return ExitCodeOf(one);
  }
  return -1;
}

}  // namespace

int WorstExitCode(const std::vector<int>& codes) {
  constexpr std::array<int, 7> kFromBad = {kInterruptedByUser, kInternal, kUsage, kCheckFailed, kStuck,
                                           kTimedOut,          kPassed};
  const int* worst = kFromBad.end() - 1;
  for (const int code : codes) {
    const int* place = std::find(kFromBad.begin(), kFromBad.end(), code < 0 ? kInterruptedByUser : code);
    if (place == kFromBad.end()) place = std::find(kFromBad.begin(), kFromBad.end(), kInternal);
    worst = std::min(worst, place);
  }
  return *worst;
}

SweepSession::SweepSession(NetSettings settings, SessionOptions options, fs::path program, int jobs)
    : settings_(Resolved(std::move(settings))),
      options_(std::move(options)),
      program_(std::move(program)),
      plan_(settings_),
      jobs_(jobs > 0 ? jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      directory_(options_.output_dir.empty() ? RunDirectory::NewName("net/sweep") : options_.output_dir, "points"),
      outcomes_(plan_.points.size()) {}

void SweepSession::Say(const std::string& line) {
  log_ += line + "\n";
  if (options_.verbosity >= 0) fmt::print(stderr, "{}\n", line);
}

int SweepSession::Run() {
  directory_.Folder("points");
  directory_.Write("config.resolved.yaml", settings_.ToYaml());
  const bool seeds = IsRange(settings_.Get("seed"));
  directory_.Write("manifest.json",
                   ManifestJson(options_.version, options_.arguments,
                                seeds ? 0 : static_cast<std::uint32_t>(settings_.Integer("seed", 0, 0xffffffff)),
                                settings_.ToYaml(), settings_.InputFiles()));
  ReadFinished();
  Say(fmt::format("sweep of {}: {} runs{}, {} at a time, in {}", RangesText(plan_), plan_.points.size(),
                  to_run_ < plan_.points.size() ? fmt::format(", {} of them done", plan_.points.size() - to_run_) : "",
                  jobs_, directory_.path().string()));
  RunAll();
  std::vector<int> codes;
  for (const SweepOutcome& one : outcomes_) codes.push_back(one.exit_code);
  const int code = WorstExitCode(codes);
  const double wall_s = std::chrono::duration<double>(Clock::now() - begun_).count();
  results_ = SweepJson(plan_, outcomes_, code, wall_s);
  directory_.Write("sweep.csv", SweepCsv(plan_, outcomes_));
  directory_.Write("sweep.svg", SweepSvg(plan_, outcomes_));
  const auto unfinished = std::count_if(codes.begin(), codes.end(), [](int one) { return one < 0; });
  if (unfinished > 0) {
    Say(fmt::format("{} runs are left; the same command with --output-dir {} makes them", unfinished,
                    directory_.path().string()));
  }
  Say(fmt::format("  results: {}", (directory_.path() / "sweep.csv").string()));
  Say(fmt::format("  report:  {}", (directory_.path() / "report.html").string()));
  directory_.Write("log.txt", log_);
  directory_.Write("sweep.json", results_.dump(2) + "\n");
  const ReportParts report = SweepReport(results_);
  WriteReport(directory_.path(), report.results, report.detail);
  return code;
}

/// Whether `results` in the point's folder are of a whole run with the same settings, files and version.
bool SweepSession::IsFinished(const SweepPoint& point, const Json& results) const {
  if (!results.is_object() || CodeOf(results.value("verdict", "")) < 0) return false;
  const Json then = ReadJson(FolderOf(point) / "manifest.json");
  const Json now =
      Json::parse(ManifestJson(options_.version, {}, 0, point.settings.ToYaml(), point.settings.InputFiles()));
  const std::array<const char*, 4> same = {"version", "compiler", "config_digest", "inputs"};
  return then.is_object() && std::all_of(same.begin(), same.end(), [&](const char* key) {
           return then.contains(key) && then.at(key) == now.at(key);
         });
}

void SweepSession::ReadFinished() {
  for (std::size_t i = plan_.points.size(); i-- > 0;) {
    const SweepPoint& point = plan_.points[i];
    Json results = ReadJson(FolderOf(point) / "results.json");
    if (!IsFinished(point, results)) {
      waiting_.push_back(i);
      continue;
    }
    outcomes_[i] = {true, CodeOf(results["verdict"]), results.value("message", ""), std::move(results)};
  }
  to_run_ = waiting_.size();
}

void SweepSession::RunAll() {
  begun_ = Clock::now();
  std::vector<std::thread> workers;
  for (int i = 0; i < std::min<std::int64_t>(jobs_, static_cast<std::int64_t>(to_run_)); ++i) {
    workers.emplace_back([this] { RunNext(); });
  }
  for (std::thread& worker : workers) worker.join();
}

/// Runs points as long as there are any.
void SweepSession::RunNext() {
  for (;;) {
    std::size_t index;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (waiting_.empty() || Stopped()) return;
      index = waiting_.back();
      waiting_.pop_back();
    }
    SweepOutcome outcome;
    try {
      outcome = RunPoint(plan_.points[index]);
    } catch (const std::exception& error) {
      outcome.exit_code = kInternal;
      outcome.message = error.what();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    outcomes_[index] = std::move(outcome);
    SayPoint(index);
  }
}

SweepOutcome SweepSession::RunPoint(const SweepPoint& point) const {
  SweepOutcome outcome;
  const fs::path folder = FolderOf(point);
  fs::remove_all(folder);  // what a run that was broken off has left
  std::vector<std::string> last;
  ChildOptions child;
  child.command = {program_.string(), "net", "--quiet", "--output-dir", folder.string()};
  for (const Setting& setting : NetSettings::Table()) {
    child.command.emplace_back("--set");
    child.command.push_back(fmt::format("{}={}", setting.path, point.settings.Get(setting.path)));
  }
  child.on_line = [&](const std::string& line) {
    last.push_back(line);
    if (last.size() > kLastLines) last.erase(last.begin());
  };
  child.stop = options_.stop;
  const ChildEnd end = RunChild(child);
  outcome.results = ReadJson(folder / "results.json");
  if (outcome.results.is_object()) outcome.message = outcome.results.value("message", "");
  switch (end.kind) {
    case ChildEnd::Kind::kExited:
      outcome.exit_code = end.code == kInterruptedByUser ? -1 : end.code;
      break;
    case ChildEnd::Kind::kSignalled:
      outcome.exit_code = kInternal;
      outcome.message = fmt::format("ended by signal {}", end.code);
      break;
    case ChildEnd::Kind::kStopped:
    case ChildEnd::Kind::kTimedOut:
      outcome.results = nullptr;
      return outcome;
  }
  if (outcome.exit_code != kPassed && !last.empty()) {
    outcome.message += fmt::format("{}{}", outcome.message.empty() ? "" : "\n", fmt::join(last, "\n"));
  }
  return outcome;
}

/// A line for a point that has been run.
void SweepSession::SayPoint(std::size_t index) {
  const SweepOutcome& outcome = outcomes_[index];
  if (outcome.exit_code < 0) return;
  ++done_;
  std::string line =
      fmt::format("{:{}}/{}  {}: ", done_, std::to_string(to_run_).size(), to_run_, plan_.points[index].name);
  if (outcome.results.is_object()) line += PointText(outcome.results);
  if (outcome.exit_code != kPassed) line += fmt::format(" exit code {}", outcome.exit_code);
  const double spent = std::chrono::duration<double>(Clock::now() - begun_).count();
  if (done_ < to_run_) {
    line += fmt::format("  ({:.0f} s left)", spent / static_cast<double>(done_) * static_cast<double>(to_run_ - done_));
  }
  Say(line);
  if (outcome.exit_code != kPassed && !outcome.message.empty()) Say(outcome.message);
}

}  // namespace tilefly::cosim
