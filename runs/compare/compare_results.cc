// SPDX-License-Identifier: Apache-2.0
// Walks through two results side by side. Members of a list are found in the other by what names them.
#include "runs/compare/compare_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "runs/compare/intervals.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using Intervals = std::map<std::string, Interval>;

/// By the end of their paths: what results repeat of the settings, which are compared themselves.
constexpr std::string_view kSettingsToo[] = {"seed",
                                             "seeds",
                                             "profile",
                                             "devices",
                                             "observation_of",
                                             "counters_of",
                                             "timing",
                                             "fec",
                                             "topology",
                                             "level",
                                             "block",
                                             "warmup",
                                             "study",
                                             "title",
                                             "quick",
                                             "axis",
                                             "swept",
                                             "step",
                                             "values",
                                             "directory",
                                             "text",
                                             "pattern",
                                             "departures",
                                             "capture.file",
                                             "routing.mode",
                                             "constants.ping_pong_ns"};
/// What the machine did, texts made of other figures, intervals, which are not figures but say how well one is known.
constexpr std::string_view kNoFigures[] = {"machine",
                                           "reason",
                                           "remedy",
                                           "half_width",
                                           "batches",
                                           "batch_cycles",
                                           "batch_correlation",
                                           "latency_confidence",
                                           "latency_mean_half_width_ns"};

/// Lists that are one figure: nobody compares their members.
constexpr std::string_view kWhole = "_histogram";

/// What names a member of a list, the first that all of them have.
constexpr const char* kMemberNames[] = {"name", "claim", "test", "class", "load", "seed", "text", "switch"};

/// Whether the path is `end`, or ends in it as a whole part.
bool PathEndsIn(std::string_view path, std::string_view end) {
  if (path.size() < end.size() || path.substr(path.size() - end.size()) != end) return false;
  return path.size() == end.size() || path[path.size() - end.size() - 1] == '.';
}

bool IsLeftOut(std::string_view path) {
  const auto ends = [&](std::string_view one) { return PathEndsIn(path, one); };
  if (std::any_of(std::begin(kSettingsToo), std::end(kSettingsToo), ends)) return true;
  return std::any_of(std::begin(kNoFigures), std::end(kNoFigures), ends);
}

/// "latency_cycles" beside "latency_ns": the same in another unit.
bool IsInNsToo(const Json& object, std::string key) {
  constexpr std::string_view kCycles = "_cycles";
  const std::size_t end = key.rfind(kCycles);
  if (end == std::string::npos || end + kCycles.size() != key.size()) return false;
  return object.contains(key.replace(end, kCycles.size(), "_ns"));
}

std::string NameText(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// Members of a list by their names; empty when they have none, or not each its own.
std::map<std::string, const Json*> ByName(const Json& list, const char* key) {
  std::map<std::string, const Json*> named;
  for (const Json& member : list) {
    if (!member.is_object() || !member.contains(key)) return {};
    std::string name = NameText(member.at(key));
    // A claim is named with its curve; a comparison of a block is named with its power-up.
    for (const char* more : {"figure", "curve", "power_up"}) {
      if (member.contains(more)) name += " " + NameText(member.at(more));
    }
    if (!named.emplace(name, &member).second) return {};
  }
  return named;
}

/// Pairs of numbers, as the points of a curve, by the first.
std::map<std::string, const Json*> ByFirst(const Json& list) {
  std::map<std::string, const Json*> named;
  for (const Json& member : list) {
    if (!member.is_array() || member.size() != 2 || !member[0].is_number() || !member[1].is_number()) return {};
    if (!named.emplace(member[0].dump(), &member[1]).second) return {};
  }
  return named;
}

class ResultsWalk {
 public:
  ResultsWalk(std::string point, Intervals a, Intervals b, std::vector<ComparedFigure>* figures)
      : point_(std::move(point)), of_a_(std::move(a)), of_b_(std::move(b)), figures_(figures) {}

  void Visit(const std::string& path, const Json& a, const Json& b) {
    if (IsLeftOut(path) || (a.is_null() && b.is_null())) return;
    if (a.is_object() && b.is_object()) {
      VisitMembers(path, a, b);
    } else if (!a.is_array() || !b.is_array() || !VisitList(path, a, b)) {
      Judge(path, a, b);
    }
  }

 private:
  void VisitMembers(const std::string& path, const Json& a, const Json& b) {
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const auto& [key, value] : a.items()) {
      if (!IsInNsToo(a, key)) Visit(prefix + key, value, b.value(key, Json()));
    }
    for (const auto& [key, value] : b.items()) {
      if (!a.contains(key) && !IsInNsToo(b, key)) Visit(prefix + key, Json(), value);
    }
  }

  /// False: it is one figure.
  bool VisitList(const std::string& path, const Json& a, const Json& b) {
    if (path.rfind(kWhole) != std::string::npos) return false;
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    const auto visit_named = [&](const auto& in_a, const auto& in_b) {
      const auto common = [&](const auto& one) { return in_b.count(one.first) > 0; };
      if (std::none_of(in_a.begin(), in_a.end(), common)) return false;
      VisitNamed(path, in_a, in_b);
      return true;
    };
    for (const char* key : kMemberNames) {
      if (visit_named(ByName(a, key), ByName(b, key))) return true;
    }
    if (visit_named(ByFirst(a), ByFirst(b))) return true;
    if (!a.front().is_object() || !b.front().is_object()) return false;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      Visit(fmt::format("{}[{}]", path, i), i < a.size() ? a[i] : Json(), i < b.size() ? b[i] : Json());
    }
    return true;
  }

  void VisitNamed(const std::string& path, const std::map<std::string, const Json*>& a,
                  const std::map<std::string, const Json*>& b) {
    const Json none;
    for (const auto& [name, member] : a) {
      const auto other = b.find(name);
      Visit(fmt::format("{}[{}]", path, name), *member, other == b.end() ? none : *other->second);
    }
    for (const auto& [name, member] : b) {
      if (a.count(name) == 0) Visit(fmt::format("{}[{}]", path, name), none, *member);
    }
  }

  void Judge(const std::string& path, const Json& a, const Json& b) {
    ComparedFigure figure{path, point_, a, b, Relation::kDifferent, {}, {}, {}, ""};
    const auto in_a = of_a_.find(path), in_b = of_b_.find(path);
    if (in_a != of_a_.end()) figure.half_width_a = in_a->second.half_width;
    if (in_b != of_b_.end()) figure.half_width_b = in_b->second.half_width;
    if (b.is_null()) {
      figure.relation = Relation::kOnlyA;
    } else if (a.is_null()) {
      figure.relation = Relation::kOnlyB;
    } else if (a == b) {
      figure.relation = Relation::kEqual;
    } else if (figure.half_width_a || figure.half_width_b) {
      JudgeMeans(in_a == of_a_.end() ? nullptr : &in_a->second, in_b == of_b_.end() ? nullptr : &in_b->second, &figure);
    }
    figures_->push_back(std::move(figure));
  }

  /// One of them may have no interval.
  static void JudgeMeans(const Interval* a, const Interval* b, ComparedFigure* figure) {
    figure->relation = Relation::kUndecided;
    for (const auto& [side, interval] : {std::pair("A", a), std::pair("B", b)}) {
      const std::string why = interval == nullptr ? "it has no interval" : interval->doubt;
      if (!why.empty()) figure->doubt += fmt::format("{}{}: {}", figure->doubt.empty() ? "" : "; ", side, why);
    }
    if (a != nullptr && b != nullptr) figure->half_width = HalfWidthOfDifference(*a, *b);
    if (!figure->doubt.empty()) return;
    figure->relation = std::abs(*figure->Difference()) > *figure->half_width ? Relation::kBeyond : Relation::kWithin;
  }

  std::string point_;
  Intervals of_a_, of_b_;
  std::vector<ComparedFigure>* figures_;
};

