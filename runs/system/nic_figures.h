// SPDX-License-Identifier: Apache-2.0
// What the NICs counted, under the names of the published counters (docs/network.md, Results).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "network/network.h"

namespace tilefly::runs {

/// `nic` of results.json: sums.
nlohmann::ordered_json NicJson(const network::Network& network, const network::Figures& figures);
/// `messages` of `routing`, when NICs choose modes; else null.
nlohmann::ordered_json ChosenModesJson(const network::Network& network, const network::Figures& figures);
/// `nics.csv`: a line for each endpoint.
std::string NicsCsv(const network::Network& network, const network::Figures& figures);

}  // namespace tilefly::runs
