// SPDX-License-Identifier: Apache-2.0
// Figures that the results of every kind of run have.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cosim/capture/capture_reader.h"
#include "support/latency.h"

namespace tilefly::runs {

/// min, p1, median, mean, p99, p999, max in units of `scale` cycles, after adding `channel` cycles; null without
/// packets.
nlohmann::ordered_json Quantiles(const LatencyHistogram& histogram, std::int64_t channel, double scale);
/// Quartile coefficient of dispersion, (q3 - q1) / (q3 + q1); null without entries.
nlohmann::ordered_json Dispersion(const LatencyHistogram& histogram);
/// A figure in words, "-" for one that was not measured: null, or missing.
std::string InWords(const nlohmann::ordered_json& figure, int decimals, const char* unit = "");
/// Object `capture` of results.json.
nlohmann::ordered_json CaptureJson(const cosim::Capture& capture);
/// What was done to its frames, for the terminal.
std::string CaptureText(const cosim::Capture& capture);
/// Of the processor, since the program began.
double CpuSeconds();
/// The most memory that the program has had.
std::int64_t PeakBytes();

}  // namespace tilefly::runs
