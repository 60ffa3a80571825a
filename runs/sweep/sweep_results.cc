// SPDX-License-Identifier: Apache-2.0
#include "runs/sweep/sweep_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "runs/common/figures.h"
#include "runs/system/steady_results.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

/// A figure of results.json: its name in the sweep, and where it is.
struct SweptFigure {
  const char* name;
  const char* group;  ///< object that has it; null: results.json itself
  const char* key;
};

constexpr SweptFigure kSweptFigures[] = {
    {"offered_load", nullptr, "offered_load"},
    {"accepted_load", nullptr, "accepted_load"},
    {"latency_mean_ns", "latency_ns", "mean"},
    {"latency_mean_half_width_ns", "latency_confidence", "half_width_ns"},
    {"latency_p50_ns", "latency_ns", "median"},
    {"latency_p99_ns", "latency_ns", "p99"},
    {"latency_p999_ns", "latency_ns", "p999"},
    {"latency_max_ns", "latency_ns", "max"},
    {"latency_dispersion", nullptr, "latency_dispersion"},
    {"mean_hops", nullptr, "mean_hops"},
    {"packets_offered", "books", "offered"},
    {"packets_delivered", "books", "delivered"},
    {"packets_in_flight", "books", "in_flight"},
    {"packets_queued", "books", "queued"},
    {"cycles", nullptr, "cycles"},
    {"completion_ns", nullptr, "completion_ns"},
};

/// Half widths of the 95 % intervals that a point's verdict rests on; null unless it has converged.
struct SteadyFigure {
  const char* name;
  const char* key;  ///< in `steady_state`
  bool cycles;      ///< given in ns
};

constexpr SteadyFigure kSteadyFigures[] = {
    {"steady_latency_half_width_ns", "latency_cycles", true},
    {"steady_accepted_load_half_width", "accepted_load", false},
};

Json ValueOf(const Json& results, const SteadyFigure& figure) {
  if (SteadyVerdictOf(results) != "converged") return nullptr;
  const Json half = results["steady_state"].value(figure.key, Json::object()).value("half_width", Json());
  if (!figure.cycles || !half.is_number()) return half;
  const Json ns = results.value("/latency_ns/mean"_json_pointer, Json());
  const Json cycles = results.value("/latency_cycles/mean"_json_pointer, Json());
  if (!ns.is_number() || !cycles.is_number() || cycles.get<double>() <= 0) return nullptr;
  return half.get<double>() * ns.get<double>() / cycles.get<double>();
}

/// A field of a table with commas between (RFC 4180).
std::string CsvText(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted;
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return '"' + quoted + '"';
}

/// A number as one.
Json JsonOf(const std::string& value) {
  const Json number = Json::parse(value, nullptr, false);
  return number.is_number() ? number : Json(value);
}

/// The figure, null without one.
Json ValueOf(const Json& results, const SweptFigure& figure) {
  if (!results.is_object()) return nullptr;
  const Json& owner = figure.group == nullptr ? results : results.value(figure.group, Json());
  return owner.is_object() ? owner.value(figure.key, Json()) : Json();
}

/// "yes", "no", "undecided"; empty where nothing is judged.
std::string AnswerOf(const RunOutcome& outcome, const char* key) {
  const std::string verdict = SteadyVerdictOf(outcome.results);
  if (verdict.empty() || verdict == "undecided") return verdict;
  return outcome.results.value(key, false) ? "yes" : "no";
}

constexpr const char* kAnswers[] = {"converged", "saturated", "latency_depends_on_length"};

}  // namespace

std::string VerdictOf(const RunOutcome& outcome) {
  if (outcome.skipped) return "skipped";
  if (outcome.results.is_object()) return outcome.results.value("verdict", "");
  switch (outcome.exit_code) {
    case -1:
      return "not-run";
    case kUsage:
      return "refused";
    case kTimedOut:
      return "timeout";
    default:
      return "error";
  }
}

Json ExitCodeOf(const RunOutcome& outcome) {
  return outcome.exit_code < 0 || outcome.skipped ? Json(nullptr) : Json(outcome.exit_code);
}

std::vector<const Setting*> NamedOf(const SweepPlan& plan) {
  std::vector<const Setting*> named;
  for (const std::string& option : plan.kind->named) {
    const auto is_swept = [&](const SweptSetting& one) { return one.setting->option == option; };
    if (std::any_of(plan.swept.begin(), plan.swept.end(), is_swept)) continue;
    for (const Setting& setting : plan.settings.table()) {
      if (setting.option == option) named.push_back(&setting);
    }
  }
  return named;
}

std::size_t CurveAxis(const SweepPlan& plan) {
  const auto first = [&](auto&& holds) {
    return std::find_if(plan.swept.begin(), plan.swept.end(),
                        [&](const SweptSetting& one) { return one.left_out.empty() && holds(one); });
  };
  auto axis = first([](const SweptSetting& one) { return std::string_view(one.setting->option) == "load"; });
  const auto counts = [](const SweptSetting& one) { return one.numeric() && one.setting->path != std::string("seed"); };
  if (axis == plan.swept.end()) axis = first(counts);
  if (axis == plan.swept.end()) axis = first([](const SweptSetting& one) { return one.numeric(); });
  if (axis == plan.swept.end()) axis = first([](const SweptSetting&) { return true; });
  return axis == plan.swept.end() ? 0 : static_cast<std::size_t>(axis - plan.swept.begin());
}

