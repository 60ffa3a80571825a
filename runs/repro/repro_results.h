// SPDX-License-Identifier: Apache-2.0
// What `tilefly repro` leaves (docs/repro.md, Files).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runs/repro/claims.h"
#include "runs/repro/figure.h"
#include "runs/system/net_report.h"
#include "workload/host_costs.h"

namespace tilefly::runs {

/// A claim and what was measured.
struct JudgedClaim {
  Claim claim;
  std::optional<double> value;

  std::string verdict() const { return VerdictOf(claim, value); }
};

std::vector<JudgedClaim> Judge(std::vector<Claim> claims, const std::vector<Figure>& figures);

/// How many of those that are judged have this verdict.
int CountOf(const std::vector<JudgedClaim>& claims, const std::string& verdict);
/// "4 of 5 judged claims hit, 1 missed".
std::string Score(int hits, int misses);

/// `points.csv`: a line for each point of each curve.
std::string PointsCsv(const std::vector<Figure>& figures);
/// `claims.csv`: a line for each claim.
std::string ClaimsCsv(const std::vector<JudgedClaim>& claims);
/// The claims as lines of text, aligned.
std::vector<std::string> ClaimLines(const std::vector<JudgedClaim>& claims);
/// Fields `constants`, `figures`, `claims` of results.json.
nlohmann::ordered_json ConstantsJson(const workload::HostCosts& costs, double ping_pong_ns);
nlohmann::ordered_json FiguresJson(const std::vector<Figure>& figures);
nlohmann::ordered_json ClaimsJson(const std::vector<JudgedClaim>& claims);
/// Published points of a figure.
std::vector<PublishedMark> MarksOf(const std::vector<JudgedClaim>& claims, const std::string& figure);
/// `results` is results.json, `files` the names of the study's own files.
ReportParts ReproReport(const nlohmann::ordered_json& results, const std::vector<std::string>& files = {});

}  // namespace tilefly::runs
