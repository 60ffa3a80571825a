// SPDX-License-Identifier: Apache-2.0
// The packets of a command that are followed: `--journey`, and `--trace-packet`, whose waves are wanted
// (docs/cosimulation.md, Journeys).
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cosim/journeys/switch_journeys.h"
#include "cosim/waves/wave_writer.h"
#include "runs/common/run_directory.h"
#include "runs/switch/settings.h"
#include "runs/switch/switch_run.h"

namespace tilefly::runs {

class FollowedPackets {
 public:
  /// Throws UsageError. With `--waves full` a packet to trace is followed, too.
  explicit FollowedPackets(const Settings& settings);

  bool any() const { return choice_.any(); }
  /// A packet's waves are wanted: the run itself is not traced, but repeated.
  bool traces() const { return !traced_.empty(); }
  /// Its name in file names: "p7-3"; "slowest".
  std::string TracedName() const;

  /// Follows the packets of a run, which is to begin. What was known of another run is gone.
  void Begin(SwitchRun* run, RunControl* control);
  /// After the run.
  void End(const SwitchRun& run);

  /// `journeys.json` of the latest run.
  const nlohmann::ordered_json& journeys() const { return json_; }
  /// Writes `journeys.json` and `journeys.csv`; returns what the report shows.
  nlohmann::json Write(const RunDirectory& directory) const;
  /// What the log says: packets that were never sent, where the journeys are, the first ones, and how to see the waves
  /// of one, which `command` does with a name behind it.
  std::vector<std::string> Lines(const RunDirectory& directory, const std::string& command) const;

  /// Waves of the packet to trace, which a run with so many `cycles` of traffic has.
  struct Trace {
    cosim::Story story;
    cosim::WaveOptions window;
    Cycle cycles;
  };
  /// `window`: as the user gave it; around the packet when it has no start and no end. None: it was never sent.
  std::optional<Trace> TraceOf(const cosim::WaveOptions& window) const;

 private:
  const bool automatic_window_;
  std::string traced_;  ///< its name, or "slowest"; empty: none
  network::JourneyChoice choice_;
  int ports_;
  std::unique_ptr<cosim::SwitchJourneys> following_;
  std::vector<cosim::SwitchJourney> chosen_;
  Cycle begin_ = 0;  ///< of the run's traffic
  nlohmann::ordered_json json_ = nlohmann::ordered_json::array();
};

}  // namespace tilefly::runs
