// SPDX-License-Identifier: Apache-2.0
// The study of links that send damaged words again: how much of a full link carries useful words, over the bit error
// rate, beside the closed form (docs/repro.md, Links with errors).
#pragma once

#include <string>
#include <vector>

#include "runs/repro/study.h"

namespace tilefly::runs {

/// Two switches and the link between them, which four NICs of each switch fill: a run for each length of the packets,
/// cable and bit error rate.
std::vector<StudyRun> LinkEfficiencyRuns(bool quick);
/// The name under which MeasureLink sets what the formula says of a curve's runs with the errors that happened.
std::string ByErrors(const std::string& curve);
/// The share of the measured cycles in which the link carried words that came to a NIC, over both directions; and what
/// the formula says with the errors that happened. Throws std::runtime_error when a run has no measured cycles.
void MeasureLink(const StudyRun& run, const nlohmann::ordered_json& results, StudyValues* values);
/// The measured efficiency in words; empty: the run has none.
std::string LinkSummary(const nlohmann::ordered_json& results);
/// A figure for each cable, and the measured efficiency over that of the formula with the errors that happened.
std::vector<Figure> LinkEfficiencyFigures(const StudyValues& values);

}  // namespace tilefly::runs
