// SPDX-License-Identifier: Apache-2.0
// A sweep of `tilefly net`: one run for each combination of the values of settings that are ranges (docs/sweeps.md).
#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cosim/network/sweep_plan.h"
#include "cosim/run/child_process.h"
#include "cosim/run/command.h"
#include "cosim/run/run_directory.h"

namespace tilefly::cosim {

/// What became of a point.
struct SweepOutcome {
  bool reused = false;             ///< an earlier sweep has run it
  int exit_code = -1;              ///< of its run; -1: not run
  std::string message;             ///< why it did not pass
  nlohmann::ordered_json results;  ///< its results.json, null without one
};

/// The exit code of a sweep whose points ended with `codes`: the worst of them. From bad to good: interrupted, internal
/// error, wrong usage, failed, no progress, time-out, passed.
int WorstExitCode(const std::vector<int>& codes);

/// Runs the points of a sweep, each as a program of its own, several at a time.
class SweepSession {
 public:
  /// `program` with `net` and the settings of a point runs the point. Throws UsageError.
  SweepSession(NetSettings settings, SessionOptions options, std::filesystem::path program, int jobs);

  /// Returns the exit code. Points that an earlier sweep in the same folder has finished are not run again.
  int Run();
  /// `sweep.json`.
  const nlohmann::ordered_json& results() const { return results_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path FolderOf(const SweepPoint& point) const { return directory_.path() / "points" / point.name; }
  void ReadFinished();
  bool IsFinished(const SweepPoint& point, const nlohmann::ordered_json& results) const;
  void RunAll();
  void RunNext();
  SweepOutcome RunPoint(const SweepPoint& point) const;
  void SayPoint(std::size_t index);
  void Say(const std::string& line);
  bool Stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  NetSettings settings_;
  SessionOptions options_;
  std::filesystem::path program_;
  SweepPlan plan_;
  int jobs_;
  RunDirectory directory_;
  std::vector<SweepOutcome> outcomes_;  ///< by point
  std::mutex mutex_;                    ///< of what follows, while points run
  std::vector<std::size_t> waiting_;    ///< points to be run, the next one last
  std::size_t done_ = 0;
  std::size_t to_run_ = 0;
  Clock::time_point begun_;
  std::string log_;
  nlohmann::ordered_json results_;
};

}  // namespace tilefly::cosim
