// SPDX-License-Identifier: Apache-2.0
// Figures of a system's links (docs/network.md, Results and Stalls).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "network/network.h"

namespace tilefly::runs {

/// The cycles that figures are of; at least one, so that a run that was stopped early divides by something.
Cycle MeasuredCycles(const network::Network& network);
/// Whether there were any: a run may end before its warm-up does.
bool HasMeasured(const network::Network& network);
/// `stats.csv`: one line for each direction of each link.
std::string NetStatsCsv(const network::Network& network, const network::Figures& figures);
/// `link_cycles` of results.json: what links did, by their kind. The network kept books of its links.
nlohmann::ordered_json LinkCyclesJson(const network::Network& network, const network::Figures& figures);

}  // namespace tilefly::runs
