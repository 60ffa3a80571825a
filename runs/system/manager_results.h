// SPDX-License-Identifier: Apache-2.0
// What a run of a system says of the manager of its fabric (docs/network.md, New routing tables).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "network/network.h"
#include "runs/system/down_links.h"
#include "runs/system/fault_results.h"

namespace tilefly::runs {

/// Lines of the time line: when the manager wrote tables, and when it wrote none because paths do not fit, or because
/// no entry changes.
std::vector<FaultLine> ManagerLines(const network::Network& network, const LinkNames& names);
/// `manager` of results.json; null: the plan has no manager that writes tables.
nlohmann::ordered_json ManagerJson(const network::Network& network);
/// A line for the terminal; empty: there is nothing to say.
std::string ManagerText(const network::Network& network);
/// Warnings after the run: the manager had nothing to write, or wrote no tables because paths do not fit.
std::vector<std::string> ManagerWarnings(const network::Network& network);

}  // namespace tilefly::runs
