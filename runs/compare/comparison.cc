// SPDX-License-Identifier: Apache-2.0
#include "runs/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "runs/compare/compare_results.h"
#include "support/errors.h"
#include "support/exit_code.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using ValuesByPath = std::vector<std::pair<std::string, std::string>>;

/// What matters most comes first: by the begin of its path.
constexpr std::string_view kFirst[] = {"verdict",
                                       "message",
                                       "converged",
                                       "saturated",
                                       "found",
                                       "highest_converged",
                                       "lowest_saturated",
                                       "steady_state.verdict",
                                       "latency_ns.mean",
                                       "latency_mean_ns",
                                       "latency_ns.p99",
                                       "latency_p99_ns",
                                       "latency_ns.median",
                                       "latency_p50_ns",
                                       "latency_ns.",
                                       "latency_p999_ns",
                                       "latency_max_ns",
                                       "completion_ns",
                                       "jobs",
                                       "figures",
                                       "claims",
                                       "accepted_load",
                                       "offered_load",
                                       "steady_state",
                                       "classes",
                                       "compared",
                                       "books",
                                       "packets_",
                                       "reductions",
                                       "mean_hops"};

std::size_t ImportanceOf(const std::string& path) {
  const auto* const found = std::find_if(std::begin(kFirst), std::end(kFirst),
                                         [&](std::string_view one) { return path.compare(0, one.size(), one) == 0; });
  return static_cast<std::size_t>(found - std::begin(kFirst));
}

const std::string* ValueAt(const ValuesByPath& values, const std::string& path) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& one) { return one.first == path; });
  return found == values.end() ? nullptr : &found->second;
}

/// Of both, in the order of the first; `equal` counts those that do not differ, which are left out.
std::vector<ComparedValue> Differing(const ValuesByPath& a, const ValuesByPath& b, std::size_t* equal) {
  std::vector<ComparedValue> differing;
  for (const auto& [path, value] : a) {
    const std::string* const other = ValueAt(b, path);
    if (other != nullptr && *other == value) {
      ++*equal;
    } else {
      differing.push_back({path, value, other == nullptr ? "" : *other});
    }
  }
  for (const auto& [path, value] : b) {
    if (ValueAt(a, path) == nullptr) differing.push_back({path, "", value});
  }
  return differing;
}

std::string PlainText(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

ValuesByPath ProgramOf(const RunFolder& run) {
  ValuesByPath values;
  for (const char* key : {"version", "program_digest", "compiler"})
    values.emplace_back(key, PlainText(run.manifest.value(key, Json())));
  return values;
}

ValuesByPath MachineOf(const RunFolder& run) {
  ValuesByPath values;
  for (const auto& [key, value] : run.machine.items())
    values.emplace_back(key, value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : PlainText(value));
  return values;
}

/// The files that a run read: name and digest.
ValuesByPath InputsOf(const RunFolder& run) {
  ValuesByPath values;
  for (const Json& input : run.manifest.value("inputs", Json::array()))
    values.emplace_back(input.value("file", ""), input.value("digest", ""));
  return values;
}

/// Files are the same by what is in them, wherever they lie. Of the others those of one name are put beside each other.
std::vector<ComparedValue> DifferingInputs(const RunFolder& run_a, const RunFolder& run_b) {
  ValuesByPath a = InputsOf(run_a), b = InputsOf(run_b);
  const auto take_pairs = [&](const auto& are_pair, const auto& use) {
    for (auto one = a.begin(); one != a.end();) {
      const auto other = std::find_if(b.begin(), b.end(), [&](const auto& it) { return are_pair(*one, it); });
      if (other == b.end()) {
        ++one;
        continue;
      }
      use(*one, *other);
      b.erase(other);
      one = a.erase(one);
    }
  };
  const auto name = [](const std::string& file) { return std::filesystem::path(file).filename(); };
  std::vector<ComparedValue> differing;
  take_pairs([](const auto& one, const auto& other) { return one.second == other.second; }, [](auto&, auto&) {});
  take_pairs([&](const auto& one, const auto& other) { return name(one.first) == name(other.first); },
             [&](const auto& one, const auto& other) {
               const std::string file = one.first == other.first ? one.first : one.first + ", " + other.first;
               differing.push_back({file, one.second, other.second});
             });
  for (const auto& [file, digest] : a) differing.push_back({file, digest, ""});
  for (const auto& [file, digest] : b) differing.push_back({file, "", digest});
  return differing;
}

void RequireSameCommand(const RunFolder& a, const RunFolder& b) {
  if (a.command == b.command) return;
  std::string remedy = "compare runs of one command";
  for (const auto& [several, single] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (several->command == single->command + " sweep" || several->command == single->command + " saturation")
      remedy = fmt::format("compare with one of its points, a folder in {}", (several->path / "points").string());
  }
  throw UsageError(fmt::format("{} is of tilefly {}, {} of tilefly {}: their results are not of the same kind; {}",
                               a.path.string(), a.command, b.path.string(), b.command, remedy));
}

}  // namespace

