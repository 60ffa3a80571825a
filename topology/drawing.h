// SPDX-License-Identifier: Apache-2.0
// The pictures of the families; topology/svg.h puts title and legend around them.
#pragma once

#include <vector>

#include "topology/canvas.h"
#include "topology/topology.h"

namespace tilefly::topology {

/// All links of a kind between two switches, drawn as one line.
struct Edge {
  int a = 0;
  int b = 0;
  LinkKind kind = LinkKind::kLocal;
  int links = 0;
};
std::vector<Edge> EdgesOf(const Topology& topology);

/// The line of an edge: wider for more links.
Stroke StrokeOf(const Edge& edge);

/// Groups on a circle: with their switches when there are few edges, otherwise as discs, one group drawn in full
/// beside. `groups` as of GroupsOf.
void DrawGroups(const Topology& topology, const std::vector<Edge>& edges, const std::vector<int>& groups,
                Canvas* canvas);
/// A group of Aries: chassis as rows, blades as columns.
void DrawAriesGroup(const Topology& topology, const std::vector<Edge>& edges, int group, Point corner, Canvas* canvas);
/// Levels from the endpoints up.
void DrawTree(const Topology& topology, const std::vector<Edge>& edges, Canvas* canvas);
/// A plane of the first two dimensions, or planes side by side along the third; up to three dimensions.
void DrawTorus(const Topology& topology, const std::vector<Edge>& edges, Canvas* canvas);
/// Switches on a circle.
void DrawRing(const Topology& topology, const std::vector<Edge>& edges, Canvas* canvas);

}  // namespace tilefly::topology
