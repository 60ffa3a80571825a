// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/retry_results.h"

#include <fmt/format.h>

#include "runs/common/figures.h"
#include "runs/switch/counter_sum.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLinesInReport = 200;

Json Plus(const Json& of_switch, std::int64_t of_partners) {
  return of_switch.is_null() ? Json(nullptr) : Json(of_switch.get<std::int64_t>() + of_partners);
}

}  // namespace

Json LinkRetryJson(SwitchRun& run) {
  if (run.setup().retry_ports() == 0) return nullptr;
  cosim::RetryHalves::Counts partners;
  cosim::LinkWork work, in_traffic;
  faults::FaultCounts words, slots;
  for (const auto& endpoint : run.endpoints()) {
    const cosim::RetryLink* const link = endpoint->retry();
    if (link == nullptr) continue;
    const cosim::RetryHalves::Counts& one = link->halves().counts();
    partners.resent_words += one.resent_words;
    partners.replays += one.replays;
    partners.timeouts += one.timeouts;
    partners.nacks += one.nacks;
    partners.healed_cells += one.healed_cells;
    work.attempts += link->work().attempts;
    in_traffic.words += link->work_in_traffic().words;
    in_traffic.accepted_words += link->work_in_traffic().accepted_words;
    if (link->faults() == nullptr) continue;
    words.bad += link->faults()->words().bad + link->faults()->words().noisy;
    words.dropped += link->faults()->words().dropped;
    words.repeated += link->faults()->words().repeated;
    slots.bad += link->faults()->slots().bad + link->faults()->slots().noisy;
    slots.dropped += link->faults()->slots().dropped;
    slots.repeated += link->faults()->slots().repeated;
  }
  Json json;
  json["ports"] = __builtin_popcountll(run.setup().retry_ports());
  json["attempts"] = work.attempts;
  json["resent_words"] = Plus(CounterSum(run, Counter::kTxOkRpt), partners.resent_words);
  json["replays"] = Plus(CounterSum(run, Counter::kTxReplayEvent), partners.replays);
  json["timeouts"] = Plus(CounterSum(run, Counter::kTxReplayTimeout), partners.timeouts);
  json["nacks"] = Plus(CounterSum(run, Counter::kTxNackCtlOs), partners.nacks);
  json["healed_cells"] = Plus(CounterSum(run, Counter::kCreditsHealed), partners.healed_cells);
  json["broken_copies"] = run.scoreboard().books().broken_out;
  json["bad_words"] = words.bad;
  json["dropped_words"] = words.dropped;
  json["repeated_words"] = words.repeated;
  json["bad_slots"] = slots.bad;
  json["dropped_slots"] = slots.dropped;
  json["repeated_slots"] = slots.repeated;
  json["efficiency"] = nullptr;
  if (in_traffic.words > 0)
    json["efficiency"] = static_cast<double>(in_traffic.accepted_words) / static_cast<double>(in_traffic.words);
  return json;
}

std::string LinkRetryLine(const SwitchRun& run, const Json& link_retry) {
  const auto figure = [&](const char* key) { return InWords(link_retry[key], 0); };
  return fmt::format("retry: {} of {} ports; {} attempts, {} bad words, {} bad slots, {} replays ({} by the timer), {} words sent "
                     "again, {} cells healed, efficiency {}",
                     figure("ports"), run.options().profile->ports, figure("attempts"), figure("bad_words"), figure("bad_slots"),
                     figure("replays"), figure("timeouts"), figure("resent_words"), figure("healed_cells"),
                     InWords(link_retry["efficiency"], 4));
}

std::string FaultsCsv(const SwitchRun& run) {
  std::string text = "cycle,link,direction,what,value,cause\n";
  for (const cosim::FaultLog::Line& line : run.fault_log().lines())
    text += fmt::format("{},p{},{},{},{},{}\n", line.cycle, line.port, line.direction, line.what, line.value, line.cause);
  if (const std::int64_t more = run.fault_log().left_out(); more > 0)
    text += fmt::format("{},,,drawn errors without a line (--fault-lines),{},drawn\n", run.traffic_cycles(), more);
  return text;
}

nlohmann::json FaultsReport(const SwitchRun& run) {
  nlohmann::json shown = nlohmann::json::array();
  const std::vector<cosim::FaultLog::Line>& lines = run.fault_log().lines();
  for (std::size_t i = 0; i < lines.size() && i < kLinesInReport; ++i) {
    const cosim::FaultLog::Line& line = lines[i];
    shown.push_back({{"cycle", line.cycle},
                     {"link", fmt::format("p{}", line.port)},
                     {"direction", line.direction},
                     {"what", line.what},
                     {"value", line.value},
                     {"cause", line.cause}});
  }
  return {{"shown", shown}, {"lines", static_cast<std::int64_t>(lines.size()) + run.fault_log().left_out()}};
}

std::vector<std::string> EventsWithoutEffect(const SwitchRun& run) {
  std::vector<std::string> warnings;
  if (!run.options().plan) return warnings;
  for (const faults::PlannedEvent& event : run.options().plan->events) {
    if (event.at < run.traffic_cycles()) continue;
    warnings.push_back(fmt::format("warning: {} has no effect: it is at {}, and traffic ended after {} cycles; give an earlier "
                                   "`at`, or a longer --max-cycles",
                                   event.origin, event.at, run.traffic_cycles()));
  }
  return warnings;
}

}  // namespace tilefly::runs
