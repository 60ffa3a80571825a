// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runs/common/command.h"
#include "runs/system/net_settings.h"

namespace tilefly::runs {

/// What a run took, of all processes together.
struct NetCost {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(processes, threads, build_s, cpu_s, peak_bytes);
  }

  int processes = 1;
  int threads = 1;     ///< of all processes
  double build_s = 0;  ///< CPU
  double cpu_s = 0;    ///< without building
  std::int64_t peak_bytes = 0;
};

/// Where this process began: a run that was resumed has been elsewhere before.
struct RunBegin {
  Cycle cycle = 0;
  std::int64_t flit_hops = 0;
};

/// How a run of a system ended, and what it took.
struct NetOutcome {
  Verdict verdict = Verdict::kPass;
  std::string message;
  NetCost cost;
  double wall_s = 0;
  RunBegin from;
};

/// Shares of the word slots of all NICs in the measured cycles.
struct NetLoads {
  double offered;
  double accepted;
};
/// There was something to be sent: a job, or at least one packet that was created.
bool WasTraffic(const network::Figures& figures, const NetRunOptions& options);
NetLoads LoadsOf(const network::Network& network, const network::Figures& figures);

/// `results.json` (docs/network.md, Results). Everything that depends on the machine is in `machine`.
nlohmann::ordered_json NetResults(const network::Network& network, const network::Figures& figures,
                                  const NetRunOptions& options, const NetOutcome& outcome);

}  // namespace tilefly::runs