std::string SweepCsv(const SweepPlan& plan, const std::vector<RunOutcome>& outcomes) {
  std::string text;
  for (const SweptSetting& one : plan.swept) text += fmt::format("{},", one.setting->option);
  text += "verdict";
  for (const char* key : kAnswers) text += fmt::format(",{}", key);
  for (const SweptFigure& figure : kSweptFigures) text += fmt::format(",{}", figure.name);
  for (const SteadyFigure& figure : kSteadyFigures) text += fmt::format(",{}", figure.name);
  const std::vector<const Setting*> named = NamedOf(plan);
  for (const Setting* setting : named) text += fmt::format(",{}", setting->option);
  text += "\n";
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    for (const std::string& value : plan.points[i].values) text += CsvText(value) + ",";
    text += VerdictOf(outcomes[i]);
    for (const char* key : kAnswers) text += "," + AnswerOf(outcomes[i], key);
    const auto add = [&](const Json& value) { text += value.is_null() ? "," : "," + value.dump(); };
    for (const SweptFigure& figure : kSweptFigures) add(ValueOf(outcomes[i].results, figure));
    for (const SteadyFigure& figure : kSteadyFigures) add(ValueOf(outcomes[i].results, figure));
    for (const Setting* setting : named) text += "," + CsvText(plan.points[i].settings.Get(setting->path));
    text += "\n";
  }
  return text;
}

Json PointJson(const SweepPlan& plan, const SweepPoint& point, const RunOutcome& outcome) {
  Json json;
  json["name"] = point.name;
  for (std::size_t i = 0; i < plan.swept.size(); ++i) {
    json["values"][plan.swept[i].setting->option] = point.LeavesOut(i) ? Json(nullptr) : JsonOf(point.values[i]);
  }
  json["verdict"] = VerdictOf(outcome);
  json["exit_code"] = ExitCodeOf(outcome);
  if (!outcome.message.empty()) json["message"] = outcome.message;
  if (!outcome.results.is_object()) return json;
  json["directory"] = "points/" + point.name;
  for (const char* key : kAnswers) json[key] = outcome.results.value(key, Json());
  const std::string steady = SteadyVerdictOf(outcome.results);
  json["steady_state"] = steady.empty() ? Json(nullptr) : Json(steady);
  for (const SweptFigure& figure : kSweptFigures) json[figure.name] = ValueOf(outcome.results, figure);
  for (const SteadyFigure& figure : kSteadyFigures) json[figure.name] = ValueOf(outcome.results, figure);
  json["books"] = outcome.results.value("books", Json());
  if (outcome.results.contains("departures")) json["departures"] = outcome.results.at("departures");
  return json;
}

Json SweepJson(const SweepPlan& plan, const std::vector<RunOutcome>& outcomes, int exit_code, double wall_s) {
  Json json;
  json["verdict"] = VerdictOfRuns(outcomes, exit_code);
  json["exit_code"] = exit_code;
  json["command"] = plan.kind->command;
  for (const Setting* setting : NamedOf(plan))
    json["named"][setting->option] = plan.points[0].settings.Get(setting->path);
  json["axis"] = plan.swept[CurveAxis(plan)].setting->option;
  for (const SweptSetting& one : plan.swept) {
    json["swept"].push_back({{"option", one.setting->option},
                             {"range", one.range},
                             {"values", one.values.size()},
                             {"numbers", one.numeric() ? Json(one.numbers) : Json(nullptr)},
                             {"unit", one.unit}});
  }
  json["points"] = Json::array();
  double cpu_s = 0;
  int reused = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    json["points"].push_back(PointJson(plan, plan.points[i], outcomes[i]));
    reused += outcomes[i].reused;
    if (outcomes[i].reused || !outcomes[i].results.is_object()) continue;
    cpu_s += outcomes[i].results.value("/machine/cpu_s"_json_pointer, 0.0);
  }
  json["machine"] = Json{{"wall_s", wall_s}, {"cpu_s", cpu_s}, {"reused_points", reused}};
  return json;
}

std::string PointText(const Json& results) {
  const auto number = [&](const SweptFigure& figure, int decimals, const char* unit) {
    return InWords(ValueOf(results, figure), decimals, unit);
  };
  std::string text = fmt::format("accepted {}, latency mean {}, p99 {}", number(kSweptFigures[1], 4, ""),
                                 number(kSweptFigures[2], 1, " ns"), number(kSweptFigures[5], 1, " ns"));
  if (const std::string steady = SteadyVerdictOf(results); !steady.empty()) text += ", " + steady;
  const std::string verdict = results.value("verdict", "");
  return verdict == "pass" ? text : verdict + ", " + text;
}

}  // namespace tilefly::runs
