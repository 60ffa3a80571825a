// SPDX-License-Identifier: Apache-2.0
// Results of synthetic traffic beside jobs (docs/workloads.md, Background).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "network/figures.h"

namespace tilefly::runs {

/// Field `background` of results.json; `text`: as given.
nlohmann::ordered_json BackgroundJson(const network::Network& network, const network::Figures& figures,
                                      const std::string& text);
/// A line for the terminal, from BackgroundJson.
std::string BackgroundLine(const nlohmann::ordered_json& background);

}  // namespace tilefly::runs
