// SPDX-License-Identifier: Apache-2.0
// Results of congestion meters (docs/cosimulation.md, Results).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runs/switch/switch_run.h"

namespace tilefly::runs {

/// `congestion_marks` of results.json; null in a run without flow channels.
nlohmann::ordered_json CongestionMarksJson(SwitchRun& run);
/// The same in a line of the terminal.
std::string CongestionMarksLine(const SwitchRun& run, const nlohmann::ordered_json& marks);

}  // namespace tilefly::runs
