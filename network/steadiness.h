// SPDX-License-Identifier: Apache-2.0
// A rule that says by the history of the traffic whether it has become steady, or never will (docs/steady-state.md).
#pragma once

#include <optional>
#include <vector>

#include "network/traffic_history.h"
#include "support/steady_state.h"

namespace tilefly::network {

/// From good to bad.
enum class SteadyVerdict { kConverged, kUndecided, kSaturated };

/// Why there is no verdict.
enum class SteadyDoubt {
  kNone,
  kNothingReceived,  ///< in the measured cycles
  kTooShort,         ///< for the fewest batches, or compared with the latencies
  kNoSteadyPart,     ///< the warm-up is more than half of the cycles
  kLongWarmUp,       ///< the warm-up goes on in the measured cycles
  kCorrelated,       ///< neighbouring batches are correlated
  kWide,             ///< an interval is too wide
  kGrowing,          ///< the words that wait seem to grow
};

/// The limits by which the history is judged.
struct SteadyFrame {
  static constexpr double kLevel = 0.95;       ///< confidence of the intervals
  static constexpr double kSureLevel = 0.999;  ///< confidence at which growth is sure
  static constexpr double kMostWidth = 0.05;   ///< most half width of what has converged, as a share of the mean

  Cycle warmup;  ///< cycles of traffic that are left out
  Cycle cycles;  ///< cycles of traffic that are judged
};

/// Figures of one class, or of all. Means are of the measured cycles; latencies are of packets received in them.
struct SteadyPart {
  int tc = -1;  ///< class; -1: all
  SteadyVerdict verdict = SteadyVerdict::kUndecided;
  SteadyDoubt doubt = SteadyDoubt::kNone;
  bool doubt_is_latency = false;                 ///< kCorrelated, kWide: of the latency; else of the load
  std::optional<Cycle> warm_up;                  ///< the detected warm-up, cycles; empty: none found
  BatchMeans latency;                            ///< cycles
  BatchMeans accepted;                           ///< words in a cycle
  BatchMeans missing;                            ///< words created and not received, in a cycle
  /// Words created and received in a cycle, over the cycles of the batches of `missing`.
  double created_there = 0, received_there = 0;
  Cycle cycles_there = 0;
  double offered = 0;                            ///< words in a cycle
  double sources_before = 0, sources_after = 0;  ///< words waiting at sources after the warm-up, and at the end
  double network_before = 0, network_after = 0;  ///< words waiting in the network after the warm-up, and at the end
};

struct Steadiness {
  const SteadyPart& worst() const { return parts[worst_part]; }

  SteadyVerdict verdict = SteadyVerdict::kUndecided;
  std::vector<SteadyPart> parts;  ///< first all packets; then each class, when several send
  std::size_t worst_part = 0;
  std::vector<int> starved;  ///< endpoints with more and more words that wait
};

/// Judges the traffic up to `frame.cycles`. What waits at sources must have been added before (Network::AddWaiting).
/// Returns nothing when no packet was created.
std::optional<Steadiness> JudgeSteadiness(const TrafficHistory& history, const HistoryCut& cut,
                                          const SteadyFrame& frame);

}  // namespace tilefly::network
