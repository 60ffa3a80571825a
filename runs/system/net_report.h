// SPDX-License-Identifier: Apache-2.0
// What `report.html` shows of a run of a system beyond its results, and of a sweep.
#pragma once

#include <nlohmann/json.hpp>

#include "runs/system/net_results.h"
#include "runs/system/net_settings.h"

namespace tilefly::runs {

/// What report.html is made of.
struct ReportParts {
  nlohmann::json results;
  nlohmann::json detail;
};

/// `journeys` is what is shown of them, or null.
ReportParts NetReport(const network::Network& network, const network::Figures& figures, const NetSettings& settings,
                      const nlohmann::ordered_json& results, const nlohmann::json& journeys);
/// `sweep` is sweep.json.
ReportParts SweepReport(const nlohmann::ordered_json& sweep);

/// The heat maps: `groups` has the utilisation of the links between groups, mean and most, in thousandths, by blocks of
/// groups so that there are at most 64; `pages` the ports of switches that are shown together, two hexadecimal digits
/// for the per cent of each port, ".." where no link is.
nlohmann::json SystemMap(const network::Network& network, const network::Figures& figures);

}  // namespace tilefly::runs
