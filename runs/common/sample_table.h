// SPDX-License-Identifier: Apache-2.0
// Time series as runs leave them behind (docs/time-series.md): samples.csv, their object in results.json, what the
// report draws. The same for a system and for one switch.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "network/samples.h"

namespace tilefly::runs {

/// Columns of samples.csv behind those that say when and of what.
enum class SampleColumn {
  kOfferedWords,
  kSentPackets,
  kSentWords,
  kReceivedPackets,
  kReceivedWords,
  kOfferedLoad,
  kAcceptedLoad,
  kUtilisation,
  kThroughputGbps,
  kLatencyMeanNs,
  kLatencyP99Ns,
  kLatencyMaxNs,
  kSourceWords,
  kNetworkWords,
  kLoadCells,
  kBufferCells,
  kThrottledFlows,
  kHeldCells,
};
inline constexpr std::size_t kSampleColumns = 18;
/// The last ones of these are of runs with congestion control.
inline constexpr std::size_t kFlowColumns = 2;

/// An interval of a series; NaN: not known.
class SampleRow {
 public:
  SampleRow() { values_.fill(std::numeric_limits<double>::quiet_NaN()); }
  double& operator[](SampleColumn column) { return values_[static_cast<std::size_t>(column)]; }
  double operator[](SampleColumn column) const { return values_[static_cast<std::size_t>(column)]; }

 private:
  std::array<double, kSampleColumns> values_;
};

struct SampleSeries {
  std::string scope;  ///< "system", "class", "link", ...
  std::string name;
  std::function<SampleRow(int interval, Cycle cycles)> row;  ///< of an interval of so many cycles
};

/// A job, for the time lines: its iterations, those that have ended.
struct SamplePhases {
  std::string name;
  std::vector<std::pair<Cycle, Cycle>> iterations;  ///< begin and end, as cycles of samples.csv
  Cycle end = -1;                                   ///< of the job, -1: it was not done
};

struct SampleTable {
  /// Cycles of an interval: the last one ends with the run.
  Cycle Length(int interval) const { return std::min(width, cycles - interval * width); }
  SampleRow Row(const SampleSeries& one, int interval) const { return one.row(interval, Length(interval)); }

  Cycle begin = 0;   ///< of the first interval
  Cycle asked = 0;   ///< cycles of an interval
  Cycle width = 0;   ///< the same, as it came to be
  Cycle cycles = 0;  ///< of all
  int intervals = 0;
  double cycle_ns = 1;
  bool has_flows = false;  ///< the run has congestion control
  std::vector<SampleSeries> series;
  std::vector<SamplePhases> phases;
};

/// What a class, group or port is measured by.
struct FlowScale {
  double words_per_cycle;         ///< of a share that is 1
  bool has_offered = true;        ///< `created` is known
  bool has_offered_load = true;   ///< and is a load
  bool has_levels = true;         ///< `load` and `buffered` are known
  bool has_flows = false;         ///< `throttled` and `held` are known
  bool has_network = true;        ///< `ended` is known
  Cycle channel = 0;              ///< added to latencies
};
/// A series of `table`, whose times are known, from what was counted.
SampleSeries FlowSeries(const SampleTable& table, const std::string& scope, const std::string& name,
                        const std::vector<network::FlowSample>& samples, const FlowScale& scale);
/// The sum of several of them, in `*sum`; packets are in one of them each.
void AddFlows(std::vector<network::FlowSample>* sum, const std::vector<network::FlowSample>& samples);

std::string SamplesCsv(const SampleTable& table);
/// Object `samples` of results.json.
nlohmann::ordered_json SamplesJson(const SampleTable& table);
/// Line for the terminal, and a warning where the intervals are not what was asked for or say nothing.
std::vector<std::string> SampleLines(const SampleTable& table, const std::string& asked);
/// Member `samples` of the report's detail.
nlohmann::json SamplesReport(const SampleTable& table);

}  // namespace tilefly::runs
