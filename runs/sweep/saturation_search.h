// SPDX-License-Identifier: Apache-2.0
// The load at which a system begins to be saturated, by halving (docs/steady-state.md, Search).
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runs/common/command.h"
#include "runs/common/run_log.h"
#include "runs/sweep/run_pool.h"
#include "runs/system/net_settings.h"

namespace tilefly::runs {

/// Which loads are to be run next, in steps. Loads that are undecided lie between those that have converged and those
/// that are saturated, so that two borders are searched, which are one where there are none.
class SaturationBorders {
 public:
  enum class Answer { kConverged, kUndecided, kSaturated };

  /// Loads 1 to `last` are asked for; 0 counts as converged, `last` + 1 as saturated.
  explicit SaturationBorders(int last) : highest_converged_(0), lowest_saturated_(last + 1) {}

  /// One or two; none when nothing lies between the borders.
  std::vector<int> Next() const;
  void Tell(int load, Answer answer);

  int highest_converged() const { return highest_converged_; }
  int lowest_saturated() const { return lowest_saturated_; }
  /// Nothing lies between the two: the load at which saturation begins is known to a step.
  bool Known() const { return lowest_saturated_ - highest_converged_ <= 1; }
  const std::vector<int>& undecided() const { return undecided_; }  ///< increasing

 private:
  int highest_converged_;
  int lowest_saturated_;
  std::vector<int> undecided_;
};

/// `tilefly net --saturation`: runs of loads, each as a program of its own.
class SaturationSession {
 public:
  /// Throws UsageError for a step that does not divide 1 into 2 to 1000 parts, for ranges, jobs and captures.
  SaturationSession(NetSettings settings, SessionOptions options, std::filesystem::path program, int jobs, double step);

  /// Returns the exit code. Loads that an earlier search in the same folder has run are not run again.
  int Run();
  /// `saturation.json`.
  const nlohmann::ordered_json& results() const { return results_; }

 private:
  std::string LoadText(int load) const;
  std::string NameOf(int load) const;
  PoolRun RunOf(int load) const;
  bool RunLoads(const std::vector<int>& loads);
  std::string FoundText() const;

  NetSettings settings_;
  SessionOptions options_;
  std::filesystem::path program_;
  int jobs_;
  int steps_;                                       ///< of load 1
  int decimals_;                                    ///< of a load
  std::chrono::steady_clock::time_point deadline_;  ///< of all runs together
  SaturationBorders borders_;
  std::map<int, RunOutcome> outcomes_;
  RunLog log_;
  nlohmann::ordered_json results_;
};

}  // namespace tilefly::runs
