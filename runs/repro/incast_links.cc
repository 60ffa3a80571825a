// SPDX-License-Identifier: Apache-2.0
// Heat maps of a system's links: how long each waited for credit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "runs/report/chart.h"
#include "runs/repro/incast.h"

namespace tilefly::runs {
namespace {

using topology::Anchor;
using topology::Canvas;

/// A direction of a link, from a switch.
struct Direction {
  topology::Port from;
  std::string to;  ///< "s3.2", "e17"
  int from_group, to_group;
  topology::LinkKind kind;
};

std::vector<Direction> DirectionsOf(const topology::Topology& system) {
  std::vector<Direction> all;
  const auto group = [&](int node) { return system.switches[node].group; };
  const auto add = [&](const topology::Port& from, const topology::Port& to, topology::LinkKind kind) {
    all.push_back({from, fmt::format("s{}.{}", to.at, to.port), group(from.at), group(to.at), kind});
  };
  for (const topology::Link& link : system.links) {
    add(link.a, link.b, link.kind);
    add(link.b, link.a, link.kind);
  }
  for (std::size_t e = 0; e < system.endpoints.size(); ++e) {
    const topology::Port& port = system.endpoints[e].port;
    all.push_back({port, fmt::format("e{}", e), group(port.at), group(port.at), topology::LinkKind::kTerminal});
  }
  std::sort(all.begin(), all.end(), [](const Direction& a, const Direction& b) {
    return std::pair(a.from.at, a.from.port) < std::pair(b.from.at, b.from.port);
  });
  return all;
}

std::optional<double> ShareOf(const StudyValues& values, const std::string& run, const Direction& one) {
  return values.Of(LinkCurve(run, one.from.at, one.from.port), 0);
}

/// White to dark by the share.
std::string ColourOf(double share) {
  const auto part = [&](double light, double dark) {
    return static_cast<int>(std::lround(light + std::clamp(share, 0.0, 1.0) * (dark - light)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", part(240, 120), part(244, 0), part(248, 20));
}

constexpr double kCell = 16, kMapGap = 60;

/// Cells by row and column, each with the largest share of its links.
class HeatMap {
 public:
  void Add(int row, int column, double share) {
    double& cell = cells_.try_emplace({row, column}, 0).first->second;
    cell = std::max(cell, share);
  }
  /// Draws the map with its upper left corner at (0, `top`). Returns its lower end.
  double Draw(const std::string& title, const std::string& rows, double top, Canvas* canvas) const {
    canvas->Text({0, top}, title, 13, Anchor::kStart);
    std::map<int, int> row_of, column_of;
    for (const auto& [at, share] : cells_) row_of[at.first] = column_of[at.second] = 0;
    const auto number = [](std::map<int, int>* places) {
      int next = 0;
      for (auto& [name, place] : *places) place = next++;
    };
    number(&row_of);
    number(&column_of);
    const double left = 70, first = top + 36;
    const double height = row_of.size() > 40 ? 5 : kCell;
    for (const auto& [name, place] : column_of)
      canvas->Text({left + (place + 0.5) * kCell, first - 10}, std::to_string(name), 8, Anchor::kMiddle);
    for (const auto& [name, place] : row_of) {
      if (height < kCell && name % 8 != 0) continue;
      canvas->Text({left - 6, first + (place + 0.5) * height}, fmt::format("{} {}", rows, name), 9, Anchor::kEnd);
    }
    for (const auto& [at, share] : cells_) {
      const topology::Point corner{left + column_of[at.second] * kCell, first + row_of[at.first] * height};
      canvas->Polygon({corner, corner + topology::Point{kCell - 1, 0}, corner + topology::Point{kCell - 1, height - 1},
                       corner + topology::Point{0, height - 1}},
                      ColourOf(share).c_str());
    }
    return first + height * static_cast<double>(row_of.size());
  }

 private:
  std::map<std::pair<int, int>, double> cells_;
};

void DrawScale(double top, Canvas* canvas) {
  constexpr int kSteps = 10;
  for (int i = 0; i <= kSteps; ++i) {
    const topology::Point corner{70 + i * kCell, top};
    canvas->Polygon({corner, corner + topology::Point{kCell - 1, 0}, corner + topology::Point{kCell - 1, 10},
                     corner + topology::Point{0, 10}},
                    ColourOf(static_cast<double>(i) / kSteps).c_str());
  }
  canvas->Text({66, top + 5}, "0", 10, Anchor::kEnd);
  canvas->Text({70 + (kSteps + 1) * kCell + 4, top + 5}, "1: no credit in any cycle", 10, Anchor::kStart);
}

std::string HeatSvg(const std::vector<Direction>& directions, const StudyValues& values, const std::string& run) {
  Canvas canvas;
  HeatMap by_group, by_port;
  bool any = false;
  for (const Direction& one : directions) {
    const std::optional<double> share = ShareOf(values, run, one);
    if (!share) continue;
    any = true;
    by_group.Add(one.from_group, one.to_group, *share);
    by_port.Add(one.from.at, one.from.port, *share);
  }
  if (!any) {
    canvas.Text({0, 0}, fmt::format("the run {} was not measured.", run), 13, Anchor::kStart);
    return canvas.Svg();
  }
  const std::string what = fmt::format("control {}: share of cycles without credit", run);
  double end = by_group.Draw(what + ", most of all links, source group by destination group", "group", 0, &canvas);
  end = by_port.Draw(what + ", by switch and port", "switch", end + kMapGap, &canvas);
  DrawScale(end + 20, &canvas);
  return canvas.Svg();
}

}  // namespace

std::vector<StudyFile> IncastLinkFiles(const topology::Topology& system, const StudyValues& values) {
  const std::vector<Direction> directions = DirectionsOf(system);
  std::string text = "from,to,from_group,to_group,kind,off,on\n";
  const auto share = [&](const char* run, const Direction& one) {
    const std::optional<double> value = ShareOf(values, run, one);
    return value ? fmt::format("{:.6f}", *value) : "";
  };
  for (const Direction& one : directions) {
    text += fmt::format("s{}.{},{},{},{},{},{},{}\n", one.from.at, one.from.port, one.to, one.from_group, one.to_group,
                        NameOf(one.kind), share(kIncastOff, one), share(kIncastOn, one));
  }
  return {{"links.csv", std::move(text)},
          {"links-off.svg", HeatSvg(directions, values, kIncastOff)},
          {"links-on.svg", HeatSvg(directions, values, kIncastOn)}};
}

}  // namespace tilefly::runs
