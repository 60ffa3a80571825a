// SPDX-License-Identifier: Apache-2.0
#include "runs/common/sample_table.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

struct ColumnText {
  const char* name;
  int decimals;
};
constexpr std::array<ColumnText, kSampleColumns> kColumnTexts = {{{"offered_words", 0},
                                                                  {"sent_packets", 0},
                                                                  {"sent_words", 0},
                                                                  {"received_packets", 0},
                                                                  {"received_words", 0},
                                                                  {"offered_load", 6},
                                                                  {"accepted_load", 6},
                                                                  {"utilisation", 6},
                                                                  {"throughput_gbps", 3},
                                                                  {"latency_mean_ns", 3},
                                                                  {"latency_p99_ns", 3},
                                                                  {"latency_max_ns", 3},
                                                                  {"source_words", 0},
                                                                  {"network_words", 0},
                                                                  {"load_cells", 0},
                                                                  {"buffer_cells", 0},
                                                                  {"throttled_flows", 0},
                                                                  {"held_cells", 0}}};

constexpr int kBitsOfByte = 8;

/// What does not depend on the intervals before.
SampleRow RowOf(const network::FlowSample& one, double cycles, double cycle_ns, const FlowScale& scale) {
  SampleRow row;
  const double slots = scale.words_per_cycle * cycles;
  if (scale.has_offered) row[SampleColumn::kOfferedWords] = static_cast<double>(one.created);
  row[SampleColumn::kSentPackets] = static_cast<double>(one.sent_packets);
  row[SampleColumn::kSentWords] = static_cast<double>(one.sent);
  row[SampleColumn::kReceivedPackets] = static_cast<double>(one.received_packets);
  row[SampleColumn::kReceivedWords] = static_cast<double>(one.received);
  if (scale.has_offered && scale.has_offered_load)
    row[SampleColumn::kOfferedLoad] = static_cast<double>(one.created) / slots;
  row[SampleColumn::kAcceptedLoad] = static_cast<double>(one.received) / slots;
  row[SampleColumn::kThroughputGbps] = kBitsOfByte * static_cast<double>(one.received_bytes) / (cycles * cycle_ns);
  if (one.latency.count() > 0) {
    const auto channel = static_cast<double>(scale.channel);
    row[SampleColumn::kLatencyMeanNs] = (one.latency.Mean() + channel) * cycle_ns;
    row[SampleColumn::kLatencyP99Ns] = (static_cast<double>(one.latency.Quantile(0.99)) + channel) * cycle_ns;
    row[SampleColumn::kLatencyMaxNs] = (static_cast<double>(one.latency.max()) + channel) * cycle_ns;
  }
  if (scale.has_levels) {
    row[SampleColumn::kLoadCells] = static_cast<double>(one.load);
    row[SampleColumn::kBufferCells] = static_cast<double>(one.buffered);
  }
  if (scale.has_flows) {
    row[SampleColumn::kThrottledFlows] = static_cast<double>(one.throttled);
    row[SampleColumn::kHeldCells] = static_cast<double>(one.held);
  }
  return row;
}

}  // namespace

SampleSeries FlowSeries(const SampleTable& table, const std::string& scope, const std::string& name,
                        const std::vector<network::FlowSample>& samples, const FlowScale& scale) {
  auto rows = std::make_shared<std::vector<SampleRow>>();
  const network::FlowSample none;
  std::int64_t waiting = 0, inside = 0;
  for (int i = 0; i < table.intervals; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const network::FlowSample& one = index < samples.size() ? samples[index] : none;
    rows->push_back(RowOf(one, static_cast<double>(table.Length(i)), table.cycle_ns, scale));
    waiting += one.created - one.sent;
    inside += one.sent - one.ended;
    if (scale.has_offered) rows->back()[SampleColumn::kSourceWords] = static_cast<double>(waiting);
    if (scale.has_network) rows->back()[SampleColumn::kNetworkWords] = static_cast<double>(inside);
  }
  return {scope, name, [rows](int interval, Cycle) { return (*rows)[static_cast<std::size_t>(interval)]; }};
}

void AddFlows(std::vector<network::FlowSample>* sum, const std::vector<network::FlowSample>& samples) {
  if (sum->size() < samples.size()) sum->resize(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    network::FlowSample& own = (*sum)[i];
    const network::FlowSample before = own;
    own.Join(samples[i]);
    own.load += before.load;  // levels of one time
    own.buffered += before.buffered;
    own.throttled += before.throttled;
    own.held += before.held;
  }
}

std::string SamplesCsv(const SampleTable& table) {
  std::string text = "begin_cycle,begin_ns,cycles,scope,name";
  const std::size_t columns = kSampleColumns - (table.has_flows ? 0 : kFlowColumns);
  for (std::size_t c = 0; c < columns; ++c) text += fmt::format(",{}", kColumnTexts[c].name);
  text += '\n';
  auto out = std::back_inserter(text);
  for (const SampleSeries& series : table.series) {
    for (int i = 0; i < table.intervals; ++i) {
      const Cycle begin = table.begin + i * table.width;
      fmt::format_to(out, "{},{:.2f},{},{},{}", begin, static_cast<double>(begin) * table.cycle_ns, table.Length(i),
                     series.scope, series.name);
      const SampleRow row = table.Row(series, i);
      for (std::size_t c = 0; c < columns; ++c) {
        text += ',';
        const double value = row[static_cast<SampleColumn>(c)];
        if (!std::isnan(value)) fmt::format_to(out, "{:.{}f}", value, kColumnTexts[c].decimals);
      }
      text += '\n';
    }
  }
  return text;
}

Json SamplesJson(const SampleTable& table) {
  Json counts = Json::object();
  for (const SampleSeries& series : table.series) counts[series.scope] = counts.value(series.scope, 0) + 1;
  return Json{{"begin_cycle", table.begin},
              {"interval_cycles", table.width},
              {"interval_ns", static_cast<double>(table.width) * table.cycle_ns},
              {"asked_cycles", table.asked},
              {"intervals", table.intervals},
              {"series", std::move(counts)}};
}

std::vector<std::string> SampleLines(const SampleTable& table, const std::string& asked) {
  const Json json = SamplesJson(table);
  std::string series;
  for (const auto& [scope, count] : json["series"].items())
    series += fmt::format("{}{} {}", series.empty() ? "" : ", ", scope, count.dump());
  std::vector<std::string> lines = {fmt::format("samples: {} intervals of {} cycles ({:.1f} ns); series: {}",
                                                table.intervals, table.width,
                                                static_cast<double>(table.width) * table.cycle_ns, series)};
  if (table.width > table.asked) {
    lines.push_back(fmt::format("samples: intervals of {} cycles were joined to {}: at most {} are kept", table.asked,
                                table.width, network::Samples::kMostIntervals));
  }
  if (table.intervals < 2) {
    lines.push_back(fmt::format("warning: --sample {} shows no course: the run of {} cycles is one interval; give a "
                                "shorter one",
                                asked, table.cycles));
  }
  return lines;
}

}  // namespace tilefly::runs
