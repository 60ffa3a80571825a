// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "support/errors.h"
#include "support/text.h"
#include "support/yaml_map.h"

namespace tilefly::runs {

extern const char* const kPublished;  // published.yaml, by cmake/EmbedFile.cmake

namespace {

const std::vector<std::string>& TakeNames() {
  static const std::vector<std::string> names = {"at", "last", "most", "least", "farthest", "crossing"};
  return names;
}

double Real(YamlMap* map, const std::string& key, double initial) {
  const std::string text = map->Text(key, "");
  return text.empty() ? initial : ParseReal(text, map->Origin(key));
}

Claim ReadClaim(const YAML::Node& node, const std::string& file, const std::map<std::string, std::string>& sources) {
  YamlMap map(node, file, "a claim");
  Claim claim;
  claim.study = map.Text("study");
  claim.figure = map.Text("figure");
  claim.curve = map.Text("curve");
  claim.name = map.Text("name");
  const std::string take = map.Text("take");
  const auto found = std::find(TakeNames().begin(), TakeNames().end(), take);
  if (found == TakeNames().end()) ThrowUnknown(map.Origin("take"), take, TakeNames());
  claim.take = static_cast<Take>(found - TakeNames().begin());
  if (claim.take == Take::kAt)
    claim.x = ParseReal(map.Text("x"), map.Origin("x"));
  else
    claim.from = Real(&map, "from", 0);
  claim.low = Real(&map, "low", claim.low);
  claim.high = Real(&map, "high", claim.high);
  claim.published = map.Text("published");
  const std::vector<YAML::Node> mark = map.List("mark");
  if (!mark.empty()) {
    if (mark.size() != 2) throw UsageError(fmt::format("{}: give [x, y]", map.Origin("mark")));
    claim.mark =
        CurvePoint{ParseReal(mark[0].Scalar(), map.Origin("mark")), ParseReal(mark[1].Scalar(), map.Origin("mark"))};
  }
  const std::string source = map.Text("source");
  if (sources.count(source) == 0)
    throw UsageError(fmt::format("{}: '{}' is not in sources", map.Origin("source"), source));
  claim.source = sources.at(source);
  claim.fixed = map.Text("fixed", "no") == "yes";
  map.Finish();
  return claim;
}

/// The points of the curve that count.
std::vector<CurvePoint> PointsOf(const Claim& claim, const std::vector<Figure>& figures) {
  const FigureCurve* const curve = FindCurve(figures, claim.figure, claim.curve);
  std::vector<CurvePoint> points;
  if (curve == nullptr) return points;
  for (const CurvePoint& point : curve->points) {
    if (claim.take == Take::kAt ? point.x == claim.x : point.x >= claim.from) points.push_back(point);
  }
  return points;
}

std::optional<double> Crossing(const std::vector<CurvePoint>& points) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto [x, y] = points[i - 1];
    if (!(y > 1) || points[i].y > 1) continue;
    const double way = (y - 1) / (y - points[i].y);
    return x * std::pow(points[i].x / x, way);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Claim> ReadClaims(const std::string& text, const std::string& file) {
  YamlMap map(YAML::Load(text), file, "published figures");
  std::map<std::string, std::string> sources;
  for (const auto& one : map.Find("sources")) sources[one.first.Scalar()] = one.second.Scalar();
  std::vector<Claim> claims;
  for (const YAML::Node& node : map.List("claims")) claims.push_back(ReadClaim(node, file, sources));
  map.Finish();
  return claims;
}

std::vector<Claim> ClaimsOf(const std::string& study) {
  std::vector<Claim> claims = ReadClaims(kPublished, "published.yaml");
  claims.erase(std::remove_if(claims.begin(), claims.end(), [&](const Claim& one) { return one.study != study; }),
               claims.end());
  return claims;
}

std::optional<double> ValueOf(const Claim& claim, const std::vector<Figure>& figures) {
  const std::vector<CurvePoint> points = PointsOf(claim, figures);
  if (points.empty()) return std::nullopt;
  const auto largest = [&](auto&& of) {
    return std::max_element(points.begin(), points.end(),
                            [&](const CurvePoint& a, const CurvePoint& b) { return of(a.y) < of(b.y); })
        ->y;
  };
  switch (claim.take) {
    case Take::kAt:
    case Take::kLast:
      return points.back().y;
    case Take::kMost:
      return largest([](double y) { return y; });
    case Take::kLeast:
      return largest([](double y) { return -y; });
    case Take::kFarthest:
      return largest([](double y) { return std::abs(y - 1); });
    case Take::kCrossing:
      return Crossing(points);
  }
  return std::nullopt;
}

std::string VerdictOf(const Claim& claim, std::optional<double> value) {
  if (!value) return "not measured";
  if (claim.fixed || !claim.judged()) return "not judged";
  return *value >= claim.low && *value <= claim.high ? "hit" : "miss";
}

}  // namespace tilefly::runs
