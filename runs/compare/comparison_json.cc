// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <optional>

#include "runs/compare/comparison_output.h"
#include "runs/compare/intervals.h"
#include "runs/report/comparison_page.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

Json NumberOrNull(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Json FolderJson(const RunFolder& run) {
  Json json{{"directory", run.path.string()}};
  for (const char* key : {"version", "program_digest", "compiler", "config_digest", "seed", "arguments"})
    json[key] = run.manifest.value(key, Json());
  return json;
}

Json ValuesJson(const std::vector<ComparedValue>& values) {
  Json json = Json::array();
  for (const ComparedValue& one : values) json.push_back({{"path", one.path}, {"a", one.a}, {"b", one.b}});
  return json;
}

Json FigureJson(const ComparedFigure& figure) {
  Json json{{"path", figure.path}};
  if (!figure.point.empty()) json["point"] = figure.point;
  json.update(Json{{"relation", ToString(figure.relation)},
                   {"a", figure.a},
                   {"b", figure.b},
                   {"difference", NumberOrNull(figure.Difference())},
                   {"relative", NumberOrNull(figure.Relative())},
                   {"half_width_a", NumberOrNull(figure.half_width_a)},
                   {"half_width_b", NumberOrNull(figure.half_width_b)},
                   {"half_width", NumberOrNull(figure.half_width)}});
  if (!figure.doubt.empty()) json["doubt"] = figure.doubt;
  return json;
}

}  // namespace

Json ComparisonJson(const Comparison& comparison) {
  Json json{{"verdict", comparison.Verdict()},
            {"command", comparison.a.command},
            {"a", FolderJson(comparison.a)},
            {"b", FolderJson(comparison.b)},
            {"program", ValuesJson(comparison.program)},
            {"settings", ValuesJson(comparison.settings)},
            {"equal_settings", comparison.equal_settings},
            {"inputs", ValuesJson(comparison.inputs)},
            {"level", kComparedLevel},
            {"judged", comparison.Judged()},
            {"expected_by_chance", (1 - kComparedLevel) * comparison.Judged()}};
  for (const Relation relation : {Relation::kBeyond, Relation::kDifferent, Relation::kOnlyA, Relation::kOnlyB,
                                  Relation::kUndecided, Relation::kWithin, Relation::kEqual})
    json["counts"][ToString(relation)] = comparison.Count(relation);
  json["figures"] = Json::array();
  for (const ComparedFigure& one : comparison.figures) json["figures"].push_back(FigureJson(one));
  json["machine"] = ValuesJson(comparison.machine);
  return json;
}

std::string ComparisonHtml(const Comparison& comparison) { return RenderComparison(ComparisonJson(comparison)); }

}  // namespace tilefly::runs
