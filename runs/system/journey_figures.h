// SPDX-License-Identifier: Apache-2.0
// Journeys of packets as tables: every stage with its cycle, what it takes at least, and why it took longer
// (docs/network.md, Journeys).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "network/network.h"

namespace tilefly::runs {

/// Which packets are followed: "slowest:K" and "eE:N" in a list. Throws UsageError.
network::JourneyChoice ParseJourneys(const std::string& text, int endpoints);

/// `journeys.json`: an entry for each packet.
nlohmann::ordered_json JourneysJson(const network::Network& network, const std::vector<network::Journey>& journeys);
/// `journeys.csv`: a line for each stage of what `journeys.json` has.
std::string JourneysCsv(const nlohmann::ordered_json& journeys);
/// Packets that were wanted and never sent, a text for each.
std::vector<std::string> MissingJourneys(const network::Network& network,
                                         const std::vector<network::Journey>& journeys);

}  // namespace tilefly::runs
