// SPDX-License-Identifier: Apache-2.0
#include "topology/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilefly::topology {
namespace {

std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string StrokeText(const Stroke& stroke) {
  return fmt::format("stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-opacity=\"{:.2f}\"{}", stroke.color, stroke.width,
                     stroke.opacity, stroke.dashed ? " stroke-dasharray=\"5 4\"" : "");
}

}  // namespace

Point Around(Point centre, double radius, double turn) {
  const double angle = 2 * M_PI * turn;
  return centre + Point{radius * std::sin(angle), -radius * std::cos(angle)};
}

const char* ColorOf(LinkKind kind) {
  constexpr const char* kColors[kKinds] = {"#e69f00", "#009e73", "#0072b2", "#cc79a7"};
  return kColors[static_cast<int>(kind)];
}

void Canvas::Cover(Point point, double margin) {
  least_ = {std::min(least_.x, point.x - margin), std::min(least_.y, point.y - margin)};
  most_ = {std::max(most_.x, point.x + margin), std::max(most_.y, point.y + margin)};
}

void Canvas::Line(Point a, Point b, const Stroke& stroke) {
  shapes_ += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" {}/>\n", a.x, a.y, b.x, b.y, StrokeText(stroke));
  Cover(a, stroke.width);
  Cover(b, stroke.width);
}

void Canvas::Curve(Point a, Point control, Point b, const Stroke& stroke) {
  shapes_ += fmt::format("<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" {}/>\n", a.x, a.y,
                         control.x, control.y, b.x, b.y, StrokeText(stroke));
  Cover(a, stroke.width);
  Cover(b, stroke.width);
  Cover((a + b) * 0.25 + control * 0.5, stroke.width);
}

void Canvas::Circle(Point centre, double radius, const char* fill, const Stroke& stroke) {
  shapes_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" {}/>\n", centre.x, centre.y,
                         radius, fill, StrokeText(stroke));
  Cover(centre, radius + stroke.width);
}

void Canvas::Polygon(const std::vector<Point>& corners, const char* fill, const Stroke& stroke) {
  std::string path;
  for (const Point& corner : corners) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', corner.x, corner.y);
    Cover(corner, stroke.width);
  }
  shapes_ += fmt::format("<path d=\"{}Z\" fill=\"{}\" {}/>\n", path, fill, StrokeText(stroke));
}

double Canvas::WidthOf(const std::string& text, double size) {
  constexpr double kLetter = 0.6;  // of the size, more than most letters are wide
  return kLetter * size * static_cast<double>(text.size());
}

void Canvas::Text(Point at, const std::string& text, double size, Anchor anchor, const char* color) {
  constexpr const char* kAnchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  shapes_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"{}\"{}>{}</text>\n", at.x,
                         at.y + 0.35 * size, size, color, kAnchors[static_cast<int>(anchor)], Escaped(text));
  const double width = WidthOf(text, size);
  const Point left = at + Point{-width * 0.5 * static_cast<int>(anchor), 0};
  Cover(left, size / 2);
  Cover(left + Point{width, 0}, size / 2);
}

std::string Canvas::Svg() const {
  constexpr double kMargin = 16;
  const double width = most_.x - least_.x + 2 * kMargin;
  const double height = most_.y - least_.y + 2 * kMargin;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{2:.0f}\" height=\"{3:.0f}\" viewBox=\"{0:.1f} {1:.1f} "
             "{2:.1f} {3:.1f}\" font-family=\"sans-serif\">\n<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" "
             "height=\"{3:.1f}\" fill=\"white\"/>\n",
             least_.x - kMargin, least_.y - kMargin, width, height) +
         shapes_ + "</svg>\n";
}

}  // namespace tilefly::topology
