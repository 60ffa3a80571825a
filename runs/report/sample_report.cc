// SPDX-License-Identifier: Apache-2.0
// What the report draws of time series: lines of the whole and of the classes, maps of what there is much of.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "runs/common/sample_table.h"

namespace tilefly::runs {
namespace {

using nlohmann::json;

/// Lines of a map; those of more are in samples.csv only.
constexpr std::size_t kMostMapLines = 64;
/// Iterations of a job that are marked.
constexpr std::size_t kMostMarkedIterations = 200;

struct SampleFigure {
  const char* key;
  SampleColumn column;
  double scale;  ///< what is shown is a whole number of 1/scale
};

constexpr SampleFigure kLineFigures[] = {
    {"offered", SampleColumn::kOfferedLoad, 1e4}, {"accepted", SampleColumn::kAcceptedLoad, 1e4},
    {"mean", SampleColumn::kLatencyMeanNs, 10},   {"p99", SampleColumn::kLatencyP99Ns, 10},
    {"sources", SampleColumn::kSourceWords, 1},   {"network", SampleColumn::kNetworkWords, 1},
    {"buffers", SampleColumn::kBufferCells, 1}};
constexpr SampleFigure kMapFigures[] = {
    {"utilisation", SampleColumn::kUtilisation, 1e4},    {"accepted load", SampleColumn::kAcceptedLoad, 1e4},
    {"offered load", SampleColumn::kOfferedLoad, 1e4},   {"buffer cells", SampleColumn::kBufferCells, 1},
    {"load cells", SampleColumn::kLoadCells, 1},         {"words at sources", SampleColumn::kSourceWords, 1},
    {"latency p99, ns", SampleColumn::kLatencyP99Ns, 10},
    {"throttled flows", SampleColumn::kThrottledFlows, 1}, {"held cells", SampleColumn::kHeldCells, 1}};

json ValuesOf(const SampleTable& table, const SampleSeries& series, const SampleFigure& figure) {
  json values = json::array();
  for (int i = 0; i < table.intervals; ++i) {
    const double value = table.Row(series, i)[figure.column];
    values.push_back(std::isnan(value) ? json(nullptr) : json(std::round(value * figure.scale) / figure.scale));
  }
  return values;
}

bool IsKnown(const json& values) {
  return std::any_of(values.begin(), values.end(), [](const json& value) { return !value.is_null(); });
}

/// How much there was of the map's first figure.
double Weight(const SampleTable& table, const SampleSeries& series) {
  double sum = 0;
  for (int i = 0; i < table.intervals; ++i) {
    const SampleRow row = table.Row(series, i);
    for (const SampleFigure& figure : kMapFigures) {
      if (std::isnan(row[figure.column])) continue;
      sum += row[figure.column] * static_cast<double>(table.Length(i));
      break;
    }
  }
  return sum;
}

/// The series of a scope; of many the busiest.
json MapOf(const SampleTable& table, const std::string& scope, const std::vector<const SampleSeries*>& all) {
  std::vector<std::size_t> chosen(all.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (all.size() > kMostMapLines) {
    std::vector<double> weights;
    for (const SampleSeries* series : all) weights.push_back(Weight(table, *series));
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
    chosen.resize(kMostMapLines);
  }
  json map{{"scope", scope}, {"of", all.size()}, {"names", json::array()}, {"figures", json::array()}};
  for (const std::size_t i : chosen) map["names"].push_back(all[i]->name);
  for (const SampleFigure& figure : kMapFigures) {
    json lines = json::array();
    bool known = false;
    for (const std::size_t i : chosen) {
      lines.push_back(ValuesOf(table, *all[i], figure));
      known = known || IsKnown(lines.back());
    }
    if (known) map["figures"].push_back({{"name", figure.key}, {"rows", std::move(lines)}});
  }
  return map;
}

}  // namespace

json SamplesReport(const SampleTable& table) {
  json report{{"begin_cycle", table.begin},  {"interval_cycles", table.width}, {"cycles", table.cycles},
              {"intervals", table.intervals}, {"cycle_ns", table.cycle_ns},     {"lines", json::array()},
              {"maps", json::array()},        {"phases", json::array()}};
  std::vector<std::pair<std::string, std::vector<const SampleSeries*>>> maps;
  for (const SampleSeries& series : table.series) {
    if (series.scope == "system" || series.scope == "switch" || series.scope == "class") {
      json line{{"scope", series.scope}, {"name", series.name}};
      for (const SampleFigure& figure : kLineFigures) {
        if (json values = ValuesOf(table, series, figure); IsKnown(values)) line[figure.key] = std::move(values);
      }
      report["lines"].push_back(std::move(line));
      continue;
    }
    if (maps.empty() || maps.back().first != series.scope) maps.emplace_back(series.scope, 0);
    maps.back().second.push_back(&series);
  }
  for (const auto& [scope, series] : maps) report["maps"].push_back(MapOf(table, scope, series));
  for (const SamplePhases& job : table.phases) {
    const std::size_t shown = std::min(job.iterations.size(), kMostMarkedIterations);
    json one{{"name", job.name}, {"iterations", json::array()}, {"iterations_done", job.iterations.size()}};
    one["end"] = job.end < 0 ? json(nullptr) : json(job.end);
    for (std::size_t i = 0; i < shown; ++i)
      one["iterations"].push_back({job.iterations[i].first, job.iterations[i].second});
    report["phases"].push_back(std::move(one));
  }
  return report;
}

}  // namespace tilefly::runs
