// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/mark_results.h"

#include <fmt/format.h>

#include "runs/common/figures.h"
#include "runs/switch/counter_sum.h"

namespace tilefly::runs {

using Json = nlohmann::ordered_json;

Json CongestionMarksJson(SwitchRun& run) {
  if (run.options().flow_channels == 0) return nullptr;
  Json json;
  json["ports"] = __builtin_popcountll(run.setup().flow_ports());
  json["acks_made"] = CounterSum(run, Counter::kAcksMade);
  json["marks_made"] = CounterSum(run, Counter::kMarksMade);
  return json;
}

std::string CongestionMarksLine(const SwitchRun& run, const Json& marks) {
  const auto figure = [&](const char* key) { return InWords(marks[key], 0); };
  return fmt::format("flow channels: {} of {} ports; {} acks made, {} of them marked", figure("ports"),
                     run.options().profile->ports, figure("acks_made"), figure("marks_made"));
}

}  // namespace tilefly::runs
