// SPDX-License-Identifier: Apache-2.0
#include "runs/system/background_results.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "network/network.h"
#include "runs/common/figures.h"
#include "runs/system/link_figures.h"

namespace tilefly::runs {

using Json = nlohmann::ordered_json;

Json BackgroundJson(const network::Network& network, const network::Figures& figures, const std::string& text) {
  const network::ClassStatistics& own = figures.statistics.background;
  const double cycle_ns = 1e6 / network.profile().clock_khz;
  const std::size_t endpoints = network.options().background->endpoints.size();
  const double slots =
      static_cast<double>(endpoints) * static_cast<double>(MeasuredCycles(network)) * network.nics().lanes / 4;
  const auto load = [&](std::int64_t words) {
    return HasMeasured(network) ? Json(static_cast<double>(words) / slots) : Json(nullptr);
  };
  return Json{{"text", text},
              {"endpoints", endpoints},
              {"offered", own.sent},
              {"delivered", own.delivered},
              {"offered_load", load(figures.statistics.background_words + figures.queue.background_words)},
              {"accepted_load", load(own.words)},
              {"latency_ns", Quantiles(own.latency, 0, cycle_ns)},
              {"latency_cycles", Quantiles(own.latency, 0, 1)},
              {"network_latency_cycles", Quantiles(own.network, 0, 1)}};
}

std::string BackgroundLine(const Json& background) {
  const Json& latency = background["latency_ns"];
  return fmt::format("background {} of {} endpoints: offered {}, accepted {}; latency median {}, p99 {}",
                     background["text"].get<std::string>(), background["endpoints"].dump(),
                     InWords(background["offered_load"], 4), InWords(background["accepted_load"], 4),
                     InWords(latency["median"], 1, " ns"), InWords(latency["p99"], 1, " ns"));
}

}  // namespace tilefly::runs
