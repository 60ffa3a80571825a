// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runs/switch/switch_run.h"

namespace tilefly::runs {

/// `results.json` of one run: fields as on the interface page. Everything that depends on the machine is in `machine`.
nlohmann::ordered_json Results(SwitchRun& run, const Outcome& outcome);
/// Why more was accepted than offered, in a line; empty: it was not.
std::string WhyAboveOffered(const SwitchRun& run);
/// What the report shows beyond the results: exact histogram, ports, bins.
nlohmann::json ReportDetail(SwitchRun& run, const Outcome& outcome);
/// `stats.csv`: one line a port.
std::string StatsCsv(SwitchRun& run);

}  // namespace tilefly::runs
