// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/sweep_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "runs/sweep/sweep_results.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using topology::Anchor;
using topology::Canvas;

constexpr DrawnFigure kDrawnFigures[] = {
    {"mean latency, ns", "latency_mean_ns", "steady_latency_half_width_ns", false},
    {"p99 latency, ns", "latency_p99_ns", nullptr, false},
    {"accepted load, share of the word slots", "accepted_load", "steady_accepted_load_half_width", true},
    {"completion, ns", "completion_ns", nullptr, false},
};

constexpr double kCaptionSize = 13;
constexpr std::size_t kCaptionLetters = 84;

/// What all points have, and what is swept: "tilefly net:", "topology preset:shandy;", "routing min, valiant;".
std::vector<std::string> CaptionParts(const SweepPlan& plan) {
  std::vector<std::string> parts;
  for (const Setting* one : NamedOf(plan))
    parts.push_back(fmt::format("{} {};", one->option, plan.points[0].settings.Get(one->path)));
  for (const SweptSetting& one : plan.swept) {
    const std::string values = one.numeric() ? one.range : fmt::format("{}", fmt::join(one.values, ", "));
    parts.push_back(fmt::format("{} {};", one.setting->option, values));
  }
  const auto is_size = [](const SweptSetting& one) { return std::string_view(one.setting->option) == "size"; };
  const bool load = std::string_view(plan.swept[CurveAxis(plan)].setting->option) == "load";
  if (load && std::none_of(plan.swept.begin(), plan.swept.end(), is_size))
    parts.push_back(fmt::format("size {};", plan.points[0].settings.Get("traffic.size")));
  parts.back().pop_back();
  parts.insert(parts.begin(), fmt::format("tilefly {}:", plan.kind->command));
  return parts;
}

/// The parts in lines, those that are longer than a line broken between words.
std::vector<std::string> CaptionLines(const std::vector<std::string>& parts) {
  std::vector<std::string> lines(1);
  for (const std::string& part : parts) {
    for (const std::string& piece : part.size() < kCaptionLetters ? std::vector{part} : Split(part, ' ')) {
      if (!lines.back().empty() && lines.back().size() + piece.size() >= kCaptionLetters) lines.emplace_back();
      lines.back() += (lines.back().empty() ? "" : " ") + piece;
    }
  }
  return lines;
}

}  // namespace

std::vector<DrawnFigure> DrawnFigures(const std::vector<Json>& points) {
  std::vector<DrawnFigure> figures;
  for (const DrawnFigure& figure : kDrawnFigures) {
    const auto has = [&](const Json& point) { return !std::isnan(NumberOf(point, figure.key)); };
    if (std::any_of(points.begin(), points.end(), has)) figures.push_back(figure);
  }
  return figures;
}

double NumberOf(const Json& point, const char* key) {
  const auto found = point.find(key);
  return found != point.end() && found->is_number() ? found->get<double>() : std::nan("");
}

std::string AxisTitle(const SweptSetting& one) {
  if (std::string_view(one.setting->option) == "load") return "load, share of the word slots";
  return one.unit.empty() ? one.setting->option : fmt::format("{}, {}", one.setting->option, one.unit);
}

std::vector<std::size_t> HeatAxes(const SweepPlan& plan) {
  if (plan.swept.size() != 2) return {};
  for (const SweptSetting& one : plan.swept) {
    if (!one.numeric() || !one.left_out.empty() || std::string_view(one.setting->option) == "seed") return {};
  }
  const std::size_t across = CurveAxis(plan);
  return {across, 1 - across};
}

std::string SweepSvg(const SweepPlan& plan, const std::vector<Json>& points) {
  Canvas canvas;
  double top = 0;
  for (const std::string& line : CaptionLines(CaptionParts(plan))) {
    canvas.Text({0, top}, line, kCaptionSize, Anchor::kStart);
    top += 18;
  }
  if (DrawnFigures(points).empty()) {
    canvas.Text({0, top}, "No run has come to an end.", kCaptionSize, Anchor::kStart);
    return canvas.Svg();
  }
  const bool load = std::string_view(plan.swept[CurveAxis(plan)].setting->option) == "load";
  const bool maps = !HeatAxes(plan).empty();
  if (load || !maps) top = DrawCurves(&canvas, top, plan, points);
  if (maps) DrawHeatMaps(&canvas, top, plan, points);
  return canvas.Svg();
}

}  // namespace tilefly::runs
