// SPDX-License-Identifier: Apache-2.0
// Journeys of packets through a system as tables: every stage with its cycle, what it takes at least, and why it took
// longer (docs/network.md, Journeys).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "network/network.h"

namespace tilefly::runs {

/// `journeys.json`: an entry for each packet.
nlohmann::ordered_json JourneyJson(const network::Network& network, const network::Journey& journey);
/// Packets that were wanted and never sent, a text for each.
std::vector<std::string> MissingJourneys(const network::Network& network,
                                         const std::vector<network::Journey>& journeys);

}  // namespace tilefly::runs
