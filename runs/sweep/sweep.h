// SPDX-License-Identifier: Apache-2.0
// A sweep: one run for each combination of the values of settings that have several (docs/sweeps.md).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runs/common/command.h"
#include "runs/common/run_log.h"
#include "runs/sweep/run_pool.h"
#include "runs/sweep/sweep_plan.h"

namespace tilefly::runs {

/// Runs the points of a sweep, each as a program of its own, several at a time.
class SweepSession {
 public:
  /// `program` with the plan's command and the settings of a point runs the point. `past_saturation`: loads above the
  /// lowest saturated one of each curve that are run; negative: all. Throws UsageError.
  SweepSession(SweepPlan plan, SessionOptions options, std::filesystem::path program, int jobs,
               int past_saturation = -1);

  /// Returns the exit code. Points that an earlier sweep in the same folder has finished are not run again.
  int Run();
  /// `sweep.json`.
  const nlohmann::ordered_json& results() const { return results_; }

 private:
  std::string Name() const;

  SweepPlan plan_;
  int past_saturation_;
  SessionOptions options_;
  RunLog log_;
  RunPool pool_;
  nlohmann::ordered_json results_;
};

}  // namespace tilefly::runs
