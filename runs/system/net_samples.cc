// SPDX-License-Identifier: Apache-2.0
#include "runs/system/net_samples.h"

#include <algorithm>

#include "runs/system/job_results.h"

namespace tilefly::runs {
namespace {

using network::FlowSample;
using network::LinkSample;
using network::SampleFrame;
using network::Samples;

constexpr double kLanesOfAWord = 4;  ///< a word a cycle

/// A link's, or the sum of several.
SampleSeries SeriesOfLinks(const std::string& scope, const SampleFrame::Link& link,
                        const std::vector<LinkSample>& samples) {
  const auto row = [&link, &samples](int interval, Cycle cycles) {
    const LinkSample& one = samples[static_cast<std::size_t>(interval)];
    SampleRow row;
    row[SampleColumn::kSentPackets] = static_cast<double>(one.packets);
    row[SampleColumn::kSentWords] = static_cast<double>(one.words);
    row[SampleColumn::kUtilisation] =
        static_cast<double>(one.words) / (link.words_per_cycle * static_cast<double>(cycles));
    if (!link.from_nic) row[SampleColumn::kLoadCells] = static_cast<double>(one.load);
    if (!link.to_nic) row[SampleColumn::kBufferCells] = static_cast<double>(one.buffered);
    return row;
  };
  return {scope, link.name, row};
}

std::string ClassName(const NetRunOptions& options, int tc) {
  return options.classes && options.classes->Has(tc) ? options.classes->Of(tc).name : std::to_string(tc);
}

std::vector<SamplePhases> PhasesOf(const network::Network& network, const network::Figures& figures) {
  std::vector<SamplePhases> phases;
  if (!network.options().hosts.used()) return phases;
  const workload::Workload& workload = *network.options().hosts.workload;
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    const workload::Job& job = workload.jobs[j];
    const workload::JobStatistics& statistics = figures.statistics.jobs[j];
    SamplePhases one{job.pattern, {}, -1};
    Cycle end = 0;
    for (const Cycle cycles : IterationsOf(network, job, statistics)) {
      one.iterations.emplace_back(end, end + cycles);
      end += cycles;
    }
    if (statistics.ranks_done == static_cast<std::int64_t>(job.endpoints.size()))
      one.end = std::max<Cycle>(0, statistics.last - network.nics().begin);
    phases.push_back(std::move(one));
  }
  return phases;
}

}  // namespace

SampleTable NetSamples(const network::Network& network, const network::Figures& figures, const NetRunOptions& options) {
  const Samples& samples = figures.statistics.samples;
  const SampleFrame& frame = *network.sample_frame();
  SampleTable table;
  table.asked = network.options().sample;
  table.width = samples.width();
  table.intervals = samples.intervals();
  table.cycles = std::max<Cycle>(1, network.cycle() + 1 - network.nics().begin);
  table.cycle_ns = 1e6 / network.profile().clock_khz;
  table.phases = PhasesOf(network, figures);
  FlowScale scale{static_cast<double>(frame.group_of_endpoint.size()) * network.nics().lanes / kLanesOfAWord};
  scale.has_offered_load = !options.network.hosts.used() && !(options.capture && options.capture->back_to_back);
  table.has_flows = scale.has_flows = network.options().congestion.on;
  std::vector<FlowSample> all;
  for (const auto& group : samples.groups()) AddFlows(&all, group);
  table.series.push_back(FlowSeries(table, "system", "all", all, scale));
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    if (samples.of_class(tc).empty()) continue;
    FlowScale own = scale;
    own.has_levels = own.has_flows = false;
    table.series.push_back(FlowSeries(table, "class", ClassName(options, tc), samples.of_class(tc), own));
  }
  for (std::size_t g = 0; frame.groups.size() > 1 && g < frame.groups.size(); ++g) {
    const auto endpoints =
        std::count(frame.group_of_endpoint.begin(), frame.group_of_endpoint.end(), static_cast<int>(g));
    FlowScale own = scale;
    own.words_per_cycle = static_cast<double>(endpoints) * network.nics().lanes / kLanesOfAWord;
    table.series.push_back(FlowSeries(table, "group", frame.groups[g], samples.groups()[g], own));
  }
  for (std::size_t l = 0; l < frame.links.size(); ++l)
    table.series.push_back(SeriesOfLinks(frame.each_link ? "link" : "links", frame.links[l], samples.links()[l]));
  return table;
}

}  // namespace tilefly::runs
