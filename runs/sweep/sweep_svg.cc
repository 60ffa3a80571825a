// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runs/report/chart.h"
#include "runs/sweep/sweep_results.h"
#include "runs/system/steady_results.h"

namespace tilefly::runs {
namespace {

using topology::Anchor;
using topology::Canvas;

constexpr double kPanelLeft = 70, kPanelWidth = 520;
/// Above this ratio of the largest to the smallest latency the axis is logarithmic.
constexpr double kLogRatio = 20;
constexpr std::size_t kMostNamed = 20;

/// What is drawn of a point.
struct Mark {
  double x, mean, p99, offered, accepted;
  bool hollow;  ///< its latency depends on the length of the run, or may
};
struct NamedCurve {
  std::string name;
  std::vector<Mark> marks;
};
using Curves = std::vector<NamedCurve>;

/// The marks of each combination of the other settings' values.
Curves CurvesOf(const SweepPlan& plan, const std::vector<RunOutcome>& outcomes) {
  Curves curves;
  const std::size_t axis = CurveAxis(plan);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto& results = outcomes[i].results;
    if (!results.is_object()) continue;
    std::string name;
    for (std::size_t s = 0; s < plan.swept.size(); ++s) {
      if (s != axis)
        name +=
            fmt::format("{}{} {}", name.empty() ? "" : ", ", plan.swept[s].setting->option, plan.points[i].values[s]);
    }
    const auto number = [&](const char* pointer) {
      const auto value = results.value(nlohmann::ordered_json::json_pointer(pointer), nlohmann::ordered_json());
      return value.is_number() ? value.get<double>() : std::nan("");
    };
    const auto same = [&](const NamedCurve& one) { return one.name == name; };
    auto curve = std::find_if(curves.begin(), curves.end(), same);
    if (curve == curves.end()) curve = curves.insert(curve, {name, {}});
    curve->marks.push_back({std::stod(plan.points[i].values[axis]), number("/latency_ns/mean"),
                            number("/latency_ns/p99"), number("/offered_load"), number("/accepted_load"),
                            !LengthMark(results).empty()});
  }
  for (auto& [name, marks] : curves) {
    std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.x < b.x; });
  }
  return curves;
}

/// The marks' figure over x.
std::vector<ChartMark> Of(const std::vector<Mark>& marks, double Mark::*value) {
  std::vector<ChartMark> all;
  for (const Mark& mark : marks) all.push_back({mark.x, mark.*value, mark.hollow});
  return all;
}

}  // namespace

std::string SweepSvg(const SweepPlan& plan, const std::vector<RunOutcome>& outcomes) {
  const Curves curves = CurvesOf(plan, outcomes);
  Span across, latency, load;
  for (const auto& [name, marks] : curves) {
    for (const Mark& mark : marks) {
      across.Add(mark.x);
      for (const double value : {mark.mean, mark.p99}) latency.Add(value);
      for (const double value : {mark.offered, mark.accepted}) load.Add(value);
    }
  }
  Canvas canvas;
  const std::string axis = plan.swept[CurveAxis(plan)].setting->option;
  if (latency.empty()) {
    canvas.Text({0, 0}, "No run has come to an end.", 13, Anchor::kStart);
    return canvas.Svg();
  }
  const bool log = latency.low > 0 && latency.high > kLogRatio * latency.low;
  if (!log) latency.low = 0;
  const Axis x(across, kPanelLeft + 12, kPanelLeft + kPanelWidth - 12, false);
  const ChartPanel top(&canvas, "latency in ns: mean (strong), p99 (fine)", kPanelLeft, kPanelLeft + kPanelWidth, x,
                       Axis(latency, 290, 30, log));
  const ChartPanel low(&canvas, "load as share of the word slots: accepted (strong), offered (fine)", kPanelLeft,
                       kPanelLeft + kPanelWidth, x, Axis({0, std::max(load.high, 1e-9)}, 510, 350, false));
  for (const ChartPanel* panel : {&top, &low})
    panel->XTicks(Ticks(x), [](double tick) { return fmt::format("{:.6g}", tick); });
  std::size_t index = 0;
  for (const auto& [name, marks] : curves) {
    const char* const color = kChartColors[index % std::size(kChartColors)];
    top.Curve(Of(marks, &Mark::p99), color, false);
    top.Curve(Of(marks, &Mark::mean), color, true);
    low.Curve(Of(marks, &Mark::offered), color, false);
    low.Curve(Of(marks, &Mark::accepted), color, true);
    if (!name.empty() && index < kMostNamed)
      canvas.Text({kPanelLeft + kPanelWidth + 20, 40 + 18 * static_cast<double>(index)}, name, 12, Anchor::kStart,
                  color);
    ++index;
  }
  canvas.Text({kPanelLeft + kPanelWidth / 2, 548}, axis + "; hollow: saturated or undecided", 12, Anchor::kMiddle);
  return canvas.Svg();
}

}  // namespace tilefly::runs
