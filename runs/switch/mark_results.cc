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
  json["marks_in"] = CounterSum(run, Counter::kMarksIn);
  json["throttled"] = CounterSum(run, Counter::kFlowThrottled);
  json["held"] = CounterSum(run, Counter::kFlowHeld);
  json["by_class"] = CounterSum(run, Counter::kFlowFull);
  json["lost"] = CounterSum(run, Counter::kFlowLost);
  json["stray"] = CounterSum(run, Counter::kFlowStray);
  json["pauses"] = CounterSum(run, Counter::kFlowPauses);
  std::int64_t forged = 0, obeying = 0, started = 0;
  for (const auto& endpoint : run.endpoints()) {
    const PortMode& mode = run.setup().mode(endpoint->port());
    const bool on = mode.flows && !mode.std_format;  // no control slot carries pauses to a standard port
    forged += endpoint->acks().forged();
    obeying += on && endpoint->pauses().obeys();
    started += endpoint->pauses().started_in_pause();
  }
  json["acks_forged"] = forged;
  json["obeying_ports"] = obeying;
  json["started_in_pause"] = started;
  return json;
}

std::string CongestionMarksLine(const SwitchRun& run, const Json& marks) {
  const auto figure = [&](const char* key) { return InWords(marks[key], 0); };
  return fmt::format("flow channels: {} of {} ports; {} acks made, {} of them marked; {} packets held, {} pauses",
                     figure("ports"), run.options().profile->ports, figure("acks_made"), figure("marks_made"),
                     figure("held"), figure("pauses"));
}

}  // namespace tilefly::runs
