// SPDX-License-Identifier: Apache-2.0
// What `tilefly net --interference` leaves (docs/workloads.md, Interference): a table, a picture, all of it as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runs/sweep/interference.h"
#include "runs/system/net_report.h"

namespace tilefly::runs {

/// `interference.json`. `outcomes`: of the run together, then of each job alone.
nlohmann::ordered_json InterferenceJson(const NetSettings& settings, const std::vector<InterferingJob>& jobs,
                                        const std::vector<RunOutcome>& outcomes, int exit_code);
/// `interference.csv`: a line for each job.
std::string InterferenceCsv(const nlohmann::ordered_json& interference);
/// Some lines for each job, for the terminal.
std::vector<std::string> InterferenceLines(const nlohmann::ordered_json& interference);
/// `interference.svg`: the slowdowns as bars.
std::string InterferenceSvg(const nlohmann::ordered_json& interference);
/// What report.html is made of.
ReportParts InterferenceReport(const nlohmann::ordered_json& interference);

}  // namespace tilefly::runs
