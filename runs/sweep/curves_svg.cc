// SPDX-License-Identifier: Apache-2.0
// Curves of a sweep: a row of panels for each figure, a column for each traffic.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "runs/report/chart.h"
#include "runs/sweep/sweep_picture.h"
#include "runs/sweep/sweep_results.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using topology::Anchor;
using topology::Canvas;

constexpr double kPanelLeft = 64, kColumnGap = 28, kPanelHeight = 170, kPanelsApart = 80, kPanelTop = 34;
constexpr double kOneColumn = 520, kManyColumns = 330;
constexpr std::size_t kMostColumns = 3;
/// Above this ratio of the largest to the smallest value an axis is logarithmic.
constexpr double kLogRatio = 20;
constexpr std::size_t kMostNamed = 24;

/// The points of a curve, in the order of the axis.
struct PointsOfCurve {
  std::size_t name;  ///< its place among the names
  std::vector<std::pair<double, const Json*>> points;
};

struct PanelColumn {
  std::string title;
  std::vector<PointsOfCurve> curves;
};

/// The points sorted into columns and curves.
struct CurveTable {
  CurveTable(const SweepPlan& plan, const std::vector<Json>& points);

  std::vector<PanelColumn> columns;
  std::vector<std::string> names;  ///< of the curves, which all columns share
  std::size_t axis;
  Span across;
};

/// The number or the place of each value of the axis.
std::map<std::string, double> PlacesOnAxis(const SweptSetting& axis) {
  std::map<std::string, double> places;
  for (std::size_t i = 0; i < axis.values.size(); ++i)
    places[axis.values[i]] = axis.numeric() ? axis.numbers[i] : static_cast<double>(i);
  return places;
}

template <typename Kind, typename Make>
Kind& FindOrAdd(std::vector<Kind>* all, const std::function<bool(const Kind&)>& same, Make&& make) {
  const auto found = std::find_if(all->begin(), all->end(), same);
  if (found != all->end()) return *found;
  all->push_back(make());
  return all->back();
}

CurveTable::CurveTable(const SweepPlan& plan, const std::vector<Json>& points) : axis(CurveAxis(plan)) {
  const std::map<std::string, double> places = PlacesOnAxis(plan.swept[axis]);
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::string title, name;
    for (std::size_t s = 0; s < plan.swept.size(); ++s) {
      if (s == axis || plan.points[i].LeavesOut(s)) continue;
      const bool column = std::string(plan.swept[s].setting->option) == "traffic";
      std::string& text = column ? title : name;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", plan.swept[s].setting->option, plan.points[i].values[s]);
    }
    PanelColumn& own = FindOrAdd<PanelColumn>(
        &columns, [&](const PanelColumn& one) { return one.title == title; },
        [&] {
          return PanelColumn{title, {}};
        });
    const std::string& known = FindOrAdd<std::string>(
        &names, [&](const std::string& one) { return one == name; }, [&] { return name; });
    const auto place = static_cast<std::size_t>(&known - names.data());
    const double x = places.at(plan.points[i].values[axis]);
    across.Add(x);
    FindOrAdd<PointsOfCurve>(
        &own.curves, [&](const PointsOfCurve& one) { return one.name == place; },
        [&] {
          return PointsOfCurve{place, {}};
        })
        .points.emplace_back(x, &points[i]);
  }
  for (PanelColumn& column : columns) {
    for (PointsOfCurve& curve : column.curves) {
      std::sort(curve.points.begin(), curve.points.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
    }
  }
}

/// The axis of a figure, from `bottom` to `top`: the same in all columns.
Axis UpAxis(const std::vector<Json>& points, const DrawnFigure& figure, double bottom, double top) {
  Span values;
  for (const Json& point : points) values.Add(NumberOf(point, figure.key));
  const bool log = !figure.from_zero && values.low > 0 && values.high > kLogRatio * values.low;
  if (!log) values.low = std::min(0.0, values.low);
  values.high = std::max(values.high, values.low + 1e-9);
  return Axis(values, bottom, top, log);
}

MarkFill FillOf(const Json& point) {
  const Json steady = point.value("steady_state", Json());
  return steady == "saturated" ? MarkFill::kHollow : steady == "undecided" ? MarkFill::kDotted : MarkFill::kFull;
}

std::vector<ChartMark> MarksOf(const PointsOfCurve& curve, const DrawnFigure& figure) {
  std::vector<ChartMark> marks;
  for (const auto& [x, point] : curve.points) {
    const double half = figure.half_width == nullptr ? 0 : NumberOf(*point, figure.half_width);
    marks.push_back({x, NumberOf(*point, figure.key), FillOf(*point), std::isnan(half) ? 0 : half});
  }
  return marks;
}

/// The axis across: values that are no numbers stand in the middle of slots.
Axis AcrossAxis(const CurveTable& table, const SweptSetting& axis, double left, double right) {
  const double slot = (right - left) / static_cast<double>(axis.values.size());
  const double inset = axis.numeric() ? 14 : slot / 2;
  return Axis(table.across, left + inset, right - inset, false);
}

