// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "runs/common/command.h"
#include "runs/compare/comparison_output.h"
#include "runs/compare/intervals.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using TextRow = std::vector<std::string>;

/// Figures of a group, and settings, that are shown.
constexpr std::size_t kMostShown = 12;
/// Letters of a value: a long one is cut, the JSON and the page have it whole.
constexpr std::size_t kLongest = 44;

std::string CutText(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  return line.size() <= kLongest && line.size() == text.size() ? text : line.substr(0, kLongest - 3) + "...";
}

std::string NumberText(const Json& value) {
  return value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
}

std::string FigureText(const Json& value, const std::optional<double>& half_width) {
  if (value.is_null()) return "-";
  if (value.is_string()) return CutText(value.get<std::string>());
  if (value.is_array() && value.size() > 4) return fmt::format("{} values", value.size());
  if (!value.is_number()) return CutText(value.dump());
  return NumberText(value) + (half_width ? fmt::format(" +- {:.2g}", *half_width) : "");
}

/// "+117.8 +- 7.2 (+14.5 %)".
std::string DifferenceText(const ComparedFigure& figure) {
  const std::optional<double> difference = figure.Difference();
  if (!difference || figure.relation == Relation::kEqual) return figure.doubt;
  std::string text = fmt::format("{:+.4g}", *difference);
  if (figure.half_width) text += fmt::format(" +- {:.2g}", *figure.half_width);
  if (const std::optional<double> relative = figure.Relative()) text += fmt::format(" ({:+.2f} %)", 100 * *relative);
  return figure.doubt.empty() ? text : fmt::format("{}: {}", text, figure.doubt);
}

/// Lines of columns, each as wide as its widest.
std::string ColumnsText(const std::vector<TextRow>& rows) {
  std::vector<std::size_t> widths;
  for (const TextRow& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const TextRow& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:{}} ", row[i], widths[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string ValuesText(const std::vector<ComparedValue>& values, bool whole) {
  const std::size_t shown = whole ? values.size() : std::min(values.size(), kMostShown);
  std::vector<TextRow> rows;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto text = [](const std::string& value) { return value.empty() ? "-" : CutText(value); };
    rows.push_back({values[i].path, text(values[i].a), text(values[i].b)});
  }
  return ColumnsText(rows) + (shown < values.size() ? fmt::format("  and {} more (-v)\n", values.size() - shown) : "");
}

std::string FiguresText(const Comparison& comparison, Relation relation, bool whole) {
  const auto all = static_cast<std::size_t>(comparison.Count(relation));
  std::vector<TextRow> rows;
  for (const ComparedFigure& one : comparison.figures) {
    if (one.relation != relation || (!whole && rows.size() == kMostShown)) continue;
    rows.push_back(
        {one.Name(), FigureText(one.a, one.half_width_a), FigureText(one.b, one.half_width_b), DifferenceText(one)});
  }
  return ColumnsText(rows) + (rows.size() < all ? fmt::format("  and {} more (-v)\n", all - rows.size()) : "");
}

/// "2 beyond confidence, 31 different, 1 undecided, 4 within confidence, 40 equal".
std::string CountsText(const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const auto& [relation, name] :
       {std::pair(Relation::kBeyond, "beyond confidence"), std::pair(Relation::kDifferent, "different"),
        std::pair(Relation::kOnlyA, "only in A"), std::pair(Relation::kOnlyB, "only in B"),
        std::pair(Relation::kUndecided, "undecided"), std::pair(Relation::kWithin, "within confidence"),
        std::pair(Relation::kEqual, "equal")}) {
    const int count = comparison.Count(relation);
    if (count > 0) parts.push_back(fmt::format("{} {}", count, name));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string SidesText(const Comparison& comparison) {
  std::string text;
  for (const auto& [side, run] : {std::pair("A", &comparison.a), std::pair("B", &comparison.b)}) {
    text += fmt::format("{}  {}  (tilefly {}, {}, seed {})\n", side, run->path.string(), run->command,
                        run->results.value("verdict", "no verdict"), run->manifest.value("seed", Json()).dump());
  }
  return text;
}

std::string GroupsText(const Comparison& comparison, bool whole) {
  std::string text;
  for (const auto& [relation, title] :
       {std::pair(Relation::kBeyond, "beyond confidence: the 95 % interval of the difference excludes 0"),
        std::pair(Relation::kDifferent, "different, without an interval"), std::pair(Relation::kOnlyA, "only in A"),
        std::pair(Relation::kOnlyB, "only in B"),
        std::pair(Relation::kUndecided, "undecided: an interval does not hold, or is missing"),
        std::pair(Relation::kWithin, "within confidence")}) {
    if (comparison.Count(relation) > 0) text += fmt::format("{}\n{}", title, FiguresText(comparison, relation, whole));
  }
  return text;
}

}  // namespace

std::string ComparisonText(const Comparison& comparison, bool whole) {
  std::string text = SidesText(comparison);
  text += fmt::format("{}: {}\n", Headline(comparison.Verdict()), CountsText(comparison));
  if (comparison.Judged() > 0) {
    text +=
        fmt::format("  {} figures are judged at {:.0f} %: where nothing differs {:.1f} of them are beyond by chance\n",
                    comparison.Judged(), 100 * kComparedLevel, (1 - kComparedLevel) * comparison.Judged());
  }
  text += comparison.program.empty() ? "program: the same build\n"
                                     : fmt::format("program: another one\n{}", ValuesText(comparison.program, whole));
  text += fmt::format("settings: {} not equal, {} equal\n{}", comparison.settings.size(), comparison.equal_settings,
                      ValuesText(comparison.settings, whole));
  if (!comparison.inputs.empty())
    text += fmt::format("input files that differ, by digest\n{}", ValuesText(comparison.inputs, whole));
  text += GroupsText(comparison, whole);
  if (!comparison.machine.empty())
    text += fmt::format("machine, no difference of results\n{}", ValuesText(comparison.machine, whole));
  return text;
}

}  // namespace tilefly::runs
