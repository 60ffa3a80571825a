// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/retry_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "runs/common/fault_effects.h"
#include "runs/common/figures.h"
#include "runs/switch/counter_sum.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLinesInReport = 200, kMarksInReport = 100;

/// "p3"; of a register of all ports "all".
std::string LinkOfLine(const cosim::FaultLog::Line& line) { return line.port < 0 ? "all" : fmt::format("p{}", line.port); }

Json Plus(const Json& of_switch, std::int64_t of_partners) {
  return of_switch.is_null() ? Json(nullptr) : Json(of_switch.get<std::int64_t>() + of_partners);
}

/// Why the event of this number did nothing; empty: it did something, or a register write, of which that is not known.
std::string WhyNoEffect(const SwitchRun& run, std::size_t number) {
  using faults::EventKind;
  const faults::PlannedEvent& event = run.options().plan->events[number];
  if (event.at >= run.traffic_cycles())
    return fmt::format("it is at {}, and traffic ended after {} cycles; give an earlier `at`, or a longer --max-cycles", event.at,
                       run.traffic_cycles());
  if (event.kind == EventKind::kTable) return "";
  switch (run.endpoints()[static_cast<std::size_t>(event.link.port)]->retry()->EffectOf(number)) {
    case cosim::Effect::kIdle:
      return WhyIdle(event.kind);
    case cosim::Effect::kShared:
      return "another error acted on the same words or slots, and of drop, bad and repeat only the first acts; give another `at`";
    case cosim::Effect::kNoChange:
      return event.kind == EventKind::kBer ? fmt::format("the rate is {:g} already; leave it out", event.value)
                                           : "the link is up; leave it out";
    case cosim::Effect::kPlain:
      return "with down: best_effort its link had gone on without retry, with clean wires; give an earlier `at`, or another `down`";
    default:
      return "";
  }
}

}  // namespace

Json LinkRetryJson(SwitchRun& run) {
  if (run.setup().retry_ports() == 0) return nullptr;
  cosim::RetryHalves::Counts partners;
  cosim::LinkWork work, in_traffic;
  faults::FaultCounts words, slots;
  int downs = 0, given_up = 0;
  std::int64_t down_cycles = 0, degraded_cycles = 0;
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
    partners.lanes_failed += one.lanes_failed;
    partners.lanes_back += one.lanes_back;
    downs += link->downs();
    given_up += link->given_up();
    down_cycles += link->down_cycles();
    degraded_cycles += link->degraded_cycles();
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
  json["lanes_failed"] = Plus(CounterSum(run, Counter::kLanesFailed), partners.lanes_failed);
  json["lanes_back"] = Plus(CounterSum(run, Counter::kLanesBack), partners.lanes_back);
  json["link_downs"] = downs;
  json["links_given_up"] = given_up;
  json["down_cycles"] = down_cycles;
  json["degraded_cycles"] = degraded_cycles;
  json["lost"] = run.scoreboard().books().lost + run.scoreboard().books().copies_lost;
  json["efficiency"] = nullptr;
  if (in_traffic.words > 0)
    json["efficiency"] = static_cast<double>(in_traffic.accepted_words) / static_cast<double>(in_traffic.words);
  return json;
}

std::string LinkRetryLine(const SwitchRun& run, const Json& link_retry) {
  const auto figure = [&](const std::string& key) { return InWords(link_retry[key], 0); };
  const auto errors = [&](const char* of) {
    return fmt::format("{} bad, {} dropped and {} repeated {}", figure(fmt::format("bad_{}", of)), figure(fmt::format("dropped_{}", of)),
                       figure(fmt::format("repeated_{}", of)), of);
  };
  return fmt::format("retry: {} of {} ports; {} attempts, {}, {}, {} replays, {} timers ran out, {} words sent again, {} cells healed, "
                     "efficiency {}",
                     figure("ports"), run.options().profile->ports, figure("attempts"), errors("words"), errors("slots"),
                     figure("replays"), figure("timeouts"), figure("resent_words"), figure("healed_cells"),
                     InWords(link_retry["efficiency"], 4));
}

std::string TimeLineLine(const SwitchRun& run, const Json& link_retry) {
  std::vector<std::pair<std::string, int>> kinds;
  for (const cosim::FaultLog::Line& line : run.fault_log().lines()) {
    if (line.drawn_error) continue;
    const std::string kind = line.cause == std::string("plan") ? line.what : fmt::format("{} ({})", line.what, line.cause);
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.first == kind; });
    if (known == kinds.end()) {
      kinds.emplace_back(kind, 1);
    } else {
      ++known->second;
    }
  }
  if (kinds.empty()) return "";
  std::vector<std::string> words;
  for (const auto& [kind, count] : kinds) words.push_back(fmt::format("{} {}", count, kind));
  return fmt::format("time line: {}; link downs {}, given up by an end {}, packets lost with links {}",
                     fmt::join(words, ", "), link_retry["link_downs"].dump(), link_retry["links_given_up"].dump(),
                     link_retry["lost"].dump());
}

std::string FaultsCsv(const SwitchRun& run) {
  std::string text = "cycle,link,direction,what,value,cause\n";
  for (const cosim::FaultLog::Line& line : run.fault_log().lines())
    text += fmt::format("{},{},{},{},{},{}\n", line.cycle, LinkOfLine(line), line.direction, line.what, line.value, line.cause);
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
                     {"link", LinkOfLine(line)},
                     {"direction", line.direction},
                     {"what", line.what},
                     {"value", line.value},
                     {"cause", line.cause}});
  }
  nlohmann::json marks = nlohmann::json::array();
  for (const cosim::FaultLog::Line& line : lines) {
    if (line.drawn_error || marks.size() == kMarksInReport) continue;
    marks.push_back({{"cycle", line.cycle}, {"what", fmt::format("{} {} {}", LinkOfLine(line), line.what, line.value)}});
  }
  return {{"shown", shown}, {"marks", marks}, {"lines", static_cast<std::int64_t>(lines.size()) + run.fault_log().left_out()}};
}

std::vector<std::string> EventsWithoutEffect(const SwitchRun& run) {
  if (!run.options().plan) return {};
  if (run.setup().retry_ports() == 0)
    return {"warning: --fault-plan has no effect: no port has retry; give --retry on, a higher share or another seed, or fabric or "
            "enhanced ports"};
  std::vector<std::string> warnings;
  const std::vector<faults::PlannedEvent>& events = run.options().plan->events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (const std::string why = WhyNoEffect(run, i); !why.empty())
      warnings.push_back(WithoutEffect(events[i], why));
  }
  return FirstOf(std::move(warnings));
}

}  // namespace tilefly::runs
