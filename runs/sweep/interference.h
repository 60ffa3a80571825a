// SPDX-License-Identifier: Apache-2.0
// `tilefly net --interference`: each job alone, and all together, on the same places (docs/workloads.md, Interference).
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runs/common/command.h"
#include "runs/common/run_log.h"
#include "runs/sweep/run_pool.h"
#include "runs/system/net_settings.h"

namespace tilefly::runs {

/// A job of the command.
struct InterferingJob {
  std::string pattern;
  std::string text;
  std::string at;  ///< endpoints of its ranks, as key `at` takes them
  std::size_t ranks;
};

class InterferenceSession {
 public:
  /// `program` with `net` and settings makes a run. Throws UsageError.
  InterferenceSession(NetSettings settings, SessionOptions options, std::filesystem::path program, int jobs);

  /// Returns the exit code. Runs that an earlier command in the same folder has finished are not made again.
  int Run();
  /// `interference.json`.
  const nlohmann::ordered_json& results() const { return results_; }

 private:
  std::vector<PoolRun> Runs() const;

  NetSettings settings_;
  SessionOptions options_;
  std::vector<InterferingJob> jobs_;
  RunLog log_;
  RunPool pool_;
  nlohmann::ordered_json results_;
};

}  // namespace tilefly::runs
