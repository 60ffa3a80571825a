// SPDX-License-Identifier: Apache-2.0
// Results of links with retry (docs/cosimulation.md, Links with retry).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runs/switch/switch_run.h"

namespace tilefly::runs {

/// `link_retry` of results.json; null in a run without retry.
nlohmann::ordered_json LinkRetryJson(SwitchRun& run);
/// The same in a line of the terminal.
std::string LinkRetryLine(const SwitchRun& run, const nlohmann::ordered_json& link_retry);
/// What the plan and the links did beside drawn errors, in a line of the terminal; empty: nothing.
std::string TimeLineLine(const SwitchRun& run, const nlohmann::ordered_json& link_retry);
/// `faults.csv`.
std::string FaultsCsv(const SwitchRun& run);
/// The time line as the report shows it: its first lines, how many there are, and marks over the time series.
nlohmann::json FaultsReport(const SwitchRun& run);
/// A warning for each event of the plan that did nothing, up to a number, or for a plan without links.
std::vector<std::string> EventsWithoutEffect(const SwitchRun& run);

}  // namespace tilefly::runs
