// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "topology/drawing.h"

namespace tilefly::topology {

void DrawTree(const Topology& topology, const std::vector<Edge>& edges, Canvas* canvas) {
  int levels = 0;
  for (const Switch& one : topology.switches) levels = std::max(levels, one.place.front() + 1);
  std::vector<int> width(levels);
  std::vector<Point> places;
  constexpr double kLevel = 150;
  const double step = std::max(28.0, 640.0 * levels / static_cast<double>(topology.switches.size()));
  for (const Switch& one : topology.switches) {
    const int level = one.place.front();
    places.push_back({step * width[level]++, -kLevel * level});
  }
  for (const Edge& edge : edges) canvas->Line(places[edge.a], places[edge.b], StrokeOf(edge));
  std::vector<int> endpoints(topology.switches.size());
  for (const Endpoint& endpoint : topology.endpoints) ++endpoints[endpoint.port.at];
  for (std::size_t s = 0; s < places.size(); ++s) {
    for (int e = 0; e < endpoints[s]; ++e) {
      const double offset = 0.8 * step * ((e + 0.5) / endpoints[s] - 0.5);
      canvas->Line(places[s], places[s] + Point{offset, 26}, {ColorOf(LinkKind::kTerminal), 0.8});
    }
    canvas->Circle(places[s], 5, kSwitchColor, {"white", 1});
  }
  for (int level = 0; level < levels; ++level)
    canvas->Text({-80, -kLevel * level}, fmt::format("level {}", level), 13, Anchor::kStart);
}

}  // namespace tilefly::topology
