// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runs/block/block_program.h"
#include "runs/block/block_results.h"
#include "runs/common/run_log.h"
#include "runs/switch/session.h"
#include "runs/switch/settings.h"

namespace tilefly::runs {

/// One `tilefly cosim --level block` command: runs the block's program test_BLOCK as a child, writes the run directory,
/// prints the verdict to standard error.
class BlockSession {
 public:
  /// Throws UsageError.
  BlockSession(Settings settings, SessionOptions options);

  /// Returns the exit code.
  int Run();
  /// `results.json`.
  const nlohmann::ordered_json& results() const { return results_; }

 private:
  ChildEnd RunProgram(const std::string& filter, const std::vector<std::string>& arguments,
                      std::vector<std::pair<std::string, std::string>> environment, bool logged);
  void Trace(const BlockOutcome& outcome);
  std::string TraceWindow(const BlockOutcome& outcome) const;
  void Conclude(const BlockOutcome& outcome);
  void ShowProgress(const std::string& line);
  std::string RunName() const { return "block/" + program_.block; }

  Settings settings_;
  SessionOptions options_;
  std::uint32_t seed_ = 1;
  Cycle cycles_ = 0;
  BlockProgram program_;
  std::chrono::steady_clock::time_point deadline_;
  RunLog log_;
  std::string wave_;       ///< empty: none
  std::string no_wave_;    ///< why there is none although it was wanted
  std::size_t tests_ = 0;  ///< to be run
  std::size_t started_ = 0;
  nlohmann::ordered_json results_;
};

}  // namespace tilefly::runs
