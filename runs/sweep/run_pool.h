// SPDX-License-Identifier: Apache-2.0
// Many runs of a command, each as a program of its own in a folder of its own, several at a time. What an earlier
// pool has finished there is not run again.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runs/common/setting_values.h"

namespace tilefly::runs {

/// A run of a pool.
struct PoolRun {
  std::string name;        ///< of its folder; unlike the others'
  SettingValues settings;  ///< resolved
};

/// What became of it.
struct RunOutcome {
  bool reused = false;             ///< an earlier pool has run it
  bool skipped = false;            ///< nobody has, for `message`
  int exit_code = -1;              ///< of its run; -1: not run
  std::string message;             ///< why it did not pass
  nlohmann::ordered_json results;  ///< its results.json, null without one
};

/// The exit code of a command whose runs ended with `codes`: the worst of them. From bad to good: interrupted, internal
/// error, wrong usage, failed, no progress, time-out, passed.
int WorstExitCode(const std::vector<int>& codes);

/// The verdict of a command whose runs ended with `code`: pass, interrupted, timeout or fail.
const char* VerdictOfExitCode(int code);

/// The same of a command whose runs ended with `outcomes`, the worst of them with `code`: undecided when some run is
/// undecided and no run is worse.
const char* VerdictOfRuns(const std::vector<RunOutcome>& outcomes, int code);

struct RunPoolOptions {
  std::filesystem::path program;  ///< with `command` and settings it makes a run
  std::filesystem::path folder;   ///< has a folder for each run
  std::string version;
  int jobs = 0;  ///< runs at a time; 0: as many as there are cores for
  const std::atomic<bool>* stop = nullptr;
  std::chrono::steady_clock::time_point deadline =
      std::chrono::steady_clock::time_point::max();  ///< of all runs together
  std::string command = "net";
  int threads = 0;  ///< of each run of `net`; 0: its part of the cores
};

class RunPool {
 public:
  /// Called for each run that has ended, one call at a time, with a line that says so: how many are done, its name,
  /// what `Summary` says of its results, why it did not pass, how long the others will take.
  using Told = std::function<void(const std::string& line)>;
  /// The main figures of run `index` in a line, from its results.json.
  using Summary = std::function<std::string(const nlohmann::ordered_json& results, std::size_t index)>;

  /// Whether a run may begin.
  enum class Gate { kOpen, kWait, kSkip };
  /// Asked of each run before it begins, one call at a time. A run that waits is asked again when another has ended;
  /// one that is skipped gets `why`. Those that wait while no run is under way are left.
  using GateOf = std::function<Gate(std::size_t index, const std::vector<RunOutcome>& outcomes, std::string* why)>;

  RunPool(RunPoolOptions options, std::vector<PoolRun> runs);

  /// Runs that were finished before.
  std::size_t reused() const { return outcomes_.size() - to_run_; }
  /// How many were finished before and are made again, and why; empty: none.
  std::string Remade() const;
  int jobs() const { return options_.jobs; }
  /// Threads of each run of `net`.
  int threads() const { return options_.threads; }
  /// Runs the others, until all are done or `stop` is set; what became of each run.
  std::vector<RunOutcome> Run(const Summary& summary, const Told& told, const GateOf& gate = nullptr);

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path FolderOf(const PoolRun& run) const { return options_.folder / run.name; }
  bool IsFinished(const PoolRun& run, const nlohmann::ordered_json& results);
  void ReadFinished();
  void RunNext(const Summary& summary, const Told& told, const GateOf& gate);
  std::optional<std::size_t> NextOpen(const Summary& summary, const Told& told, const GateOf& gate);
  void End(std::size_t index, RunOutcome outcome, const Summary& summary, const Told& told);
  RunOutcome RunOne(const PoolRun& run) const;
  std::string LineOf(std::size_t index, const Summary& summary) const;
  void EndLate();
  bool Late() const { return Clock::now() >= options_.deadline; }
  bool Stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  RunPoolOptions options_;
  std::vector<PoolRun> runs_;
  std::vector<RunOutcome> outcomes_;
  std::mutex mutex_;                  ///< of what follows, while runs are under way
  std::condition_variable ended_;     ///< a run has
  std::vector<std::size_t> waiting_;  ///< to be run, the next one last
  int under_way_ = 0;
  std::size_t done_ = 0;
  std::size_t to_run_ = 0;
  std::size_t other_build_ = 0;     ///< finished before by another build of the program
  std::size_t other_settings_ = 0;  ///< by this one with other settings or input files
  Clock::time_point begun_;
};

}  // namespace tilefly::runs
