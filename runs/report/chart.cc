// SPDX-License-Identifier: Apache-2.0
#include "runs/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilefly::runs {

using topology::Anchor;

void Span::Add(double value) {
  if (std::isnan(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

Axis::Axis(Span values, double from, double to, bool log)
    : log_(log), values_(values), low_(log ? std::log10(values.low) : values.low), from_(from) {
  const double span = (log ? std::log10(values.high) : values.high) - low_;
  scale_ = span > 0 ? (to - from) / span : 0;
}

double Axis::operator()(double value) const { return from_ + ((log_ ? std::log10(value) : value) - low_) * scale_; }

std::vector<double> Ticks(const Axis& axis) {
  const auto [low, high] = axis.values();
  std::vector<double> ticks;
  if (axis.log()) {
    for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10) {
      for (const double factor : {1, 2, 5}) {
        if (factor * power >= low * 0.999 && factor * power <= high * 1.001) ticks.push_back(factor * power);
      }
    }
    return ticks;
  }
  if (!(high > low)) return {low};
  double step = std::pow(10, std::floor(std::log10((high - low) / 5)));
  for (const double factor : {2.0, 2.5, 2.0}) {
    if ((high - low) / step > 6) step *= factor;
  }
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i)
    ticks.push_back(i == 0 ? 0 : i * step);
  return ticks;
}

ChartPanel::ChartPanel(topology::Canvas* canvas, const std::string& title, double left, double right, const Axis& x,
                       const Axis& y)
    : canvas_(canvas), x_(x), y_(y), bottom_(y(y.values().low)) {
  canvas->Text({left, y(y.values().high) - 14}, title, 13, Anchor::kStart);
  for (const double tick : Ticks(y)) {
    canvas->Line({left, y(tick)}, {right, y(tick)}, {"#dddddd"});
    const std::string text = fmt::format("{:.6g}", tick);
    canvas->Text({left - 8, y(tick)}, text, 11, Anchor::kEnd);
  }
  canvas->Line({left, bottom_}, {right, bottom_}, {topology::kTextColor});
}

void ChartPanel::XTicks(const std::vector<double>& ticks, const Labels& label) const {
  for (const double tick : ticks) {
    canvas_->Line({x_(tick), bottom_}, {x_(tick), bottom_ + 4}, {topology::kTextColor});
    canvas_->Text({x_(tick), bottom_ + 14}, label(tick), 11, Anchor::kMiddle);
  }
}

void ChartPanel::Curve(const std::vector<ChartMark>& marks, const char* color, bool strong) const {
  const topology::Stroke stroke{color, strong ? 2.0 : 1.0, strong ? 1.0 : 0.7};
  const ChartMark* before = nullptr;
  for (const ChartMark& mark : marks) {
    if (std::isnan(mark.y)) continue;
    if (before != nullptr) canvas_->Line(At(*before), At(mark), stroke);
    before = &mark;
  }
  for (const ChartMark& mark : marks) {
    if (!std::isnan(mark.y)) canvas_->Circle(At(mark), strong ? 3.5 : 2, color, {color, 1.2});
  }
}

CurveLook CurveLook::Of(std::size_t index) {
  return {kChartColors[index % std::size(kChartColors)], static_cast<Shape>(index % kShapes)};
}

void DrawMark(topology::Canvas* canvas, topology::Point at, const CurveLook& look, MarkFill how) {
  const char* const fill = how == MarkFill::kFull ? look.color : "white";
  const topology::Stroke stroke{look.color, 1.2};
  const auto corners = [&](int count, double radius, double turn) {
    std::vector<topology::Point> all;
    for (int i = 0; i < count; ++i) all.push_back(topology::Around(at, radius, turn + static_cast<double>(i) / count));
    canvas->Polygon(all, fill, stroke);
  };
  switch (look.shape) {
    case Shape::kCircle:
      canvas->Circle(at, 3.5, fill, stroke);
      break;
    case Shape::kSquare:
      corners(4, 4.6, 0.125);
      break;
    case Shape::kTriangle:
      corners(3, 4.8, 0);
      break;
    case Shape::kDiamond:
      corners(4, 4.8, 0);
      break;
    case Shape::kTriangleDown:
      corners(3, 4.8, 0.5);
      break;
    case Shape::kHexagon:
      corners(6, 4.2, 0);
      break;
  }
  if (how == MarkFill::kDotted) canvas->Circle(at, 1.3, look.color);
}

void ChartPanel::Interval(const ChartMark& mark, const char* color) const {
  constexpr double kCap = 3;
  const double low = y_(std::max(mark.y - mark.half_width, y_.values().low));
  const double high = y_(std::min(mark.y + mark.half_width, y_.values().high));
  const double x = x_(mark.x);
  canvas_->Line({x, low}, {x, high}, {color, 1});
  for (const double end : {low, high}) canvas_->Line({x - kCap, end}, {x + kCap, end}, {color, 1});
}

void ChartPanel::Curve(const std::vector<ChartMark>& marks, const CurveLook& look) const {
  const ChartMark* before = nullptr;
  for (const ChartMark& mark : marks) {
    if (std::isnan(mark.y)) continue;
    if (before != nullptr && look.line) {
      canvas_->Line(At(*before), At(mark),
                    {look.color, 1.6, 1, before->fill != MarkFill::kFull || mark.fill != MarkFill::kFull});
    }
    before = &mark;
  }
  for (const ChartMark& mark : marks) {
    if (std::isnan(mark.y)) continue;
    if (mark.half_width > 0) Interval(mark, look.color);
    DrawMark(canvas_, At(mark), look, mark.fill);
  }
}

void ChartPanel::Cross(const ChartMark& mark, const char* color) const {
  constexpr double kArm = 7;
  const topology::Point at = At(mark);
  canvas_->Line({at.x - kArm, at.y}, {at.x + kArm, at.y}, {color, 2});
  canvas_->Line({at.x, at.y - kArm}, {at.x, at.y + kArm}, {color, 2});
}

}  // namespace tilefly::runs
