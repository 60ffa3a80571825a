// SPDX-License-Identifier: Apache-2.0
// Charts as SVG: axes, and curves over them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "topology/canvas.h"

namespace tilefly::runs {

/// Colours that the colour-blind tell apart (Okabe and Ito).
inline constexpr const char* kChartColors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                               "#e69f00", "#56b4e9", "#000000"};

/// Smallest and largest of some values; NaN counts for nothing.
struct Span {
  void Add(double value);
  bool empty() const { return high < low; }

  double low = 1e300;
  double high = -1e300;
};

/// Maps [low, high] to [from, to], linearly or by logarithm.
class Axis {
 public:
  Axis(Span values, double from, double to, bool log);
  double operator()(double value) const;
  const Span& values() const { return values_; }
  bool log() const { return log_; }

 private:
  bool log_;
  Span values_;
  double low_, from_, scale_;
};

/// Round numbers in the axis's values: about five, or 1, 2, 5 of each power of ten.
std::vector<double> Ticks(const Axis& axis);

/// How a point is filled.
enum class MarkFill { kFull, kHollow, kDotted };

/// A point of a curve.
struct ChartMark {
  double x, y;
  MarkFill fill = MarkFill::kFull;
  double half_width = 0;  ///< of the interval around y; 0: none is known
};

/// Shapes of points, so that curves differ by more than their colour.
enum class Shape { kCircle, kSquare, kTriangle, kDiamond, kTriangleDown, kHexagon };
inline constexpr int kShapes = 6;

/// How a curve is drawn.
struct CurveLook {
  const char* color;
  Shape shape;
  bool line = true;  ///< its points are connected

  /// Of the curve `index` of a picture: 42 looks differ.
  static CurveLook Of(std::size_t index);
};

/// A point of a curve by itself, for a legend.
void DrawMark(topology::Canvas* canvas, topology::Point at, const CurveLook& look, MarkFill fill);

/// A field of a picture with its axes: x below, y at the left.
class ChartPanel {
 public:
  using Labels = std::function<std::string(double)>;

  /// Draws the axes. `left`, `right`: its borders; `top` and `bottom` are the y axis's. `canvas` must outlive it.
  ChartPanel(topology::Canvas* canvas, const std::string& title, double left, double right, const Axis& x,
             const Axis& y);
  /// Marks of the x axis.
  void XTicks(const std::vector<double>& ticks, const Labels& label) const;
  /// A line through the marks, in the order of x, and a circle at each; `strong` or fine. Marks whose y is NaN are left
  /// out.
  void Curve(const std::vector<ChartMark>& marks, const char* color, bool strong) const;
  /// A line through the marks, in the order of x, dashed to and from those that are not full, a shape at each, and a
  /// bar for each interval. Marks whose y is NaN are left out.
  void Curve(const std::vector<ChartMark>& marks, const CurveLook& look) const;
  /// An upright cross: a point of somebody else's.
  void Cross(const ChartMark& mark, const char* color) const;

 private:
  topology::Point At(const ChartMark& mark) const { return {x_(mark.x), y_(mark.y)}; }
  void Interval(const ChartMark& mark, const char* color) const;

  topology::Canvas* canvas_;
  Axis x_;
  Axis y_;
  double bottom_;
};

}  // namespace tilefly::runs
