// SPDX-License-Identifier: Apache-2.0
// Shapes of an SVG picture; its size follows from what is drawn.
#pragma once

#include <string>
#include <vector>

#include "topology/topology.h"

namespace tilefly::topology {

struct Point {
  double x = 0;
  double y = 0;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator*(Point a, double f) { return {a.x * f, a.y * f}; }

/// The point at `radius` from `centre`; a turn of 0 is upwards, 0.25 to the right.
Point Around(Point centre, double radius, double turn);

struct Stroke {
  const char* color;
  double width = 1;
  double opacity = 1;
  bool dashed = false;
};

/// Colours of links by kind, told apart by the colour-blind too (Okabe and Ito).
const char* ColorOf(LinkKind kind);
inline constexpr const char* kSwitchColor = "#222222";
inline constexpr double kSwitchRadius = 4;
inline constexpr const char* kTextColor = "#333333";
inline constexpr const char* kPaleColor = "#999999";

enum class Anchor { kStart, kMiddle, kEnd };

class Canvas {
 public:
  void Line(Point a, Point b, const Stroke& stroke);
  /// From a to b, bent towards `control`.
  void Curve(Point a, Point control, Point b, const Stroke& stroke);
  void Circle(Point centre, double radius, const char* fill, const Stroke& stroke = {"none", 0});
  /// Closed, through the corners.
  void Polygon(const std::vector<Point>& corners, const char* fill, const Stroke& stroke = {"none", 0});
  /// `at` is the middle of the line's height.
  void Text(Point at, const std::string& text, double size, Anchor anchor, const char* color = kTextColor);

  /// How wide a text is, at most.
  static double WidthOf(const std::string& text, double size);

  Point least() const { return least_; }
  Point most() const { return most_; }
  /// The whole file.
  std::string Svg() const;

 private:
  void Cover(Point point, double margin);

  std::string shapes_;
  Point least_{1e9, 1e9};
  Point most_{-1e9, -1e9};
};

}  // namespace tilefly::topology
