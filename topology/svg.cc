// SPDX-License-Identifier: Apache-2.0
#include "topology/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "topology/drawing.h"
#include "topology/graph.h"

namespace tilefly::topology {
namespace {

/// What a kind of links is called in this family, besides its own name.
std::string Meaning(const Topology& topology, LinkKind kind) {
  if (topology.family == "torus" && kind == LinkKind::kOther) return " (close the rings)";
  if (topology.family != "aries") return "";
  return kind == LinkKind::kLocal ? " (green)" : kind == LinkKind::kOther ? " (black)" : " (blue)";
}

/// Kinds and their numbers, under the picture; the title above it.
void DrawFrame(const Topology& topology, const Description& d, Canvas* canvas) {
  const double left = canvas->least().x;
  const double top = canvas->least().y;
  Point at = {left, canvas->most().y + 32};
  for (int k = 1; k < kKinds; ++k) {
    if (d.links[k] == 0) continue;
    const auto kind = static_cast<LinkKind>(k);
    const std::string text = fmt::format("{} {} links{}", d.links[k], kKindNames[k], Meaning(topology, kind));
    canvas->Line(at, at + Point{28, 0}, {ColorOf(kind), 3});
    canvas->Text(at + Point{36, 0}, text, 13, Anchor::kStart);
    at.x += 70 + 7.5 * static_cast<double>(text.size());
  }
  canvas->Text({left, top - 50}, topology.name, 17, Anchor::kStart);
  const std::string of = d.nodes == d.endpoints ? "" : fmt::format(" of {} nodes", d.nodes);
  canvas->Text({left, top - 28},
               fmt::format("{} switches ({}), {} endpoints{}, diameter {}", d.switches, topology.profile, d.endpoints,
                           of, d.distances.diameter()),
               13, Anchor::kStart);
}

}  // namespace

std::vector<Edge> EdgesOf(const Topology& topology) {
  std::map<std::tuple<int, int, LinkKind>, int> count;
  for (const Link& link : topology.links) {
    const auto [a, b] = std::minmax(link.a.at, link.b.at);
    ++count[{a, b, link.kind}];
  }
  std::vector<Edge> edges;
  for (const auto& [key, links] : count) edges.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), links});
  return edges;
}

Stroke StrokeOf(const Edge& edge) {
  const bool global = edge.kind == LinkKind::kGlobal;
  return {ColorOf(edge.kind), (global ? 0.8 : 1.0) * std::sqrt(edge.links), global ? 0.6 : 0.8};
}

std::string DrawSvg(const Topology& topology, const Description& description) {
  Canvas canvas;
  const std::vector<Edge> edges = EdgesOf(topology);
  const std::vector<int> groups = GroupsOf(topology);
  const bool grouped = description.groups > 1 && description.groups < description.switches;
  if (topology.family == "tree") {
    DrawTree(topology, edges, &canvas);
  } else if (topology.family == "torus" && topology.dimensions.size() <= 3) {
    DrawTorus(topology, edges, &canvas);
  } else if (grouped || topology.family == "aries") {
    DrawGroups(topology, edges, groups, &canvas);
  } else {
    DrawRing(topology, edges, &canvas);
  }
  DrawFrame(topology, description, &canvas);
  return canvas.Svg();
}

}  // namespace tilefly::topology
