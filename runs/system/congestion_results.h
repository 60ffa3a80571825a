// SPDX-License-Identifier: Apache-2.0
// Results of congestion control (docs/blocks/flow_channel.md, Results, report, journeys).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "network/network.h"

namespace tilefly::runs {

/// `congestion_control` of results.json; null without congestion control.
nlohmann::ordered_json CongestionJson(const network::Network& network, const network::Figures& figures);
/// Whether the books of all flows are known: devices that are not golden keep none.
bool SeesFlows(const network::Figures& figures);
/// `flows.csv`: the flows whose packets were held longest.
std::string FlowsCsv(const network::Figures& figures);
/// A line for the terminal; empty without congestion control.
std::string CongestionLine(const nlohmann::ordered_json& results);
/// Member `flows` of the report's detail.
nlohmann::json FlowsReport(const network::Figures& figures);
/// Warnings about registers and parameters that do not fit the system; none without congestion control. `devices`: the
/// run has devices, whose parameters no key of a run changes.
std::vector<std::string> CongestionWarnings(const network::Network& network, bool devices);

}  // namespace tilefly::runs
