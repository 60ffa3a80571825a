// SPDX-License-Identifier: Apache-2.0
// What is said of a failure beside its reason: the shortest stimulus that still breaks the same rule, the command line that
// repeats it, and waves.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conform/capability/capability.h"
#include "conform/run/conform_session.h"
#include "runs/common/run_log.h"

namespace tilefly::conform {

/// `shortest` and `waves` of results.json; null: there are none.
struct Explained {
  nlohmann::ordered_json shortest;
  nlohmann::ordered_json waves;
};

/// Of the first failure among `results`, of the device in `library`. Lines go to `log`, waves into its folder.
Explained ExplainFailure(const Capability& capability, const ConformOptions& options,
                         const runs::SessionOptions& session, const std::string& library,
                         const std::vector<nlohmann::ordered_json>& results, runs::RunLog* log);

}  // namespace tilefly::conform