/// The intervals of a point's figures, which have other names in sweep.json. Without the point's own results there is
/// the half width of its mean latency, and its verdict.
Intervals IntervalsOfPoint(const RunFolder& run, const Json& point) {
  Intervals intervals;
  const Json results = run.ResultsOfPoint(point.value("directory", ""));
  if (results.is_object()) {
    intervals = IntervalsOf(results);
    if (const auto latency = intervals.find("latency_ns.mean"); latency != intervals.end())
      intervals["latency_mean_ns"] = latency->second;
    return intervals;
  }
  const Json half_width = point.value("latency_mean_half_width_ns", Json());
  if (!half_width.is_number()) return intervals;
  Interval& latency = intervals["latency_mean_ns"];
  latency.half_width = half_width.get<double>();
  if (point.value("converged", Json()) != true) latency.doubt = "it has not converged";
  return intervals;
}

/// "load=0.1,size=512"; a search names its points by their load alone.
std::string PointName(const Json& point) {
  return point.contains("name") ? NameText(point.at("name")) : "load=" + point.value("load", Json()).dump();
}

/// Of a sweep or a search; none of other results.
std::map<std::string, const Json*> NamedPoints(const Json& points) {
  std::map<std::string, const Json*> named;
  for (const Json& point : points) named.emplace(PointName(point), &point);
  return named;
}

/// Those of the first, then what only the second has.
std::vector<std::string> PointNames(const Json& a, const Json& b) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const Json* points : {&a, &b}) {
    for (const Json& point : *points) {
      if (known.insert(PointName(point)).second) names.push_back(PointName(point));
    }
  }
  return names;
}

/// Its verdict in words is of figures that are compared themselves.
Json WithoutLine(Json point) {
  if (point.contains("load")) point.erase("steady_state");
  return point;
}

}  // namespace

std::vector<ComparedFigure> CompareResults(const RunFolder& a, const RunFolder& b) {
  std::vector<ComparedFigure> figures;
  Json rest_a = a.results, rest_b = b.results;
  rest_a.erase("points");
  rest_b.erase("points");
  ResultsWalk("", IntervalsOf(rest_a), IntervalsOf(rest_b), &figures).Visit("", rest_a, rest_b);
  const Json points_a = a.results.value("points", Json::array()), points_b = b.results.value("points", Json::array());
  const auto named_a = NamedPoints(points_a), named_b = NamedPoints(points_b);
  for (const std::string& name : PointNames(points_a, points_b)) {
    const auto in_a = named_a.find(name), in_b = named_b.find(name);
    const Json of_a = in_a == named_a.end() ? Json() : WithoutLine(*in_a->second);
    const Json of_b = in_b == named_b.end() ? Json() : WithoutLine(*in_b->second);
    const bool both = !of_a.is_null() && !of_b.is_null();
    ResultsWalk(name, both ? IntervalsOfPoint(a, of_a) : Intervals(), both ? IntervalsOfPoint(b, of_b) : Intervals(),
                &figures)
        .Visit("", of_a, of_b);
  }
  return figures;
}

}  // namespace tilefly::runs
