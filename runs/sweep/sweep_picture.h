// SPDX-License-Identifier: Apache-2.0
// The picture of a sweep: curves, heat maps (docs/sweeps.md, Pictures).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runs/sweep/sweep_plan.h"
#include "topology/canvas.h"

namespace tilefly::runs {

/// A figure of the points that is drawn; the report draws the same.
struct DrawnFigure {
  const char* title;       ///< with its unit
  const char* key;         ///< in a point of sweep.json
  const char* half_width;  ///< key of the half width of its interval; null: it has none
  bool from_zero;          ///< its axis begins at 0 and is linear
};
/// Those that a point of `points`, of sweep.json, has.
std::vector<DrawnFigure> DrawnFigures(const std::vector<nlohmann::ordered_json>& points);

/// The figure of a point, NaN without one.
double NumberOf(const nlohmann::ordered_json& point, const char* key);
/// What a setting's values are numbers of: "load, share of the NICs' word slots", "host-send in ns".
std::string AxisTitle(const SweptSetting& one);
/// The settings that two heat maps are drawn over, across and up: of two settings with numbers that all points have,
/// seeds not counted. Empty: the sweep is no such.
std::vector<std::size_t> HeatAxes(const SweepPlan& plan);

/// `sweep.svg`; `points` are those of sweep.json.
std::string SweepSvg(const SweepPlan& plan, const std::vector<nlohmann::ordered_json>& points);

/// Each draws below `top`, and returns where it ends.
double DrawCurves(topology::Canvas* canvas, double top, const SweepPlan& plan,
                  const std::vector<nlohmann::ordered_json>& points);
double DrawHeatMaps(topology::Canvas* canvas, double top, const SweepPlan& plan,
                    const std::vector<nlohmann::ordered_json>& points);

}  // namespace tilefly::runs
