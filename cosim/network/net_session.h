// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "cosim/network/net_results.h"
#include "cosim/run/run_directory.h"

namespace tilefly::cosim {

/// One `tilefly net` command: runs the system, writes the run directory, prints a summary to standard error.
class NetSession {
 public:
  /// Throws UsageError.
  NetSession(NetSettings settings, SessionOptions options);

  /// Returns the exit code.
  int Run();
  /// `results.json`.
  const nlohmann::ordered_json& results() const { return results_; }

 private:
  using Clock = std::chrono::steady_clock;

  NetOutcome RunNetwork();
  bool Poll(golden::Cycle cycle);
  void ShowProgress(golden::Cycle cycle, Clock::time_point now);
  void Say(const std::string& line);
  void SayResults(const NetOutcome& outcome);
  std::string RunName() const;

  NetSettings settings_;
  SessionOptions options_;
  NetRunOptions run_options_;
  double build_s_ = 0;  ///< CPU seconds that making the network took
  golden::Network network_;
  RunDirectory directory_;
  Clock::time_point deadline_ = Clock::time_point::max();
  bool late_ = false;  ///< the deadline has ended the run
  Clock::time_point begun_;
  Clock::time_point shown_;
  golden::Cycle shown_cycle_ = 0;
  std::string log_;
  nlohmann::ordered_json results_;
};

}  // namespace tilefly::cosim
