// SPDX-License-Identifier: Apache-2.0
// Figures of bars: for each name a bar of each curve, from left to right.
#include <fmt/format.h>

#include <algorithm>

#include "runs/report/chart.h"
#include "runs/repro/figure.h"

namespace tilefly::runs {
namespace {

using topology::Anchor;
using topology::Canvas;

constexpr double kNamesEnd = 170, kBarsEnd = 620, kFirstBar = 50, kThick = 9, kBarPitch = 11, kNameGap = 12,
                 kKeyStep = 18;

const CurvePoint* PointAt(const FigureCurve& curve, double x) {
  const auto found =
      std::find_if(curve.points.begin(), curve.points.end(), [&](const CurvePoint& point) { return point.x == x; });
  return found == curve.points.end() ? nullptr : &*found;
}

bool HasPoint(const Figure& figure, double x) {
  return std::any_of(figure.curves.begin(), figure.curves.end(),
                     [&](const FigureCurve& curve) { return PointAt(curve, x) != nullptr; });
}

const char* ColorOfCurve(std::size_t curve) { return kChartColors[curve % std::size(kChartColors)]; }

/// The values, and where bars begin.
Span ValuesOf(const Figure& figure, double base) {
  Span values;
  for (const FigureCurve& curve : figure.curves) {
    for (const CurvePoint& point : curve.points) values.Add(point.y);
  }
  if (values.empty()) return values;
  values.Add(base);
  if (figure.line) values.Add(*figure.line);
  return values;
}

/// The bars of a name, the first one at `y`. Returns the place of the next name.
double AddBars(const Figure& figure, std::size_t name, const Axis& across, double base, double y, Canvas* canvas) {
  const double height = kBarPitch * static_cast<double>(figure.curves.size() - 1);
  canvas->Text({kNamesEnd - 8, y + height / 2}, figure.bars[name], 12, Anchor::kEnd);
  for (std::size_t i = 0; i < figure.curves.size(); ++i, y += kBarPitch) {
    const CurvePoint* const point = PointAt(figure.curves[i], static_cast<double>(name));
    if (point == nullptr) {
      canvas->Text({across(base) + 4, y}, "not measured", 9, Anchor::kStart, topology::kPaleColor);
      continue;
    }
    canvas->Line({across(base), y}, {across(point->y), y}, {ColorOfCurve(i), kThick});
    canvas->Text({across(std::max(point->y, base)) + 4, y}, fmt::format("{:.3g}", point->y), 9, Anchor::kStart);
  }
  return y + kNameGap;
}

}  // namespace

std::string BarsSvg(const Figure& figure) {
  Canvas canvas;
  const double base = figure.log_y ? 1 : 0;
  const Span values = ValuesOf(figure, base);
  if (values.empty()) {
    canvas.Text({0, 0}, figure.title + ": nothing was measured.", 13, Anchor::kStart);
    return canvas.Svg();
  }
  const Axis across(values, kNamesEnd, kBarsEnd, figure.log_y);
  canvas.Text({kNamesEnd, 0}, figure.title + (figure.unit.empty() ? "" : ", " + figure.unit), 13, Anchor::kStart);
  double y = kFirstBar;
  for (std::size_t name = 0; name < figure.bars.size(); ++name) {
    if (HasPoint(figure, static_cast<double>(name))) y = AddBars(figure, name, across, base, y, &canvas);
  }
  for (const double tick : Ticks(across)) {
    canvas.Line({across(tick), kFirstBar - kNameGap}, {across(tick), y}, {"#dddddd", 0.5});
    canvas.Text({across(tick), y + 12}, fmt::format("{:.6g}", tick), 11, Anchor::kMiddle);
  }
  if (figure.line) {
    canvas.Line({across(*figure.line), kFirstBar - kNameGap}, {across(*figure.line), y},
                {topology::kTextColor, 1, 1, true});
    canvas.Text({across(*figure.line), kFirstBar - kNameGap - 10}, fmt::format("{:.6g}", *figure.line), 11,
                Anchor::kMiddle);
  }
  for (std::size_t i = 0; i < figure.curves.size(); ++i)
    canvas.Text({kBarsEnd + 60, kFirstBar + kKeyStep * static_cast<double>(i)}, figure.curves[i].name, 12,
                Anchor::kStart, ColorOfCurve(i));
  return canvas.Svg();
}

}  // namespace tilefly::runs
