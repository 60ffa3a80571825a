// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace tilefly::runs {

/// One self-contained HTML page about a run. Whatever is absent from the arguments is absent from the page.
///
/// `results` is what `results.json` holds (manual: run directory). `detail` adds, all optional:
///   latency_histogram  [[cycles, packets], ...], exact
///   cycle_ns           length of a cycle; by default the ratio of latency_ns to latency_cycles
///   traffic_slots      word slots of a port while traffic flowed; slot_ns: length of one
///   above_offered      why more was accepted than offered, in a line
///   rows, cols         tiles of the switch
///   ports              [{port, offered_slots, in_slots, out_slots, rx_packets, tx_packets, drops, ...}]; slots while traffic
///                      flowed: that arrived to be sent, that entered the switch, that left it; the others of the whole run
///   bins, stalls       {name: count}; stalls in cycles
///   bins_not_asked     {name: what would ask for it}, of the bins that the run had no reason to reach
///   waves, captures    [{path, what}], [path]; paths relative to the run directory
///   files              [path], other files of the run
///   interference       [{job, pattern, text, ranks, alone: {completion_ns, ...}, together: {...}, slowdown, ...}]
///   figures            [{name, title, x, unit, log_x, log_y, curves: [{name, points: [[x, y], ...]}]}]
///   claims             [{figure, curve, claim, value, low, high, published, mark: [x, y] or null, fixed, verdict}]
///   samples            time series: SamplesReport of runs/common/sample_table.h
///   failure            {text}
///   command            the line that repeats the run; by default made from the seed
/// Strings may hold anything: nothing in them becomes markup or script, and a path becomes a link only when it is relative.
std::string RenderReport(const nlohmann::json& results, const nlohmann::json& detail);

/// Writes `dir/report.html` by way of a temporary file in `dir`; returns its path. Paths of waves and captures that lie in `dir`
/// are made relative to it, and the run's other files that exist are listed, so call it last.
/// Throws std::runtime_error with the file and the reason.
std::filesystem::path WriteReport(const std::filesystem::path& dir, const nlohmann::json& results,
                                  const nlohmann::json& detail);

}  // namespace tilefly::runs
