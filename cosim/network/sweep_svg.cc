// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cosim/network/sweep_results.h"
#include "topology/canvas.h"

namespace tilefly::cosim {
namespace {

using topology::Anchor;
using topology::Canvas;
using topology::Point;

constexpr double kLeft = 70, kWidth = 520;
/// Above this ratio of the largest to the smallest latency the axis is logarithmic.
constexpr double kLogRatio = 20;
/// Colours that the colour-blind tell apart (Okabe and Ito).
constexpr const char* kColors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
constexpr std::size_t kMostNamed = 20;

/// What is drawn of a point.
struct Mark {
  double x, mean, p99, offered, accepted;
  bool saturated;
};
struct NamedCurve {
  std::string name;
  std::vector<Mark> marks;
};
using Curves = std::vector<NamedCurve>;

/// The marks of each combination of the other settings' values.
Curves CurvesOf(const SweepPlan& plan, const std::vector<SweepOutcome>& outcomes) {
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
                            !results.value("saturated", nlohmann::ordered_json()).is_null()});
  }
  for (auto& [name, marks] : curves) {
    std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.x < b.x; });
  }
  return curves;
}

/// Maps [low, high] to [from, to], linearly or by logarithm.
class Axis {
 public:
  Axis(double low, double high, double from, double to, bool log)
      : log_(log), low_(log ? std::log10(low) : low), from_(from) {
    const double span = (log ? std::log10(high) : high) - low_;
    scale_ = span > 0 ? (to - from) / span : 0;
  }
  double operator()(double value) const { return from_ + ((log_ ? std::log10(value) : value) - low_) * scale_; }

 private:
  bool log_;
  double low_, from_, scale_;
};

/// Round numbers in [low, high]: about five, or 1, 2, 5 of each power of ten.
std::vector<double> Ticks(double low, double high, bool log) {
  std::vector<double> ticks;
  if (log) {
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

/// A field of the picture with its axes.
struct Panel {
  Panel(Canvas* c, double top, double height, double low, double high, bool log, const Axis& x_axis,
        const std::vector<double>& x_ticks, const std::string& title)
      : canvas(c), x(x_axis), y(low, high, top + height, top, log) {
    canvas->Text({kLeft, top - 14}, title, 13, Anchor::kStart);
    for (const double tick : Ticks(low, high, log)) {
      canvas->Line({kLeft, y(tick)}, {kLeft + kWidth, y(tick)}, {"#dddddd"});
      const std::string text = fmt::format("{:.6g}", tick);
      canvas->Text({kLeft - 10 - 6.5 * static_cast<double>(text.size()), y(tick)}, text, 11, Anchor::kStart);
    }
    canvas->Line({kLeft, top + height}, {kLeft + kWidth, top + height}, {topology::kTextColor});
    for (const double tick : x_ticks) {
      canvas->Line({x(tick), top + height}, {x(tick), top + height + 4}, {topology::kTextColor});
      canvas->Text({x(tick), top + height + 14}, fmt::format("{:.6g}", tick), 11, Anchor::kMiddle);
    }
  }

  /// A line through what `value` gives of the marks; a saturated one's circle is hollow.
  void Curve(const std::vector<Mark>& marks, double Mark::*value, const char* color, bool strong) const {
    const topology::Stroke stroke{color, strong ? 2.0 : 1.0, strong ? 1.0 : 0.7};
    const Mark* before = nullptr;
    for (const Mark& mark : marks) {
      if (std::isnan(mark.*value)) continue;
      if (before != nullptr) canvas->Line({x(before->x), y(before->*value)}, {x(mark.x), y(mark.*value)}, stroke);
      before = &mark;
    }
    for (const Mark& mark : marks) {
      if (std::isnan(mark.*value)) continue;
      canvas->Circle({x(mark.x), y(mark.*value)}, strong ? 3.5 : 2, mark.saturated ? "white" : color, {color, 1.2});
    }
  }

  Canvas* canvas;
  Axis x;
  Axis y;
};

/// Smallest and largest of some values.
struct Span {
  void Add(double value) {
    if (std::isnan(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double low = 1e300;
  double high = -1e300;
};

}  // namespace

std::string SweepSvg(const SweepPlan& plan, const std::vector<SweepOutcome>& outcomes) {
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
  if (latency.high < latency.low) {
    canvas.Text({0, 0}, "No run has come to an end.", 13, Anchor::kStart);
    return canvas.Svg();
  }
  const bool log = latency.low > 0 && latency.high > kLogRatio * latency.low;
  const Axis x(across.low, across.high, kLeft + 12, kLeft + kWidth - 12, false);
  const std::vector<double> ticks = Ticks(across.low, across.high, false);
  const Panel top(&canvas, 30, 260, log ? latency.low : 0, latency.high, log, x, ticks,
                  "latency in ns: mean (strong), p99 (fine)");
  const Panel low(&canvas, 350, 160, 0, std::max(load.high, 1e-9), false, x, ticks,
                  "load as share of the word slots: accepted (strong), offered (fine)");
  std::size_t index = 0;
  for (const auto& [name, marks] : curves) {
    const char* const color = kColors[index % std::size(kColors)];
    top.Curve(marks, &Mark::p99, color, false);
    top.Curve(marks, &Mark::mean, color, true);
    low.Curve(marks, &Mark::offered, color, false);
    low.Curve(marks, &Mark::accepted, color, true);
    if (!name.empty() && index < kMostNamed)
      canvas.Text({kLeft + kWidth + 20, 40 + 18 * static_cast<double>(index)}, name, 12, Anchor::kStart, color);
    ++index;
  }
  canvas.Text({kLeft + kWidth / 2, 548}, axis + "; hollow: saturated", 12, Anchor::kMiddle);
  return canvas.Svg();
}

}  // namespace tilefly::cosim
