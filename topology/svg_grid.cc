// SPDX-License-Identifier: Apache-2.0
// Tori, and the grid of an Aries group.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "topology/drawing.h"

namespace tilefly::topology {
namespace {

/// A curve between two places, bent by `bend` at a right angle to it; 0 is a straight line.
void Bent(Point a, Point b, double bend, const Stroke& stroke, Canvas* canvas) {
  if (bend == 0) {
    canvas->Line(a, b, stroke);
    return;
  }
  const Point along = b + a * -1;
  const double length = std::hypot(along.x, along.y);
  const Point across = {along.y / length, -along.x / length};
  canvas->Curve(a, (a + b) * 0.5 + across * (2 * bend), b, stroke);
}

/// Where the switches of a torus are: planes side by side.
class Planes {
 public:
  explicit Planes(const std::vector<int>& sizes) : sizes_(sizes), step_(sizes.size() > 2 ? 26 : 40) {}

  double step() const { return step_; }

  Point At(const std::vector<int>& place) const {
    const double plane = place.size() > 2 ? place[2] * (sizes_[0] + 1.5) : 0;
    return {step_ * (place[0] + plane), step_ * (place.size() > 1 ? place[1] : 0)};
  }

 private:
  const std::vector<int>& sizes_;
  double step_;
};

/// The dimension in which two places differ.
std::size_t Dimension(const std::vector<int>& a, const std::vector<int>& b) {
  std::size_t d = 0;
  while (d + 1 < a.size() && a[d] == b[d]) ++d;
  return d;
}

}  // namespace

void DrawTorus(const Topology& topology, const std::vector<Edge>& edges, Canvas* canvas) {
  const Planes planes(topology.dimensions);
  const bool cube = topology.dimensions.size() > 2;
  for (const Edge& edge : edges) {
    const std::vector<int>& a = topology.switches[edge.a].place;
    const std::vector<int>& b = topology.switches[edge.b].place;
    const std::size_t d = Dimension(a, b);
    // Between planes only those of the last row, below it, where they cross nothing.
    if (d == 2 && a[1] != topology.dimensions[1] - 1) continue;
    const int span = std::abs(a[d] - b[d]);
    double bend = span == 1 ? 0 : 0.35 * planes.step();
    if (d == 1) bend = -bend;
    if (d == 2) bend = -planes.step() * (span == 1 ? 0.9 : 1.6);
    Bent(planes.At(a), planes.At(b), bend, StrokeOf(edge), canvas);
  }
  for (const Switch& one : topology.switches)
    canvas->Circle(planes.At(one.place), kSwitchRadius, kSwitchColor, {"white", 1});
  if (!cube) return;
  for (int z = 0; z < topology.dimensions[2]; ++z)
    canvas->Text(planes.At({0, 0, z}) + Point{0, -32}, fmt::format("z = {}", z), 13, Anchor::kStart);
  canvas->Text(
      {0, canvas->most().y + 18},
      "Links between planes are drawn for the last row; each switch has them to its place in the planes beside.", 13,
      Anchor::kStart);
}

void DrawAriesGroup(const Topology& topology, const std::vector<Edge>& edges, int group, Point corner, Canvas* canvas) {
  constexpr double kColumn = 40;
  constexpr double kRow = 74;
  const auto place = [&](int s) {
    const std::vector<int>& where = topology.switches[s].place;
    return corner + Point{kColumn * where[2] + 84, kRow * where[1]};
  };
  int chassis = 0;
  const auto inside = [&](int s) { return topology.switches[s].place[0] == group; };
  for (const Edge& edge : edges) {
    if (!inside(edge.a) || !inside(edge.b)) continue;
    const bool green = edge.kind == LinkKind::kLocal;
    const std::size_t d = green ? 2 : 1;
    const int span = topology.switches[edge.b].place[d] - topology.switches[edge.a].place[d];
    const double bend = span == 1 ? 0 : green ? 2.6 * span : 3.0 * span;
    Bent(place(edge.a), place(edge.b), bend, StrokeOf(edge), canvas);
  }
  for (std::size_t s = 0; s < topology.switches.size(); ++s) {
    if (!inside(static_cast<int>(s))) continue;
    const Point at = place(static_cast<int>(s));
    canvas->Circle(at, kSwitchRadius, kSwitchColor, {"white", 1});
    if (topology.switches[s].place[2] != 0) continue;
    canvas->Text(at + Point{-84, 0}, fmt::format("chassis {}", topology.switches[s].place[1]), 13, Anchor::kStart);
    ++chassis;
  }
  canvas->Text(corner + Point{0, kRow * chassis - 30},
               fmt::format("group {}; a column's lines are three links each", group), 13, Anchor::kStart);
}

}  // namespace tilefly::topology
