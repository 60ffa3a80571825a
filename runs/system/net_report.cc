// SPDX-License-Identifier: Apache-2.0
#include "runs/system/net_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runs/common/extensions.h"
#include "runs/common/figures.h"
#include "runs/system/link_figures.h"

namespace tilefly::runs {
namespace {

using nlohmann::json;

/// Cycles in which links did not send though something asked for them, by reason.
json StallsOf(const json& results) {
  json stalls = json::object();
  if (!results.contains("link_cycles")) {
    stalls["NIC without credit"] = results.at("nic").at("stalled_cycles");
    if (const json throttled = results.at("nic").at("throttled_cycles"); throttled.is_number() && throttled > 0)
      stalls["NIC: paused flows"] = throttled;
    return stalls;
  }
  for (const auto& [kind, sums] : results.at("link_cycles").items()) {
    if (!sums.is_object()) continue;
    for (const char* reason : {"retry", "crossing", "arbitration", "no_credit", "no_room", "scheduler", "throttled"}) {
      const std::int64_t cycles = sums.value(reason, std::int64_t{0});
      if (cycles > 0) stalls[fmt::format("{}: {}", kind, reason)] = cycles;
    }
  }
  return stalls;
}

}  // namespace

ReportParts NetReport(const network::Network& network, const network::Figures& figures, const NetSettings& settings,
                      const nlohmann::ordered_json& results, const nlohmann::json& journeys) {
  ReportParts parts{results, json::object()};
  parts.detail["latency_histogram"] = parts.results["latency_histogram"];
  parts.results.erase("latency_histogram");
  parts.results["level"] = "net";
  parts.results["traffic"] = settings.TrafficName();
  parts.results["routing"] = settings.Get("routing");
  if (results.contains("background")) {
    const nlohmann::ordered_json& background = results["background"];
    for (const char* key : {"offered_load", "accepted_load"})
      parts.results[std::string("background_") + key] = background[key];
    for (const char* key : {"median", "p99"})
      parts.results[fmt::format("background_latency_{}_ns", key)] = background["latency_ns"][key];
    parts.results["background"] = background["text"];
  }
  parts.detail["cycle_ns"] = 1e6 / network.profile().clock_khz;
  parts.detail["stalls"] = StallsOf(parts.results);
  if (HasMeasured(network)) parts.detail["system"] = SystemMap(network, figures);
  parts.detail["command"] = fmt::format("{} net --config config.resolved.yaml --seed {}", ProgramName(), network.options().seed);
  if (parts.results.contains("message")) parts.detail["failure"] = {{"text", parts.results["message"]}};
  if (!journeys.is_null()) parts.detail["journeys"] = journeys;
  return parts;
}

ReportParts SweepReport(const nlohmann::ordered_json& sweep) {
  ReportParts parts{sweep, json::object()};
  parts.detail["sweep"] = {{"axis", sweep.at("axis")}, {"swept", sweep.at("swept")}, {"points", sweep.at("points")},
                           {"command", sweep.at("command")},
                           {"named", sweep.value("named", nlohmann::ordered_json::object())}};
  json& columns = parts.detail["sweep"]["columns"] = json::array();
  for (const auto& one : sweep.at("swept")) columns.push_back(one.at("option").get<std::string>());
  for (const auto& point : sweep.at("points")) {
    for (const auto& [key, value] : point.items()) {
      const bool known = std::find(columns.begin(), columns.end(), key) != columns.end();
      if (!known && key != "message" && key != "directory" && !value.is_object()) columns.push_back(key);
    }
  }
  for (const char* key : {"points", "swept", "named", "axis", "exit_code", "command"}) parts.results.erase(key);
  parts.results["level"] = sweep.at("command").get<std::string>() + " sweep";
  parts.results["runs"] = sweep.at("points").size();
  parts.detail["files"] = {"sweep.csv", "sweep.svg", "sweep.json", "manifest.json", "config.resolved.yaml", "log.txt"};
  parts.detail["command"] =
      fmt::format("{} {} --config config.resolved.yaml", ProgramName(), sweep.at("command").get<std::string>());
  return parts;
}

}  // namespace tilefly::runs
