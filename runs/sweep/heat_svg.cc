// SPDX-License-Identifier: Apache-2.0
// Heat maps of a sweep of two settings with numbers: one for each figure.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "runs/report/chart.h"
#include "runs/sweep/sweep_picture.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using topology::Anchor;
using topology::Canvas;

constexpr double kHeatLeft = 64, kMapWidth = 330, kMapHeight = 230, kMapsApart = 56;
/// Above this ratio of the largest to the smallest value colours go by the logarithm.
constexpr double kLogColours = 20;

/// From light to dark in one hue, so that lightness alone carries the value.
std::string ColourOf(double share) {
  using Colour = std::array<double, 3>;
  constexpr Colour kLow{234, 242, 248}, kMiddle{58, 126, 182}, kHigh{6, 36, 64};
  const Colour &from = share < 0.5 ? kLow : kMiddle, &to = share < 0.5 ? kMiddle : kHigh;
  const double part = share < 0.5 ? 2 * share : 2 * share - 1;
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < 3; ++i) mixed[i] = static_cast<int>(std::lround(from[i] + part * (to[i] - from[i])));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

/// Three digits, or all of a larger number.
std::string HeatText(double value) {
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

/// The values of a setting, increasing, with the place of each.
struct HeatAxis {
  explicit HeatAxis(const SweptSetting& one) : title(AxisTitle(one)) {
    std::map<double, std::string> sorted;
    for (std::size_t i = 0; i < one.values.size(); ++i) sorted[one.numbers[i]] = one.values[i];
    for (const auto& [number, text] : sorted) {
      place[text] = labels.size();
      labels.push_back(text.substr(0, text.size() - one.unit.size()));
    }
  }

  std::string title;
  std::vector<std::string> labels;
  std::map<std::string, std::size_t> place;
};

/// A map of one figure.
class HeatMap {
 public:
  HeatMap(Canvas* canvas, double left, double top, const HeatAxis& across, const HeatAxis& up)
      : canvas_(canvas),
        left_(left),
        top_(top),
        across_(across),
        up_(up),
        wide_(kMapWidth / static_cast<double>(across.labels.size())),
        tall_(kMapHeight / static_cast<double>(up.labels.size())) {}

  void Frame(const std::string& title) const;
  void Cell(std::size_t x, std::size_t y, double value, double share, const Json& point) const;
  void Scale(const Span& values) const;

 private:
  Canvas* canvas_;
  double left_, top_;
  const HeatAxis& across_;
  const HeatAxis& up_;
  double wide_, tall_;
};

void Box(Canvas* canvas, double left, double top, double wide, double tall, const char* fill) {
  canvas->Polygon({{left, top}, {left + wide, top}, {left + wide, top + tall}, {left, top + tall}}, fill,
                  {"white", 0.5});
}

void HeatMap::Frame(const std::string& title) const {
  canvas_->Text({left_, top_ - 14}, title, 13, Anchor::kStart);
  const auto every = [](double size, double room) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(room / size)));
  };
  std::size_t longest = 1;
  for (const std::string& text : across_.labels) longest = std::max(longest, text.size());
  for (std::size_t x = 0; x < across_.labels.size();
       x += every(wide_, Canvas::WidthOf(std::string(longest, '0'), 11) + 4))
    canvas_->Text({left_ + (static_cast<double>(x) + 0.5) * wide_, top_ + kMapHeight + 12}, across_.labels[x], 11,
                  Anchor::kMiddle);
  for (std::size_t y = 0; y < up_.labels.size(); y += every(tall_, 14))
    canvas_->Text({left_ - 8, top_ + kMapHeight - (static_cast<double>(y) + 0.5) * tall_}, up_.labels[y], 11,
                  Anchor::kEnd);
  canvas_->Text({left_ + kMapWidth / 2, top_ + kMapHeight + 30},
                fmt::format("across: {}; up: {}", across_.title, up_.title), 11, Anchor::kMiddle);
}

/// A square with its value, where that finds room, and a ring when its latency depends on the length of the run, or
/// may.
void HeatMap::Cell(std::size_t x, std::size_t y, double value, double share, const Json& point) const {
  const double left = left_ + static_cast<double>(x) * wide_;
  const double top = top_ + kMapHeight - static_cast<double>(y + 1) * tall_;
  if (std::isnan(value)) return Box(canvas_, left, top, wide_, tall_, "#eeeeee");
  Box(canvas_, left, top, wide_, tall_, ColourOf(share).c_str());
  const char* const ink = share > 0.45 ? "white" : "#0d1216";
  const std::string text = HeatText(value);
  const Json steady = point.value("steady_state", Json());
  const bool room = Canvas::WidthOf(text, 10) + 4 < wide_ && tall_ > 14;
  if (room) canvas_->Text({left + wide_ / 2, top + tall_ / 2}, text, 10, Anchor::kMiddle, ink);
  if (steady == "saturated" || steady == "undecided") {
    const double radius = std::min({3.0, wide_ / 4, tall_ / 4});
    canvas_->Circle({left + wide_ - radius - 2, top + radius + 2}, radius, "none", {ink, 1});
  }
}

void HeatMap::Scale(const Span& values) const {
  constexpr int kSteps = 24;
  const double top = top_ + kMapHeight + 46, step = 120.0 / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const std::string colour = ColourOf((i + 0.5) / kSteps);
    canvas_->Polygon({{left_ + 70 + i * step, top},
                      {left_ + 70 + (i + 1) * step, top},
                      {left_ + 70 + (i + 1) * step, top + 9},
                      {left_ + 70 + i * step, top + 9}},
                     colour.c_str());
  }
  canvas_->Text({left_ + 62, top + 4}, HeatText(values.low), 11, Anchor::kEnd);
  canvas_->Text({left_ + 198, top + 4}, HeatText(values.high), 11, Anchor::kStart);
}

}  // namespace

double DrawHeatMaps(Canvas* canvas, double top, const SweepPlan& plan, const std::vector<Json>& points) {
  const std::vector<std::size_t> axes = HeatAxes(plan);
  const HeatAxis across(plan.swept[axes[0]]), up(plan.swept[axes[1]]);
  const std::vector<DrawnFigure> figures = DrawnFigures(points);
  double bottom = top;
  for (std::size_t f = 0; f < figures.size(); ++f) {
    const double left = kHeatLeft + static_cast<double>(f % 2) * (kMapWidth + kHeatLeft + 28);
    const double own = top + 40 + static_cast<double>(f / 2) * (kMapHeight + kMapsApart + 60);
    Span values;
    for (const Json& point : points) values.Add(NumberOf(point, figures[f].key));
    const bool log = !figures[f].from_zero && values.low > 0 && values.high > kLogColours * values.low;
    const HeatMap map(canvas, left, own, across, up);
    map.Frame(figures[f].title + std::string(log ? ", colours by logarithm" : ""));
    const auto share = [&](double value) {
      const auto scaled = [&](double v) { return log ? std::log(v) : v; };
      return values.high > values.low
                 ? (scaled(value) - scaled(values.low)) / (scaled(values.high) - scaled(values.low))
                 : 0;
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double value = NumberOf(points[i], figures[f].key);
      map.Cell(across.place.at(plan.points[i].values[axes[0]]), up.place.at(plan.points[i].values[axes[1]]), value,
               share(value), points[i]);
    }
    map.Scale(values);
    bottom = own + kMapHeight + kMapsApart + 14;
  }
  canvas->Text({kHeatLeft, bottom}, "ring: saturated or undecided; grey: no figure", 11, Anchor::kStart);
  return bottom + 20;
}

}  // namespace tilefly::runs
