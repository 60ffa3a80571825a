// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/run_pool.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "runs/common/child_process.h"
#include "runs/common/command.h"
#include "runs/common/digest.h"
#include "runs/common/manifest.h"
#include "support/cores.h"

namespace tilefly::runs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Of the output of a run that ended badly, what is kept.
constexpr std::size_t kLastLines = 20;
/// After the deadline, for runs to end by themselves.
constexpr std::chrono::seconds kGrace{2};

/// The argument that gives a run its value of a setting: what an option gave by that option, so that messages name it.
/// None of a setting that is empty, as its default is.
std::vector<std::string> ArgumentsOf(const Setting& setting, const SettingValues& settings) {
  const std::string path = setting.path;
  const std::string& value = settings.Get(path);
  if (value.empty() && *setting.initial == '\0') return {};
  const bool given = !value.empty() && value != setting.initial && value != settings.OfAuto(path);
  const std::string name = settings.NameOf(path);
  if (given && name.rfind("--", 0) == 0) return {fmt::format("{}={}", name, value)};
  return {"--set", fmt::format("{}={}", path, value)};
}

/// Null when there is none.
Json ReadJson(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return nullptr;
  const Json json = Json::parse(in, nullptr, false);
  return json.is_object() ? json : Json(nullptr);
}

std::string VerdictOfResults(const Json& results) {
  return results.is_object() ? results.value("verdict", "") : std::string();
}

/// The exit code of a run that has come to an end by itself with this verdict, -1: it has not.
int CodeOf(const std::string& verdict) {
  for (const Verdict one : {Verdict::kPass, Verdict::kFail, Verdict::kUndecided, Verdict::kNoProgress}) {
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

const char* VerdictOfExitCode(int code) {
  for (const Verdict one : {Verdict::kPass, Verdict::kInterrupted, Verdict::kTimeout}) {
    if (code == ExitCodeOf(one)) return ToString(one);
  }
  return ToString(Verdict::kFail);
}

const char* VerdictOfRuns(const std::vector<RunOutcome>& outcomes, int code) {
  const bool undecided =
      code == ExitCodeOf(Verdict::kUndecided) && std::all_of(outcomes.begin(), outcomes.end(), [&](const auto& one) {
        return one.exit_code != code || VerdictOfResults(one.results) == ToString(Verdict::kUndecided);
      });
  return undecided ? ToString(Verdict::kUndecided) : VerdictOfExitCode(code);
}

RunPool::RunPool(RunPoolOptions options, std::vector<PoolRun> runs)
    : options_(std::move(options)), runs_(std::move(runs)), outcomes_(runs_.size()) {
  if (options_.jobs <= 0) options_.jobs = std::max(1, UsableCores() / std::max(1, options_.threads));
  ReadFinished();
  const int at_a_time = static_cast<int>(std::min<std::size_t>(options_.jobs, std::max<std::size_t>(1, to_run_)));
  if (options_.threads <= 0) options_.threads = std::max(1, UsableCores() / at_a_time);
}

/// Whether `results` in the run's folder are of a whole run of the same program with the same settings and files.
bool RunPool::IsFinished(const PoolRun& run, const Json& results) {
  if (CodeOf(VerdictOfResults(results)) < 0) return false;
  const Json then = ReadJson(FolderOf(run) / "manifest.json");
  const Json now = Json::parse(ManifestJson(options_.version, {}, 0, run.settings.ToYaml(), run.settings.InputFiles()));
  const auto same = [&](std::initializer_list<const char*> keys) {
    return then.is_object() && std::all_of(keys.begin(), keys.end(), [&](const char* key) {
             return then.contains(key) && then.at(key) == now.at(key);
           });
  };
  const bool build = same({"version", "program_digest", "compiler"});
  const bool settings = same({"config_digest", "inputs"});
  other_build_ += !build;
  other_settings_ += build && !settings;
  return build && settings;
}

std::string RunPool::Remade() const {
  std::string text;
  if (other_build_ > 0) text = fmt::format("{} of another build of the program", other_build_);
  if (other_settings_ > 0) {
    text += fmt::format("{}{} with other settings or input files", text.empty() ? "" : " and ", other_settings_);
  }
  return text.empty() ? "" : fmt::format("made again, for what is there is {}", text);
}

void RunPool::ReadFinished() {
  for (std::size_t i = runs_.size(); i-- > 0;) {
    Json results = ReadJson(FolderOf(runs_[i]) / "results.json");
    if (!IsFinished(runs_[i], results)) {
      waiting_.push_back(i);
      continue;
    }
    outcomes_[i] = {true, false, CodeOf(results["verdict"]), results.value("message", ""), std::move(results)};
  }
  to_run_ = waiting_.size();
}

std::vector<RunOutcome> RunPool::Run(const Summary& summary, const Told& told, const GateOf& gate) {
  begun_ = Clock::now();
  std::vector<std::thread> workers;
  for (int i = 0; i < std::min<std::int64_t>(options_.jobs, static_cast<std::int64_t>(to_run_)); ++i) {
    workers.emplace_back([&] { RunNext(summary, told, gate); });
  }
  for (std::thread& worker : workers) worker.join();
  if (!Stopped() && Late()) EndLate();
  return outcomes_;
}

/// What the deadline has left.
void RunPool::EndLate() {
  for (const std::size_t index : waiting_) outcomes_[index] = {false, false, kTimedOut, kTimeIsUp, nullptr};
}

/// Makes runs as long as there are any.
void RunPool::RunNext(const Summary& summary, const Told& told, const GateOf& gate) {
  while (const std::optional<std::size_t> index = NextOpen(summary, told, gate)) {
    RunOutcome outcome;
    try {
      outcome = RunOne(runs_[*index]);
    } catch (const std::exception& error) {
      outcome.exit_code = kInternal;
      outcome.message = error.what();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    --under_way_;
    End(*index, std::move(outcome), summary, told);
  }
}

/// The next run that may begin, when there is one; nothing: there will be none.
std::optional<std::size_t> RunPool::NextOpen(const Summary& summary, const Told& told, const GateOf& gate) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    for (std::size_t place = waiting_.size(); place-- > 0;) {
      if (Stopped() || Late()) return std::nullopt;
      const std::size_t index = waiting_[place];
      RunOutcome skipped;
      const Gate state = gate ? gate(index, outcomes_, &skipped.message) : Gate::kOpen;
      if (state == Gate::kWait) continue;
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(place));
      if (state == Gate::kOpen) {
        ++under_way_;
        return index;
      }
      skipped.skipped = true;
      skipped.exit_code = kPassed;
      End(index, std::move(skipped), summary, told);
    }
    if (waiting_.empty() || under_way_ == 0) return std::nullopt;
    ended_.wait(lock);
  }
}

