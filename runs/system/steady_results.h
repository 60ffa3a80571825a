// SPDX-License-Identifier: Apache-2.0
// What results say of a run's steadiness (docs/steady-state.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runs/system/net_results.h"

namespace tilefly::runs {

/// Adds `converged`, `saturated`, `latency_depends_on_length` and `steady_state`.
void AddSteadiness(const network::Network& network, const network::Figures& figures, const NetRunOptions& options,
                   const NetOutcome& outcome, nlohmann::ordered_json* results);

/// The verdict of results or of a sweep's point in a line, "saturated: ..."; empty when they have none.
std::string SteadyLine(const nlohmann::ordered_json& results);

/// What is said behind latencies that the length of the run has made, or may have; else empty.
std::string LengthMark(const nlohmann::ordered_json& results);

/// "converged", "saturated" or "undecided" of results; empty when they have none.
std::string SteadyVerdictOf(const nlohmann::ordered_json& results);

/// Whether traffic up to cycle `end` is judged, one way or the other.
bool IsDecided(const network::Network& network, const network::TrafficHistory& history, Cycle end);

}  // namespace tilefly::runs
