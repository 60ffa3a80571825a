// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cosim/network/net_settings.h"
#include "cosim/run/command.h"

namespace tilefly::cosim {

/// How a run of a system ended, and what it took.
struct NetOutcome {
  Verdict verdict = Verdict::kPass;
  std::string message;
  double build_s = 0;  ///< CPU
  double cpu_s = 0;    ///< without building
  double wall_s = 0;
};

/// `results.json` (docs/network.md, Results). Everything that depends on the machine is in `machine`.
nlohmann::ordered_json NetResults(const golden::Network& network, const NetRunOptions& options,
                                  const NetOutcome& outcome);
/// `stats.csv`: one line for each direction of each link.
std::string NetStatsCsv(const golden::Network& network);

}  // namespace tilefly::cosim
