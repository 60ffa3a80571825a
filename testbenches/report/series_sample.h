// SPDX-License-Identifier: Apache-2.0
// Time series made up for the tests of the report.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "runs/common/sample_table.h"
#include "testbenches/report/sample.h"

namespace tilefly::testing {

/// 5 intervals of 100 cycles, the last one of 50: a system, two classes, three groups, 70 links of which the higher ones
/// are busier, two jobs.
inline runs::SampleTable MadeUpSeries() {
  runs::SampleTable table;
  table.asked = table.width = 100;
  table.cycles = 450;
  table.intervals = 5;
  table.cycle_ns = 1.28;
  const auto add = [&](const std::string& scope, const std::string& name, double share) {
    table.series.push_back({scope, name, [=](int interval, Cycle cycles) {
                              runs::SampleRow row;
                              row[runs::SampleColumn::kAcceptedLoad] = share * static_cast<double>(cycles) / 100;
                              row[runs::SampleColumn::kOfferedLoad] = share;
                              if (interval > 0) row[runs::SampleColumn::kLatencyMeanNs] = 500 + 10 * share;
                              if (interval > 0) row[runs::SampleColumn::kLatencyP99Ns] = 900 + 10 * share;
                              row[runs::SampleColumn::kSourceWords] = 1000 * interval;
                              row[runs::SampleColumn::kNetworkWords] = 2000;
                              if (scope != "class") row[runs::SampleColumn::kBufferCells] = 70 * interval;
                              return row;
                            }});
  };
  add("system", "all", 0.5);
  add("class", "0", 0.3);
  add("class", "3", 0.2);
  for (int group = 0; group < 3; ++group) add("group", std::to_string(group), 0.25 * group);
  for (int link = 0; link < 70; ++link) {
    table.series.push_back({"link", "s0.1->s" + std::to_string(link) + ".2", [=](int interval, Cycle) {
                              runs::SampleRow row;
                              row[runs::SampleColumn::kUtilisation] = link / 70.0;
                              if (link % 2 == 0) row[runs::SampleColumn::kLoadCells] = 10 * interval;
                              return row;
                            }});
  }
  table.phases.push_back({"barrier", {{0, 120}, {120, 300}}, 300});
  table.phases.push_back({"alltoall", {}, -1});
  for (Cycle at = 0; at < 250; ++at) table.phases.back().iterations.emplace_back(at, at + 1);
  return table;
}

inline Sample SeriesRun() {
  Sample sample = SystemRun(9, 4);
  sample.detail["samples"] = runs::SamplesReport(MadeUpSeries());
  return sample;
}

}  // namespace tilefly::testing
