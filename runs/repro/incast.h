// SPDX-License-Identifier: Apache-2.0
// The study of one incast (docs/blocks/flow_channel.md, `tilefly repro incast`): contributors that send to one
// destination, and a victim that shares links with them, with congestion control off and on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runs/repro/study.h"
#include "topology/topology.h"

namespace tilefly::runs {

/// Who takes part, as endpoints of the system.
struct IncastPlaces {
  int destination;   ///< of the contributors
  int victim;        ///< at the switch of a contributor
  int victims_peer;  ///< the destination of the victim, at the switch of `destination`
  std::vector<int> contributors;
};

/// When contributors stop: two thirds of the time of the run.
double IncastEndUs(const StudyOptions& options);
/// The options with the study's own values in place of those that were not given.
StudyOptions IncastOptions(StudyOptions options);
/// Draws a destination, another endpoint of its switch, contributors at other switches of which no two are at one node,
/// and a victim. Throws UsageError when there are too few endpoints.
IncastPlaces DrawIncast(const topology::Topology& system, const StudyOptions& options);

/// The runs by name, as they are curves and folders.
inline constexpr const char* kIncastQuiet = "quiet";  ///< the victim alone
inline constexpr const char* kIncastOff = "off";
inline constexpr const char* kIncastOn = "on";

std::vector<StudyRun> IncastRuns(const StudyOptions& options);
/// Takes the timeline and the links of a run from its folder.
void MeasureIncast(const StudyRun& run, const nlohmann::ordered_json& results, const std::filesystem::path& folder,
                   StudyValues* values);
/// The victim's bandwidth in the intervals that the claims are about, and which these are; empty of a run that did not
/// pass.
std::string IncastSummary(const StudyRun& run, const nlohmann::ordered_json& results,
                          const std::filesystem::path& folder, const StudyOptions& options);
nlohmann::ordered_json DescribeIncast(const StudyOptions& options);

/// An interval of a run.
struct IncastMoment {
  double time_us;  ///< its begin
  double queue_cells, busy, victim_gbps, outside_cells, held_cells, throttled;
};
/// All intervals that were measured, in their order.
std::vector<IncastMoment> TimelineOf(const StudyValues& values, const std::string& run);
/// What a run says of the claims, while the contributors send; none of what was not measured.
struct IncastOutcome {
  std::optional<double> victim_share;  ///< the victim's bandwidth over that of the quiet run
  double busy = 0;                     ///< share of the destination's link that is used
  std::optional<double> settled_us;    ///< the first time from which on no more cells are outside than the bound
  double most_outside = 0;             ///< cells, after that time, over the bound
};
std::optional<IncastOutcome> OutcomeOf(const StudyOptions& options, const StudyValues& values, const std::string& run);

std::vector<Figure> IncastFigures(const StudyOptions& options, const StudyValues& values);
/// `timeline.csv`, `timeline.svg`, `links.csv`, `links-off.svg`, `links-on.svg`.
std::vector<StudyFile> IncastFiles(const StudyOptions& options, const StudyValues& values);

/// `links.csv` and the heat maps of runs with control off and on: by link, the share of cycles without credit.
std::vector<StudyFile> IncastLinkFiles(const topology::Topology& system, const StudyValues& values);
/// The name under which MeasureIncast sets the share of cycles without credit of a switch's link.
std::string LinkCurve(const std::string& run, int node, int port);

}  // namespace tilefly::runs
