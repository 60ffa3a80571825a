// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cosim/system/link_failure.h"
#include "network/processes.h"
#include "runs/common/run_log.h"
#include "runs/common/sample_table.h"
#include "runs/system/checkpoint_file.h"
#include "runs/system/hops_file.h"
#include "runs/system/net_results.h"
#include "runs/system/system_run.h"

namespace tilefly::runs {

/// Where the state of a run is kept, and from where it is taken.
struct CheckpointOptions {
  std::filesystem::path file;     ///< empty: it is not kept
  std::int64_t every = 0;         ///< cycles; 0: only when the run is stopped
  std::filesystem::path resumed;  ///< empty: from the start
};

/// One `tilefly net` command: runs the system, writes the run directory, prints a summary to standard error. Of several
/// processes the first writes and speaks.
class NetSession {
 public:
  /// Throws UsageError. `processes` must outlive the session.
  NetSession(NetSettings settings, SessionOptions options, CheckpointOptions checkpoints,
             network::Processes* processes);

  /// Returns the exit code, in all processes the same.
  int Run();
  /// `results.json`, in the first process.
  const nlohmann::ordered_json& results() const { return results_; }

 private:
  using Clock = std::chrono::steady_clock;

  NetRunOptions MakeRunOptions();
  void Resolve();
  void Begin();
  cosim::DeviceTrace* MakeTrace();
  void UseCheckpoints();
  void WriteCheckpoint();
  CheckpointOrigin Origin() const;
  NetOutcome RunNetwork();
  void TraceFailure(const cosim::LinkFailure& failure);
  void SayWaves(const std::vector<std::filesystem::path>& files);
  void Judge(network::Ending ending, NetOutcome* outcome);
  std::string WhatFailed() const;
  std::string NothingSent() const;
  std::string NothingDelivered() const;
  std::string WhatIsLeft() const;
  NetCost CostOf(double cpu_s) const;
  void WriteResults(const NetOutcome& outcome);
  bool Poll(Cycle cycle);
  void ShowProgress(Cycle cycle, Clock::time_point now);
  void SayResults(const NetOutcome& outcome);
  void SayPackets();
  void SayNoLatency();
  void SayShortResend();
  void SayWhatIsNotCompared();
  void SayFaults(bool stands_still);
  void WriteJourneys();
  void WriteSamples(const SampleTable& samples);
  void SayLoads();
  std::string RunName() const;

  network::Processes& processes_;
  NetSettings settings_;
  SessionOptions options_;
  const CheckpointOptions checkpoints_;
  NetRunOptions run_options_;
  Clock::time_point deadline_;
  std::optional<RunLog> log_;                     ///< of the first process
  double build_s_ = 0;                            ///< CPU seconds that making the network took
  std::optional<cosim::DeviceTrace> trace_;       ///< of --waves full
  SystemRun run_;
  network::Network& network_;
  bool late_ = false;  ///< the deadline of this process has ended the run
  Clock::time_point begun_;
  Clock::time_point shown_;
  Cycle shown_cycle_ = 0;
  Cycle polled_ = -1;  ///< before it all is run
  std::optional<network::Figures> figures_;
  nlohmann::ordered_json results_;
  std::optional<HopsFile> hops_;  ///< of --journey all
  nlohmann::json journeys_;       ///< what the report shows of followed packets; null: there are none
};

}  // namespace tilefly::runs