const char* ToString(Relation relation) {
  switch (relation) {
    case Relation::kBeyond:
      return "beyond";
    case Relation::kDifferent:
      return "different";
    case Relation::kOnlyA:
      return "only in A";
    case Relation::kOnlyB:
      return "only in B";
    case Relation::kUndecided:
      return "undecided";
    case Relation::kWithin:
      return "within";
    case Relation::kEqual:
      return "equal";
  }
  return "";
}

std::optional<double> ComparedFigure::Difference() const {
  if (!a.is_number() || !b.is_number()) return std::nullopt;
  return b.get<double>() - a.get<double>();
}

std::optional<double> ComparedFigure::Relative() const {
  const std::optional<double> difference = Difference();
  if (!difference || std::abs(a.get<double>()) <= half_width_a.value_or(0)) return std::nullopt;
  return *difference / std::abs(a.get<double>());
}

std::string ComparedFigure::Name() const {
  if (point.empty()) return path;
  return fmt::format("points[{}]{}{}", point, path.empty() ? "" : ".", path);
}

int Comparison::Count(Relation relation) const {
  return static_cast<int>(std::count_if(figures.begin(), figures.end(),
                                        [&](const ComparedFigure& one) { return one.relation == relation; }));
}

const char* Comparison::Verdict() const {
  constexpr std::array<Relation, 4> kDiffering = {Relation::kBeyond, Relation::kDifferent, Relation::kOnlyA,
                                                  Relation::kOnlyB};
  if (std::any_of(kDiffering.begin(), kDiffering.end(), [&](Relation one) { return Count(one) > 0; }))
    return "different";
  if (Count(Relation::kUndecided) > 0) return "undecided";
  return Count(Relation::kWithin) > 0 ? "within" : "equal";
}

int Comparison::ExitCode() const {
  const std::string_view verdict = Verdict();
  return verdict == "different" || verdict == "undecided" ? kCheckFailed : kPassed;
}

Comparison Compare(RunFolder a, RunFolder b, bool judged_only) {
  RequireSameCommand(a, b);
  Comparison comparison{std::move(a), std::move(b), {}, {}, {}, {}, 0, {}};
  std::size_t ignored = 0;
  comparison.program = Differing(ProgramOf(comparison.a), ProgramOf(comparison.b), &ignored);
  comparison.settings = Differing(comparison.a.settings, comparison.b.settings, &comparison.equal_settings);
  comparison.inputs = DifferingInputs(comparison.a, comparison.b);
  for (const auto& [key, value] : MachineOf(comparison.a)) {
    const ValuesByPath others = MachineOf(comparison.b);
    const std::string* const other = ValueAt(others, key);
    comparison.machine.push_back({key, value, other == nullptr ? "" : *other});
  }
  std::vector<ComparedFigure>& figures = comparison.figures = CompareResults(comparison.a, comparison.b);
  if (judged_only) {
    const auto plain = [](const ComparedFigure& one) { return !one.half_width_a && !one.half_width_b; };
    figures.erase(std::remove_if(figures.begin(), figures.end(), plain), figures.end());
    if (figures.empty())
      throw UsageError(fmt::format("--judged: no figure of {} or {} has a confidence interval; leave --judged out",
                                   comparison.a.path.string(), comparison.b.path.string()));
  }
  std::stable_sort(figures.begin(), figures.end(), [](const ComparedFigure& one, const ComparedFigure& other) {
    return std::pair(one.relation, ImportanceOf(one.path)) < std::pair(other.relation, ImportanceOf(other.path));
  });
  return comparison;
}

}  // namespace tilefly::runs
