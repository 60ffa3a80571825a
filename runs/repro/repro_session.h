// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runs/common/command.h"
#include "runs/common/run_log.h"
#include "runs/repro/repro_results.h"
#include "runs/repro/study.h"
#include "runs/sweep/run_pool.h"
#include "workload/host_costs.h"

namespace tilefly::runs {

struct ReproOptions {
  std::string study;
  StudyOptions asked;
  double ping_pong_ns = 0;  ///< of studies whose hosts have constants
  int jobs = 0;  ///< runs at a time; 0: as many as there are cores
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// One `tilefly repro` command: fixes the constants of the hosts where the study has any, runs the study, writes the folder, prints what hits and what
/// misses to standard error. Runs that an earlier command in the same folder has finished are not made again.
class ReproSession {
 public:
  /// `program` with `net` and settings makes a run. Throws UsageError.
  ReproSession(ReproOptions options, SessionOptions session, std::filesystem::path program);

  /// Returns the exit code, which no verdict changes.
  int Run();
  /// `results.json`.
  const nlohmann::ordered_json& results() const { return results_; }

 private:
  workload::HostCosts FixCosts();
  std::vector<RunOutcome> RunAll(const std::vector<StudyRun>& runs, const workload::HostCosts* hosts);
  void WriteFile(const StudyFile& file);
  nlohmann::ordered_json EndedBy(int code) const;
  int Conclude(int code, const nlohmann::ordered_json& measured);
  int Finish(int code);
  void WriteFigures();

  ReproOptions options_;
  SessionOptions session_;
  std::filesystem::path program_;
  const Study& study_;
  const std::vector<StudyRun> runs_;  ///< what is wrong with the options is said before the folder is made
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::vector<Figure> figures_;
  std::vector<JudgedClaim> claims_;
  std::vector<StudyFile> files_;
  double cpu_s_ = 0;  ///< of the runs made
  RunLog log_;
  nlohmann::ordered_json results_;
};

}  // namespace tilefly::runs
