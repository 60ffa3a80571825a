// SPDX-License-Identifier: Apache-2.0
// What the NICs counted, under the names of the published counters (docs/network.md, Results).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "network/network.h"

namespace tilefly::cosim {

/// `nic` of results.json: sums.
nlohmann::ordered_json NicJson(const golden::Network& network, const golden::Figures& figures);
/// `messages` of `routing`, when NICs choose modes; else null.
nlohmann::ordered_json ChosenModesJson(const golden::Network& network, const golden::Figures& figures);
/// `nics.csv`: a line for each endpoint.
std::string NicsCsv(const golden::Network& network, const golden::Figures& figures);

}  // namespace tilefly::cosim
