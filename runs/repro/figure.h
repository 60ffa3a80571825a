// SPDX-License-Identifier: Apache-2.0
// Figures of a study: curves over an axis.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tilefly::runs {

struct CurvePoint {
  double x, y;
};

struct FigureCurve {
  std::string name;
  std::vector<CurvePoint> points;  ///< x ascending; what was not measured is left out
};

struct Figure {
  std::string name;  ///< of its files: "bandwidth"
  std::string title;
  std::string x;     ///< what its axis shows
  std::string unit;  ///< of y
  bool log_x = false;
  bool log_y = false;
  std::vector<FigureCurve> curves;
  std::vector<std::string> bars{};  ///< of a figure of bars: what stands at x = 0, 1, ...; empty: it is one of curves
  std::optional<double> line{};     ///< of a figure of bars: a level that is drawn
};

/// The curve, null: there is none.
const FigureCurve* FindCurve(const std::vector<Figure>& figures, const std::string& figure, const std::string& curve);

/// A value of x as people write it: powers of two of at least 1024 as "64 KiB" in a figure over bytes.
std::string XText(const Figure& figure, double x);

/// A published point, beside a curve.
struct PublishedMark {
  std::string curve;
  CurvePoint at;
};

/// A figure of bars as SVG: for each name a bar of each curve, from 1 or from 0.
std::string BarsSvg(const Figure& figure);
/// The figure as SVG, with published points as crosses in the colour of their curve.
std::string FigureSvg(const Figure& figure, const std::vector<PublishedMark>& published);

}  // namespace tilefly::runs
