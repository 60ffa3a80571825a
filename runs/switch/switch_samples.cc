// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/switch_samples.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace tilefly::runs {
namespace {

using network::FlowSample;
using network::LinkSample;

constexpr double kLanesOfWord = 4;  ///< as many carry a word a cycle

/// Levels of a run that ended in a failure may not be known at its end.
SampleSeries WithKnownLevels(SampleSeries series, int intervals, bool at_end) {
  if (at_end) return series;
  const auto row = [all = std::move(series.row), last = intervals - 1](int interval, Cycle cycles) {
    SampleRow one = all(interval, cycles);
    if (interval == last) {
      one[SampleColumn::kLoadCells] = one[SampleColumn::kBufferCells] = std::numeric_limits<double>::quiet_NaN();
    }
    return one;
  };
  return {std::move(series.scope), std::move(series.name), row};
}

/// A direction of a port's link.
SampleSeries SeriesOfDirection(int port, bool out, double words_per_cycle, bool levels,
                               const std::vector<LinkSample>& samples) {
  const auto row = [=, &samples](int interval, Cycle cycles) {
    const LinkSample& one = samples[static_cast<std::size_t>(interval)];
    SampleRow row;
    row[SampleColumn::kSentWords] = static_cast<double>(one.words);
    row[SampleColumn::kUtilisation] = static_cast<double>(one.words) / (words_per_cycle * static_cast<double>(cycles));
    if (levels && out) row[SampleColumn::kLoadCells] = static_cast<double>(one.load);
    if (levels && !out) row[SampleColumn::kBufferCells] = static_cast<double>(one.buffered);
    return row;
  };
  return {"link", fmt::format("{} {}", port, out ? "out" : "in"), row};
}

}  // namespace

SampleTable SwitchSamples(const SwitchRun& run, bool levels) {
  const SwitchSampler& sampler = *run.sampler();
  const network::Samples& samples = sampler.samples();
  const RunOptions& options = run.options();
  SampleTable table;
  table.begin = samples.begin();
  table.asked = options.sample;
  table.width = samples.width();
  table.intervals = samples.intervals();
  table.cycles = sampler.end() - samples.begin();
  table.cycle_ns = 1e6 / options.profile->clock_khz;
  const int ports = options.profile->ports;
  FlowScale scale{options.lanes / kLanesOfWord * ports};
  scale.has_offered = scale.has_offered_load = run.has_offered_load();
  scale.has_levels = levels;
  scale.has_network = false;
  scale.channel = options.chip_timing ? options.profile->channel_cycles : 0;
  const auto add = [&](SampleSeries series) {
    table.series.push_back(WithKnownLevels(std::move(series), table.intervals, sampler.levels_at_end()));
  };
  std::vector<FlowSample> all;
  for (const auto& port : samples.groups()) AddFlows(&all, port);
  add(FlowSeries(table, "switch", "all", all, scale));
  for (int tc = 0; tc < options.profile->classes; ++tc) {
    if (samples.of_class(tc).empty()) continue;
    FlowScale own = scale;
    own.has_levels = false;
    const bool named = options.classes && options.classes->Has(tc);
    const std::string name = named ? options.classes->Of(tc).name : std::to_string(tc);
    add(FlowSeries(table, "class", name, samples.of_class(tc), own));
  }
  for (int port = 0; port < ports; ++port) {
    FlowScale own = scale;
    own.words_per_cycle = options.lanes / kLanesOfWord;
    add(FlowSeries(table, "port", std::to_string(port), samples.groups()[static_cast<std::size_t>(port)], own));
  }
  for (int link = 0; link < SwitchSampler::kLinksOfPort * ports; ++link) {
    const bool out = link % SwitchSampler::kLinksOfPort == 1;
    add(SeriesOfDirection(link / SwitchSampler::kLinksOfPort, out, options.lanes / kLanesOfWord, levels,
                   samples.links()[static_cast<std::size_t>(link)]));
  }
  return table;
}

}  // namespace tilefly::runs
