// SPDX-License-Identifier: Apache-2.0
// Figures of a system's links (docs/network.md, Results and Stalls).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "network/network.h"

namespace tilefly::cosim {

/// The cycles that figures are of; at least one, so that a run that was stopped early divides by something.
golden::Cycle MeasuredCycles(const golden::Network& network);
/// Whether there were any: a run may end before its warm-up does.
bool HasMeasured(const golden::Network& network);
/// `stats.csv`: one line for each direction of each link.
std::string NetStatsCsv(const golden::Network& network, const golden::Figures& figures);
/// `link_cycles` of results.json: what links did, by their kind. The network kept books of its links.
nlohmann::ordered_json LinkCyclesJson(const golden::Network& network, const golden::Figures& figures);

}  // namespace tilefly::cosim
