// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "runs/report/chart.h"
#include "runs/sweep/interference_results.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using topology::Anchor;
using topology::Canvas;

constexpr double kBarsLeft = 20, kBarsRight = 620, kBarsTop = 60;
constexpr double kBarHeight = 14, kBarStep = 18, kJobGap = 34;

struct SlowdownBar {
  const char* key;
  const char* name;
};
constexpr SlowdownBar kBars[] = {{"slowdown", "completion"},
                                 {"iteration_mean_slowdown", "iteration, mean"},
                                 {"iteration_p99_slowdown", "iteration, p99"}};

/// The bars of a job below its name, the first one at `y`. Returns the place of what comes below.
double AddBars(const Json& job, const Axis& x, double y, Canvas* canvas) {
  canvas->Text(
      {kBarsLeft, y - kBarStep},
      fmt::format("job {} {}, {} ranks", job["job"].dump(), job["pattern"].get<std::string>(), job["ranks"].dump()), 12,
      Anchor::kStart);
  std::size_t colour = 0;
  for (const SlowdownBar& bar : kBars) {
    const Json& value = job[bar.key];
    const char* const color = kChartColors[colour++];
    const double to = value.is_number() ? x(value.get<double>()) : kBarsLeft;
    if (value.is_number()) canvas->Line({kBarsLeft, y}, {to, y}, {color, kBarHeight});
    canvas->Text({to + 8, y}, value.is_number() ? fmt::format("{:.3f}", value.get<double>()) : "-", 11, Anchor::kStart);
    y += kBarStep;
  }
  return y + kJobGap;
}

}  // namespace

std::string InterferenceSvg(const Json& interference) {
  Canvas canvas;
  double most = 1;
  for (const Json& job : interference["jobs"]) {
    for (const SlowdownBar& bar : kBars) {
      if (job[bar.key].is_number()) most = std::max(most, job[bar.key].get<double>());
    }
  }
  const Axis x({0, most}, kBarsLeft, kBarsRight, false);
  canvas.Text({kBarsLeft, 0}, "slowdown: time beside the others over time alone", 13, Anchor::kStart);
  double y = kBarsTop;
  const double bottom =
      kBarsTop + static_cast<double>(interference["jobs"].size()) * (std::size(kBars) * kBarStep + kJobGap) - kJobGap;
  for (const double tick : Ticks(x)) {
    canvas.Line({x(tick), kBarsTop - 30}, {x(tick), bottom}, {"#dddddd"});
    canvas.Text({x(tick), bottom + 14}, fmt::format("{:.6g}", tick), 11, Anchor::kMiddle);
  }
  for (const Json& job : interference["jobs"]) y = AddBars(job, x, y, &canvas);
  canvas.Line({x(1), kBarsTop - 30}, {x(1), bottom}, {topology::kTextColor, 1.5});
  canvas.Line({kBarsLeft, bottom}, {kBarsRight, bottom}, {topology::kTextColor});
  canvas.Text({(kBarsLeft + kBarsRight) / 2, bottom + 34}, "slowdown (times); 1: as alone", 12, Anchor::kMiddle);
  std::size_t colour = 0;
  for (const SlowdownBar& bar : kBars) {
    const double left = kBarsLeft + 150 * static_cast<double>(colour);
    canvas.Text({left, 18}, bar.name, 12, Anchor::kStart, kChartColors[colour]);
    ++colour;
  }
  return canvas.Svg();
}

}  // namespace tilefly::runs
