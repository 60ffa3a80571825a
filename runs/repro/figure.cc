// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "runs/report/chart.h"

namespace tilefly::runs {
namespace {

using topology::Anchor;
using topology::Canvas;

constexpr double kLeft = 70, kRight = 620, kTop = 30, kBottom = 330;
/// Most labels of the x axis.
constexpr std::size_t kMostTicks = 9;

/// Of the measured x, as many as there is room for.
std::vector<double> XTicks(const Figure& figure) {
  std::set<double> all;
  for (const FigureCurve& curve : figure.curves) {
    for (const CurvePoint& point : curve.points) all.insert(point.x);
  }
  const std::vector<double> x(all.begin(), all.end());
  const std::size_t step = (x.size() + kMostTicks - 1) / kMostTicks;
  std::vector<double> ticks;
  for (std::size_t i = 0; i < x.size(); i += step) ticks.push_back(x[i]);
  return ticks;
}

}  // namespace

const FigureCurve* FindCurve(const std::vector<Figure>& figures, const std::string& figure, const std::string& curve) {
  for (const Figure& one : figures) {
    if (one.name != figure) continue;
    for (const FigureCurve& own : one.curves) {
      if (own.name == curve) return &own;
    }
  }
  return nullptr;
}

std::string XText(const Figure& figure, double x) {
  if (!figure.bars.empty() && x >= 0 && x < static_cast<double>(figure.bars.size()))
    return figure.bars[static_cast<std::size_t>(x)];
  constexpr double kKiB = 1024, kMiB = kKiB * 1024;
  if (figure.x != "bytes" || x < kKiB) return fmt::format("{:.6g}", x);
  return x < kMiB ? fmt::format("{:.6g} KiB", x / kKiB) : fmt::format("{:.6g} MiB", x / kMiB);
}

std::string FigureSvg(const Figure& figure, const std::vector<PublishedMark>& published) {
  if (!figure.bars.empty()) return BarsSvg(figure);
  Canvas canvas;
  Span across, up;
  for (const FigureCurve& curve : figure.curves) {
    for (const CurvePoint& point : curve.points) {
      across.Add(point.x);
      up.Add(point.y);
    }
  }
  if (up.empty()) {
    canvas.Text({0, 0}, figure.title + ": nothing was measured.", 13, Anchor::kStart);
    return canvas.Svg();
  }
  for (const PublishedMark& mark : published) {
    across.Add(mark.at.x);
    up.Add(mark.at.y);
  }
  if (!figure.log_y) up = {std::min(0.0, up.low), up.high};
  const Axis x(across, kLeft + 12, kRight - 12, figure.log_x);
  const std::string title = figure.title + (figure.unit.empty() ? "" : ", " + figure.unit);
  const ChartPanel panel(&canvas, title, kLeft, kRight, x, Axis(up, kBottom, kTop, figure.log_y));
  panel.XTicks(XTicks(figure), [&](double tick) { return XText(figure, tick); });
  canvas.Text({(kLeft + kRight) / 2, kBottom + 34}, figure.x + (published.empty() ? "" : "; crosses: published"), 12, Anchor::kMiddle);
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    const FigureCurve& curve = figure.curves[i];
    const char* const color = kChartColors[i % std::size(kChartColors)];
    std::vector<ChartMark> marks;
    for (const CurvePoint& point : curve.points) marks.push_back({point.x, point.y});
    panel.Curve(marks, color, true);
    for (const PublishedMark& mark : published) {
      if (mark.curve == curve.name) panel.Cross({mark.at.x, mark.at.y}, color);
    }
    canvas.Text({kRight + 20, kTop + 10 + 18 * static_cast<double>(i)}, curve.name, 12, Anchor::kStart, color);
  }
  return canvas.Svg();
}

}  // namespace tilefly::runs
