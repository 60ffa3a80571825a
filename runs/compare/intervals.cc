// SPDX-License-Identifier: Apache-2.0
#include "runs/compare/intervals.h"

#include <fmt/format.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/steady_state.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

Interval IntervalOf(const Json& means) {
  Interval interval{means.at("half_width").get<double>(), means.value("batches", 0), ""};
  const double correlation = means.value("batch_correlation", 0.0);
  if (interval.batches < BatchMeans::kLeastBatches)
    interval.doubt =
        fmt::format("its interval is of {} batches, {} are needed", interval.batches, BatchMeans::kLeastBatches);
  else if (correlation >= BatchMeans::kMostCorrelation)
    interval.doubt = fmt::format("the batches of its interval are correlated by {:.2f}", correlation);
  return interval;
}

/// The means of a part of `steady_state`: all packets together, or a class.
void AddSteadyPart(const Json& part, const std::string& path, std::map<std::string, Interval>* intervals) {
  for (const char* key : {"latency_cycles", "accepted_load", "missing_load"}) {
    const Json means = part.value(key, Json());
    if (means.is_object() && means.contains("half_width"))
      (*intervals)[fmt::format("{}.{}.mean", path, key)] = IntervalOf(means);
  }
}

/// Nanoseconds of a cycle; 0 where no latency was measured.
double NsOfCycle(const Json& results) {
  const Json ns = results.value("/latency_ns/mean"_json_pointer, Json());
  const Json cycles = results.value("/latency_cycles/mean"_json_pointer, Json());
  return ns.is_number() && cycles.is_number() && cycles.get<double>() > 0 ? ns.get<double>() / cycles.get<double>() : 0;
}

/// The run's own means are of the same packets and cycles, but for those at the borders.
void AddWholeRun(const Json& results, std::map<std::string, Interval>* intervals) {
  if (const auto load = intervals->find("steady_state.accepted_load.mean"); load != intervals->end())
    (*intervals)["accepted_load"] = load->second;
  const auto latency = intervals->find("steady_state.latency_cycles.mean");
  const double cycle_ns = NsOfCycle(results);
  if (latency == intervals->end() || cycle_ns == 0) return;
  Interval& whole = (*intervals)["latency_ns.mean"] = latency->second;
  whole.half_width *= cycle_ns;
}

}  // namespace

std::map<std::string, Interval> IntervalsOf(const Json& results) {
  std::map<std::string, Interval> intervals;
  const Json steady = results.value("steady_state", Json());
  if (!steady.is_object() || !steady.value("verdict", Json()).is_string()) return intervals;
  AddSteadyPart(steady, "steady_state", &intervals);
  for (const Json& part : steady.value("classes", Json::array()))
    AddSteadyPart(part, fmt::format("steady_state.classes[{}]", part.at("class").get<int>()), &intervals);
  AddWholeRun(results, &intervals);
  if (results.value("latency_depends_on_length", Json()) == true) {
    for (auto& [path, interval] : intervals) {
      if (path.find("latency") != std::string::npos) interval.doubt = "saturated, it depends on the length of the run";
    }
  }
  return intervals;
}

double HalfWidthOfDifference(const Interval& a, const Interval& b) {
  if (a.batches < 2 || b.batches < 2) return std::hypot(a.half_width, b.half_width);
  const auto variance = [](const Interval& one) {
    return std::pow(one.half_width / StudentFactor(one.batches, kComparedLevel), 2);
  };
  const double of_a = variance(a), of_b = variance(b), sum = of_a + of_b;
  if (!(sum > 0)) return 0;
  const double freedom = sum * sum / (of_a * of_a / (a.batches - 1) + of_b * of_b / (b.batches - 1));
  const boost::math::students_t student(freedom);
  return quantile(student, (1 + kComparedLevel) / 2) * std::sqrt(sum);
}

}  // namespace tilefly::runs
