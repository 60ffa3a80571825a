// SPDX-License-Identifier: Apache-2.0
// What journeys of packets look like, in a system and in one switch: names, stages with what they take at least and what
// they wait for, `journeys.csv`, what the report shows (docs/network.md, Journeys).
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "golden/common/types.h"
#include "network/journeys.h"
#include "runs/common/run_directory.h"

namespace tilefly::runs {

/// Who sends packets, as journeys name it.
struct JourneySources {
  char letter;        ///< "e" of e7:3
  int count;          ///< e0 to e(count - 1)
  const char* one;    ///< "endpoint"
  const char* whole;  ///< "the system has endpoints"
  const char* option = "--journey";  ///< that names packets; messages begin with it
  bool all = false;  ///< every packet may be asked for
};

/// Which packets are followed: "slowest:K", names as "e7:3" and "all", in a list. Throws UsageError.
network::JourneyChoice ParseJourneys(const std::string& text, const JourneySources& sources);

/// Cycles of a wait for one reason; kRest: what the others before it leave.
struct JourneyWait {
  static constexpr Cycle kRest = -1;
  const char* reason;
  Cycle cycles;
};

/// A stage that a packet reached.
struct JourneyStage {
  std::string at;
  int port;
  int lane;
  const char* name;
  Cycle cycle;
  Cycle cycles;  ///< since the one before
  Cycle quiet;   ///< of these, what it takes at least
  std::vector<JourneyWait> waits;
  const char* path = nullptr;  ///< where routing chose between paths
};

/// The stages of a packet as they follow one another.
class JourneyStages {
 public:
  /// The first stage is in cycle `created`; cycles are told as from `begin` on.
  JourneyStages(Cycle begin, Cycle created) : begin_(begin), before_(created) {}

  /// The packet reached stage `name` in `cycle`, which takes `quiet` cycles at least from the one before.
  void Add(const std::string& at, int port, int lane, const char* name, Cycle cycle, Cycle quiet,
           const std::vector<JourneyWait>& waits);
  /// Of the last one: routing chose this path.
  void SetPath(const char* path) { stages_.back().path = path; }
  /// The cycle of the last one.
  Cycle before() const { return before_; }
  const std::vector<JourneyStage>& stages() const { return stages_; }

 private:
  const Cycle begin_;
  Cycle before_;
  std::vector<JourneyStage> stages_;
};

/// What stages take at least, together, and their waits by reason.
struct JourneySums {
  /// Of stages [first, last).
  JourneySums(std::vector<JourneyStage>::const_iterator first, std::vector<JourneyStage>::const_iterator last);

  Cycle quiet = 0;
  std::vector<JourneyWait> waits;
};

/// As in `journeys.json`.
nlohmann::ordered_json StagesJson(const std::vector<JourneyStage>& stages);
nlohmann::ordered_json WaitsJson(const std::vector<JourneyWait>& waits);
/// Lines of `journeys.csv` of a packet, one for each stage of what `journeys.json` has of it.
std::string JourneyCsvLines(const nlohmann::ordered_json& journey);

/// `journeys.json` and `journeys.csv`, packet by packet, and what the report shows of them.
class JourneyFiles {
 public:
  explicit JourneyFiles(const RunDirectory& directory);
  void Add(const nlohmann::ordered_json& journey);
  void Close();

  std::size_t count() const { return count_; }
  /// `journeys` of the report's detail: how many, and the first ones.
  nlohmann::json OfReport() const { return {{"followed", count_}, {"shown", shown_}}; }

 private:
  RunFile json_;
  RunFile csv_;
  std::size_t count_ = 0;
  nlohmann::json shown_ = nlohmann::json::array();
};

}  // namespace tilefly::runs
