// SPDX-License-Identifier: Apache-2.0
// What a sweep leaves: a table, and all of it as JSON (docs/sweeps.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runs/sweep/sweep.h"

namespace tilefly::runs {

/// `sweep.csv`: a line for each point.
std::string SweepCsv(const SweepPlan& plan, const std::vector<RunOutcome>& outcomes);
/// `sweep.json`. Everything that depends on the machine is in `machine`.
nlohmann::ordered_json SweepJson(const SweepPlan& plan, const std::vector<RunOutcome>& outcomes, int exit_code,
                                 double wall_s);
/// The main figures of a run in a line.
std::string PointText(const nlohmann::ordered_json& results);

/// The verdict of results.json; of a run without one, what happened instead: not-run, skipped, refused, timeout, error.
std::string VerdictOf(const RunOutcome& outcome);
/// Null of one that was not run.
nlohmann::ordered_json ExitCodeOf(const RunOutcome& outcome);
/// Settings that tables and pictures of the plan's kind name, less those that are swept.
std::vector<const Setting*> NamedOf(const SweepPlan& plan);
/// The point's entry in `points` of sweep.json.
nlohmann::ordered_json PointJson(const SweepPlan& plan, const SweepPoint& point, const RunOutcome& outcome);
/// Index of the setting that the curves are drawn over, of those that all points have: the load, else the first with
/// numbers, else the first.
std::size_t CurveAxis(const SweepPlan& plan);

}  // namespace tilefly::runs