/// A run has ended, or is skipped. Call with the mutex.
void RunPool::End(std::size_t index, RunOutcome outcome, const Summary& summary, const Told& told) {
  outcomes_[index] = std::move(outcome);
  ended_.notify_all();
  if (outcomes_[index].exit_code < 0) return;
  ++done_;
  told(LineOf(index, summary));
}

RunOutcome RunPool::RunOne(const PoolRun& run) const {
  RunOutcome outcome;
  const fs::path folder = FolderOf(run);
  fs::remove_all(folder);  // what a run that was broken off has left
  std::vector<std::string> last;
  ChildOptions child;
  child.command = {options_.program.string(), options_.command, "--quiet", "--output-dir", folder.string()};
  if (options_.command == "net")
    child.command.insert(child.command.end(), {"--threads", std::to_string(options_.threads)});
  for (const Setting& setting : run.settings.table()) {
    for (std::string& argument : ArgumentsOf(setting, run.settings)) child.command.push_back(std::move(argument));
  }
  child.on_line = [&](const std::string& line) {
    last.push_back(line);
    if (last.size() > kLastLines) last.erase(last.begin());
  };
  child.stop = options_.stop;
  // A run that began with the others ends by its own --timeout, and says how far it came.
  if (options_.deadline != Clock::time_point::max()) child.deadline = options_.deadline + kGrace;
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
      outcome.results = nullptr;
      return outcome;
    case ChildEnd::Kind::kTimedOut:
      return {false, false, kTimedOut, kTimeIsUp, nullptr};
  }
  const Json manifest = ReadJson(folder / "manifest.json");
  if (manifest.is_object() && manifest.value("program_digest", "") != ProgramDigest()) {
    outcome.results = nullptr;
    outcome.exit_code = kInternal;
    outcome.message = fmt::format("{} was built again while its runs were under way; give the command again",
                                  options_.program.string());
    return outcome;
  }
  if (outcome.exit_code != kPassed && !last.empty()) {
    outcome.message += fmt::format("{}{}", outcome.message.empty() ? "" : "\n", fmt::join(last, "\n"));
  }
  return outcome;
}

std::string RunPool::LineOf(std::size_t index, const Summary& summary) const {
  const RunOutcome& outcome = outcomes_[index];
  std::string line = fmt::format("{:{}}/{}  {}: ", done_, std::to_string(to_run_).size(), to_run_, runs_[index].name);
  if (outcome.skipped) line += "skipped, " + outcome.message;
  if (outcome.results.is_object()) line += summary(outcome.results, index);
  if (outcome.exit_code != kPassed) line += fmt::format(" exit code {}", outcome.exit_code);
  const double spent = std::chrono::duration<double>(Clock::now() - begun_).count();
  if (done_ < to_run_) {
    line += fmt::format("  ({:.0f} s left)", spent / static_cast<double>(done_) * static_cast<double>(to_run_ - done_));
  }
  if (outcome.exit_code != kPassed && !outcome.message.empty()) line += "\n" + outcome.message;
  return line;
}

}  // namespace tilefly::runs
