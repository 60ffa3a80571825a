// SPDX-License-Identifier: Apache-2.0
// What a run of a system says of its faults: links that send again, and the time line (docs/network.md, Links with faults).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "network/figures.h"
#include "network/network.h"

namespace tilefly::runs {

/// A line of the time line.
struct FaultLine {
  std::int64_t cycle;  ///< of traffic
  std::string link;    ///< "s3.17", or the switch of a register: "s4"
  std::string direction;
  std::string what;
  std::string value;
  std::string cause;
  bool damage = false;  ///< whether it is of a damaged word or slot
};

/// Whether the run has a time line.
bool HasFaults(const network::Network& network);
/// The time line up to the end of the run, at most `most` lines of drawn errors; last lines say how many more there were.
std::vector<FaultLine> FaultLines(const network::Network& network, const network::Figures& figures, std::size_t most);
/// `faults.csv`.
std::string FaultsCsv(const std::vector<FaultLine>& lines);
/// The first lines, for the report; those of damaged words and slots after all others.
nlohmann::json FaultsReport(const std::vector<FaultLine>& lines);
/// `link_retry` of results.json; null with --retry off.
nlohmann::ordered_json LinkRetryJson(const network::Network& network, const network::Figures& figures);
/// A warning for each event of the plan that came behind the end of the run, or that damaged nothing.
std::vector<std::string> EventsWithoutEffect(const network::Network& network, const network::Figures& figures);

}  // namespace tilefly::runs
