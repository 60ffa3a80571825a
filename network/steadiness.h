// SPDX-License-Identifier: Apache-2.0
// Whether traffic has become steady, or never does (docs/steady-state.md): a rule over its history.
#pragma once

#include <optional>
#include <vector>

#include "network/traffic_history.h"
#include "support/steady_state.h"

namespace tilefly::network {

/// In their order, from good to bad.
enum class SteadyVerdict { kConverged, kUndecided, kSaturated };

/// Why there is no verdict.
enum class SteadyDoubt {
  kNone,
  kNothingReceived,  ///< in the measured cycles
  kTooShort,         ///< for the fewest batches, or next to the latencies
  kNoSteadyPart,     ///< the warm-up is more than half of the cycles
  kLongWarmUp,       ///< the warm-up goes on in the measured cycles
  kCorrelated,       ///< batches
  kWide,             ///< an interval
  kGrowing,          ///< what waits seems to grow
};

/// What the history is judged against.
struct SteadyFrame {
  static constexpr double kLevel = 0.95;       ///< of the intervals
  static constexpr double kSureLevel = 0.999;  ///< at which growth is sure
  static constexpr double kMostWidth = 0.05;   ///< half widths of what has converged, as shares of the means

  Cycle warmup;  ///< cycles of traffic that are left out
  Cycle cycles;  ///< of traffic that are judged
};

/// Of one class, or of all. Means are of the measured cycles; latencies are those of packets received in them.
struct SteadyPart {
  int tc = -1;  ///< -1: all
  SteadyVerdict verdict = SteadyVerdict::kUndecided;
  SteadyDoubt doubt = SteadyDoubt::kNone;
  bool doubt_is_latency = false;                 ///< of kCorrelated and kWide: the latency's, else the accepted load's
  std::optional<Cycle> warm_up;                  ///< detected; empty: none found
  BatchMeans latency;                            ///< cycles
  BatchMeans accepted;                           ///< words a cycle
  BatchMeans missing;                            ///< words a cycle that were created and not received
  /// Of the cycles that the batches of `missing` have, words a cycle: created, received.
  double created_there = 0, received_there = 0;
  Cycle cycles_there = 0;
  double offered = 0;                            ///< words a cycle
  double sources_before = 0, sources_after = 0;  ///< words waiting at sources: after the warm-up, and at the end
  double network_before = 0, network_after = 0;  ///< the same in the network
};

struct Steadiness {
  const SteadyPart& worst() const { return parts[worst_part]; }

  SteadyVerdict verdict = SteadyVerdict::kUndecided;
  std::vector<SteadyPart> parts;  ///< all; then, when several classes send, each
  std::size_t worst_part = 0;
  std::vector<int> starved;  ///< endpoints of which more and more waits
};

/// Traffic up to `frame.cycles`; what waits at sources must have been added (Network::AddWaiting). Empty when nothing
/// was created.
std::optional<Steadiness> JudgeSteadiness(const TrafficHistory& history, const HistoryCut& cut,
                                          const SteadyFrame& frame);

}  // namespace tilefly::network
