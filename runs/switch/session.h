// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cosim/contract/bounded.h"
#include "cosim/lockstep/bins.h"
#include "runs/common/command.h"
#include "runs/common/run_log.h"
#include "runs/switch/followed_packets.h"
#include "runs/switch/settings.h"
#include "runs/switch/switch_run.h"
#include "runs/switch/tracing.h"

namespace tilefly::runs {

/// One `tilefly cosim` command: runs each seed, writes the run directory, prints the verdict to standard error.
class Session {
 public:
  /// Throws UsageError.
  Session(Settings settings, SessionOptions options);

  /// Runs all seeds. Returns the exit code.
  int Run();
  /// `results.json`.
  const nlohmann::ordered_json& results() const { return results_; }
  const std::filesystem::path& folder() const { return log_.directory().path(); }

 private:
  RunOptions OptionsOf(std::uint32_t seed) const;
  void AddRuns(const nlohmann::ordered_json& runs);
  void SayReached();
  Outcome RunSeed(int reseed, std::uint32_t seed, SwitchRun& run);
  void ChooseSides();
  void TakeSamples(SwitchRun& run);
  void HoldAgainstReference(SwitchRun& run, std::uint32_t seed, Outcome* outcome);
  std::unique_ptr<SwitchRun> MakeFirst();
  void RefuseWhatNeedsARecord(const std::string& device) const;
  void SayLevel(SwitchRun& run);
  void TraceFailure(std::uint32_t seed, const Outcome& outcome);
  void TracePacket(std::uint32_t seed, Verdict verdict);
  void SayJourneys(std::uint32_t seed);
  void NameWaves(const std::vector<std::filesystem::path>& files, const char* what);
  void SayFailure(int reseed, std::uint32_t seed, const Outcome& outcome);
  void SayPass(SwitchRun& run);
  void SayOutages(const SwitchRun& run);
  void SayClasses();
  void SayWaves();
  void ShowProgress(Cycle cycle, const cosim::Books& books);
  std::string RunName() const;

  Settings settings_;
  SessionOptions options_;
  RunOptions run_options_;
  FollowedPackets followed_;
  cosim::Bins reached_;               ///< of all runs
  bool bounded_ = false;       ///< one of the devices is: the contract is compared, not cycles
  std::string reference_;      ///< of a bounded run, the other device; empty: none
  std::optional<cosim::ContractComparison> contract_;  ///< of the latest run
  int reseeds_ = 1;
  cosim::WaveOptions wave_window_;
  std::unique_ptr<Tracing> tracing_;  ///< waves of the first run, when they are wanted in any case
  std::unique_ptr<SwitchRun> first_;  ///< made before the folder, so that a refused configuration leaves nothing behind
  std::chrono::steady_clock::time_point deadline_;
  RunLog log_;
  nlohmann::ordered_json results_;
  nlohmann::json detail_;
  std::filesystem::path wave_;  ///< of the latest run, empty: none
  std::string stats_;
  std::string samples_;  ///< of the latest run, empty: none
  std::string faults_;   ///< likewise
  std::vector<std::string> sample_lines_;
  std::vector<JunitCase> cases_;
  std::chrono::steady_clock::time_point shown_{};
  Cycle shown_cycle_ = 0;
};

}  // namespace tilefly::runs