/// About as many marks of the axis as find room; values that are no numbers are cut where they do not.
void DrawXTicks(const ChartPanel& panel, const SweptSetting& axis, const Axis& x, double width) {
  if (axis.numeric()) return panel.XTicks(Ticks(x), [](double tick) { return fmt::format("{:.6g}", tick); });
  constexpr double kLeastRoom = 60;
  const double slot = width / static_cast<double>(axis.values.size());
  const auto every = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(kLeastRoom / slot)));
  const auto letters = static_cast<std::size_t>(slot * static_cast<double>(every) / Canvas::WidthOf("x", 11)) - 1;
  std::vector<double> ticks;
  for (std::size_t i = 0; i < axis.values.size(); i += every) ticks.push_back(static_cast<double>(i));
  panel.XTicks(ticks, [&](double tick) {
    const std::string& value = axis.values[static_cast<std::size_t>(tick)];
    return value.size() <= letters ? value : value.substr(0, letters - 2) + "..";
  });
}

/// The names of the curves, in lines as wide as the picture.
double DrawLegend(Canvas* canvas, double top, double width, const std::vector<std::string>& names) {
  double at = 0;
  const auto next = [&](double needed) {
    if (at > 0 && at + needed > width) {
      at = 0;
      top += 20;
    }
    const double place = at;
    at += needed;
    return place;
  };
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed) && !names[0].empty(); ++i) {
    const double x = next(Canvas::WidthOf(names[i], 12) + 44);
    const CurveLook look = CurveLook::Of(i);
    canvas->Line({x, top}, {x + 24, top}, {look.color, 1.6});
    DrawMark(canvas, {x + 12, top}, look, MarkFill::kFull);
    canvas->Text({x + 30, top}, names[i], 12, Anchor::kStart);
  }
  if (names.size() > kMostNamed)
    canvas->Text({next(200), top}, fmt::format("and {} more", names.size() - kMostNamed), 12, Anchor::kStart);
  return at > 0 ? top + 22 : top;
}

/// What the fills and bars that the points have mean.
double DrawNotes(Canvas* canvas, double top, const std::vector<Json>& points) {
  const auto any = [&](auto&& holds) { return std::any_of(points.begin(), points.end(), holds); };
  const auto note = [&](const std::string& text, double x) {
    canvas->Text({x, top}, text, 11, Anchor::kStart);
    top += 18;
  };
  for (const auto& [fill, text] :
       {std::pair(MarkFill::kHollow, "saturated: the latency depends on the length of the run"),
        std::pair(MarkFill::kDotted, "undecided: the latency may depend on it")}) {
    if (!any([fill = fill](const Json& point) { return FillOf(point) == fill; })) continue;
    DrawMark(canvas, {12, top}, {topology::kTextColor, Shape::kCircle}, fill);
    note(text, 30);
  }
  const auto has_bar = [](const Json& point) { return NumberOf(point, "steady_latency_half_width_ns") > 0; };
  if (any(has_bar)) note("bars: 95 % confidence of mean latency and accepted load, of points that have converged", 0);
  return top;
}

/// A figure of one column, between `left` and `right` below `top`.
void DrawPanel(Canvas* canvas, double top, double left, double right, const CurveTable& table,
               const PanelColumn& column, const SweptSetting& axis, const DrawnFigure& figure, const Axis& up) {
  const Axis x = AcrossAxis(table, axis, left, right);
  const ChartPanel panel(canvas, figure.title + std::string(up.log() ? ", log scale" : ""), left, right, x, up);
  DrawXTicks(panel, axis, x, right - left);
  for (const PointsOfCurve& curve : column.curves) {
    CurveLook look = CurveLook::Of(curve.name);
    look.line = axis.numeric();
    panel.Curve(MarksOf(curve, figure), look);
  }
  canvas->Text({(left + right) / 2, top + kPanelHeight + 30}, AxisTitle(axis), 11, Anchor::kMiddle);
}

}  // namespace

double DrawCurves(Canvas* canvas, double top, const SweepPlan& plan, const std::vector<Json>& points) {
  const CurveTable table(plan, points);
  const std::vector<DrawnFigure> figures = DrawnFigures(points);
  const std::size_t columns = std::min(kMostColumns, table.columns.size());
  const double width = columns == 1 ? kOneColumn : kManyColumns;
  const double apart = width + kPanelLeft + kColumnGap;
  for (std::size_t first = 0; first < table.columns.size(); first += columns) {
    const std::size_t last = std::min(first + columns, table.columns.size());
    const auto left = [&](std::size_t column) { return kPanelLeft + static_cast<double>(column - first) * apart; };
    if (!table.columns[0].title.empty()) top += 22;
    for (std::size_t c = first; c < last; ++c)
      canvas->Text({left(c), top - 6}, table.columns[c].title, 14, Anchor::kStart, "#000000");
    for (const DrawnFigure& figure : figures) {
      const Axis up = UpAxis(points, figure, top + kPanelTop + kPanelHeight, top + kPanelTop);
      for (std::size_t c = first; c < last; ++c) {
        DrawPanel(canvas, top + kPanelTop, left(c), left(c) + width, table, table.columns[c], plan.swept[table.axis],
                  figure, up);
      }
      top += kPanelHeight + kPanelsApart;
    }
  }
  const double whole = static_cast<double>(columns) * apart - kColumnGap;
  return DrawNotes(canvas, DrawLegend(canvas, top + 14, whole, table.names), points);
}

}  // namespace tilefly::runs
