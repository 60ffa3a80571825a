// SPDX-License-Identifier: Apache-2.0
// Dragonflies and other graphs of groups.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "topology/drawing.h"

namespace tilefly::topology {
namespace {

constexpr std::size_t kMostEdges = 1500;  ///< of a picture that shows each switch
constexpr int kMostGroups = 64;           ///< of a picture with an edge for each pair of groups
constexpr double kSpacing = 20;           ///< of switches on a group's circle

/// Radius of a circle with `count` places `spacing` apart; a single place is its centre.
double RadiusFor(std::size_t count, double spacing) {
  return count < 2 ? 0 : std::max(spacing * static_cast<double>(count) / (2 * M_PI), spacing);
}

/// Groups by number, each with its switches.
std::map<int, std::vector<int>> Members(const std::vector<int>& groups) {
  std::map<int, std::vector<int>> members;
  for (std::size_t s = 0; s < groups.size(); ++s) members[groups[s]].push_back(static_cast<int>(s));
  return members;
}

std::vector<double> EvenTurns(std::size_t count) {
  std::vector<double> turns;
  for (std::size_t i = 0; i < count; ++i) turns.push_back(static_cast<double>(i) / static_cast<double>(count));
  return turns;
}

void DrawSwitches(const std::vector<Point>& places, Canvas* canvas) {
  for (const Point& place : places) canvas->Circle(place, kSwitchRadius, kSwitchColor, {"white", 1});
}

/// Every switch and every edge; global links first, so that the groups' own stay visible.
void DrawInFull(const std::vector<Edge>& edges, const std::map<int, std::vector<int>>& members, Canvas* canvas) {
  std::size_t largest = 0;
  for (const auto& [group, switches] : members) largest = std::max(largest, switches.size());
  const double inner = RadiusFor(largest, kSpacing);
  const double outer = RadiusFor(members.size(), 2 * inner + 44);
  std::vector<Point> places;
  for (const auto& [group, switches] : members) places.resize(places.size() + switches.size());
  const std::vector<double> turns = EvenTurns(members.size());
  std::vector<std::pair<Point, int>> labels;
  auto turn = turns.begin();
  for (const auto& [group, switches] : members) {
    const Point centre = Around({}, outer, *turn);
    labels.emplace_back(Around({}, outer + inner + 20, *turn), group);
    for (std::size_t s = 0; s < switches.size(); ++s) {
      const double part = (static_cast<double>(s) + 0.5) / static_cast<double>(switches.size());
      places[switches[s]] = Around(centre, inner, *turn + 0.5 + part);
    }
    ++turn;
  }
  for (const bool global : {true, false}) {
    for (const Edge& edge : edges) {
      if ((edge.kind == LinkKind::kGlobal) == global) canvas->Line(places[edge.a], places[edge.b], StrokeOf(edge));
    }
  }
  DrawSwitches(places, canvas);
  for (const auto& [at, group] : labels) canvas->Text(at, fmt::format("{}", group), 13, Anchor::kMiddle);
}

/// Groups as discs with one line a pair. When there are too many pairs, only the lines of the first group.
void DrawDiscs(const std::vector<Edge>& edges, const std::vector<int>& groups,
               const std::map<int, std::vector<int>>& members, Canvas* canvas) {
  const bool few = members.size() <= kMostGroups;
  const double disc = few ? 18 : 2;
  const double radius = RadiusFor(members.size(), few ? 60 : 5) + (members.size() == 2 ? 60 : 0);
  std::map<int, Point> places;
  const std::vector<double> turns = EvenTurns(members.size());
  for (const auto& [group, switches] : members) places[group] = Around({}, radius, turns[places.size()]);
  std::map<std::pair<int, int>, int> pairs;
  for (const Edge& edge : edges) {
    if (groups[edge.a] != groups[edge.b]) pairs[std::minmax(groups[edge.a], groups[edge.b])] += edge.links;
  }
  const int first = members.begin()->first;
  const double widest = std::clamp(60.0 / static_cast<double>(members.size()), 0.8, 6.0);
  int most = 1;
  for (const auto& [pair, links] : pairs) most = std::max(most, links);
  for (const auto& [pair, links] : pairs) {
    if (!few && pair.first != first) continue;
    const double width = few ? widest * links / most : 0.5;
    canvas->Line(places[pair.first], places[pair.second], {ColorOf(LinkKind::kGlobal), width, few ? 0.5 : 0.6});
  }
  for (const auto& [group, place] : places) {
    canvas->Circle(place, disc, few ? "#eef3f7" : kSwitchColor, {few ? kSwitchColor : "white", 1});
    if (few) canvas->Text(place, fmt::format("{}", group), 13, Anchor::kMiddle);
  }
  if (!few) canvas->Text(Around({}, radius + 16, 0), fmt::format("group {}", first), 13, Anchor::kMiddle);
  int least = pairs.size() < members.size() * (members.size() - 1) / 2 ? 0 : most;
  for (const auto& [pair, links] : pairs) least = std::min(least, links);
  const std::string range = least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
  std::string caption = fmt::format("{} link{} for each pair of groups", range, most == 1 ? "" : "s");
  if (!few) caption += fmt::format("; drawn: those of group {}", first);
  if (members.size() > 1) canvas->Text({0, canvas->most().y + 18}, caption, 13, Anchor::kMiddle);
}

/// The switches of one group on a circle of their own, its left edge at `left`.
void DrawOneGroup(const std::vector<Edge>& edges, const std::vector<int>& switches, const std::string& title,
                  double left, Canvas* canvas) {
  const double radius = RadiusFor(switches.size(), 1.6 * kSpacing);
  const Point centre = {left + radius, 0};
  std::map<int, Point> places;
  for (std::size_t s = 0; s < switches.size(); ++s)
    places[switches[s]] = Around(centre, radius, static_cast<double>(s) / static_cast<double>(switches.size()));
  for (const Edge& edge : edges) {
    const auto a = places.find(edge.a);
    const auto b = places.find(edge.b);
    if (a != places.end() && b != places.end()) canvas->Line(a->second, b->second, StrokeOf(edge));
  }
  for (const auto& [s, place] : places) canvas->Circle(place, kSwitchRadius, kSwitchColor, {"white", 1});
  canvas->Text({left, -radius - 30}, title, 13, Anchor::kStart);
}

}  // namespace

void DrawGroups(const Topology& topology, const std::vector<Edge>& edges, const std::vector<int>& groups,
                Canvas* canvas) {
  const std::map<int, std::vector<int>> members = Members(groups);
  const bool aries = topology.family == "aries";
  if (!aries && edges.size() <= kMostEdges) {
    DrawInFull(edges, members, canvas);
    return;
  }
  DrawDiscs(edges, groups, members, canvas);
  const double left = canvas->most().x + 60;
  const auto& [first, switches] = *members.begin();
  if (aries) {
    DrawAriesGroup(topology, edges, first, {left, canvas->least().y + 60}, canvas);
  } else {
    DrawOneGroup(edges, switches, fmt::format("group {}: {} switches", first, switches.size()), left, canvas);
  }
}

void DrawRing(const Topology& topology, const std::vector<Edge>& edges, Canvas* canvas) {
  const std::size_t count = topology.switches.size();
  const double radius = RadiusFor(count, 3 * kSpacing);
  std::vector<Point> places;
  const std::vector<double> turns = EvenTurns(count);
  for (const double turn : turns) places.push_back(Around({}, radius, turn));
  for (const Edge& edge : edges) canvas->Line(places[edge.a], places[edge.b], StrokeOf(edge));
  DrawSwitches(places, canvas);
  for (std::size_t s = 0; s < count; ++s)
    canvas->Text(Around({}, radius + 18, turns[s]), fmt::format("{}", s), 13, Anchor::kMiddle);
}

}  // namespace tilefly::topology
