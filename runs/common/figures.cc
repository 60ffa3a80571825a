// SPDX-License-Identifier: Apache-2.0
#include "runs/common/figures.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>
#include <nlohmann/json.hpp>

namespace tilefly::runs {

using Json = nlohmann::ordered_json;

Json Quantiles(const LatencyHistogram& histogram, std::int64_t channel, double scale) {
  const auto value = [&](double cycles) { return (cycles + static_cast<double>(channel)) * scale; };
  const auto at = [&](double share) -> Json {
    if (histogram.count() == 0) return nullptr;
    const std::int64_t cycles = histogram.Quantile(share) + channel;
    return scale == 1 ? Json(cycles) : Json(static_cast<double>(cycles) * scale);
  };
  return Json{{"min", at(0)},      {"p1", at(0.01)},
              {"median", at(0.5)}, {"mean", histogram.count() > 0 ? Json(value(histogram.Mean())) : Json(nullptr)},
              {"p99", at(0.99)},   {"p999", at(0.999)},
              {"max", at(1)},      {"packets", histogram.count()}};
}

Json Dispersion(const LatencyHistogram& histogram) {
  if (histogram.count() == 0) return nullptr;
  const auto q1 = static_cast<double>(histogram.Quantile(0.25)), q3 = static_cast<double>(histogram.Quantile(0.75));
  return q3 > 0 ? Json((q3 - q1) / (q3 + q1)) : Json(nullptr);
}

std::string InWords(const Json& figure, int decimals, const char* unit) {
  if (!figure.is_number()) return "-";
  return fmt::format("{:.{}f}{}", figure.get<double>(), decimals, unit);
}

Json CaptureJson(const cosim::Capture& capture) {
  return Json{{"file", capture.file},
              {"interfaces", capture.interfaces},
              {"cut", capture.cut},
              {"padded", capture.padded},
              {"too_long", capture.too_long}};
}

std::string CaptureText(const cosim::Capture& capture) {
  return fmt::format("{}: {} records were cut by the snap length and filled with zeros, {} frames padded to 64 B",
                     capture.file, capture.cut, capture.padded);
}

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::int64_t PeakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace tilefly::runs
