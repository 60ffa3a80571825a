// SPDX-License-Identifier: Apache-2.0
#include "runs/system/fault_results.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilefly::runs {
namespace {

using faults::EventKind;

constexpr std::size_t kMostShown = 100;  ///< lines in the report

Cycle EndOf(const network::Network& network) { return network.cycle() - network.nics().begin; }

const char* NameOf(faults::Direction direction) {
  switch (direction) {
    case faults::Direction::kOut:
      return "out";
    case faults::Direction::kIn:
      return "in";
    case faults::Direction::kBoth:
      break;
  }
  return "both";
}

std::string LinkOf(int node, int port) { return fmt::format("s{}.{}", node, port); }

void AddDown(const network::LinkFault& down, Cycle end, std::vector<FaultLine>* lines) {
  const char* const cause = down.origin.empty() ? "option" : "plan";
  if (down.at <= end) lines->push_back({down.at, LinkOf(down.node, down.port), "both", "down", "", cause});
  if (down.till == kNever || down.till > end) return;
  const std::string put_off = down.till > down.asked ? fmt::format("put off from {}", down.asked) : "";
  lines->push_back({down.till, LinkOf(down.node, down.port), "both", "up", put_off, cause});
}

/// A link that an end gave up, and that goes down for some time.
void AddGivenUp(const network::GivenUp& one, int node, const network::Network& network, Cycle end, std::vector<FaultLine>* lines) {
  const Cycle begin = network.nics().begin;
  const std::string link = one.nic ? fmt::format("e{}", network.wiring().far(node, one.port).endpoint) : LinkOf(node, one.port);
  const auto add = [&](Cycle cycle, const char* direction, const char* what) {
    if (cycle - begin <= end) lines->push_back({cycle - begin, link, direction, what, "", "port"});
  };
  add(one.cycle, "out", "given up");
  add(one.from, "both", "down");
  add(one.till, "both", "up");
}

/// The SerDes lanes that a port or a NIC sends on.
void AddLaneChange(const network::LaneChange& one, int node, const network::Network& network, Cycle end,
                   std::vector<FaultLine>* lines) {
  const Cycle cycle = one.from - network.nics().begin;
  const std::string link =
      one.nic ? fmt::format("e{}", network.wiring().far(node, one.port).endpoint) : LinkOf(node, one.port);
  if (cycle <= end) lines->push_back({cycle, link, "out", "lanes", std::to_string(one.lanes), "lanes"});
}

void AddEvents(const faults::Plan& plan, Cycle end, std::vector<FaultLine>* lines) {
  for (const faults::PlannedEvent& event : plan.events) {
    if (event.at > end) continue;
    switch (event.kind) {
      case EventKind::kDown:
      case EventKind::kUp:
        break;
      case EventKind::kTable:
        lines->push_back({event.at, fmt::format("s{}", event.write.node), "", "table",
                          fmt::format("{} {} = 0x{:x}", ToString(event.write.space), event.write.index, event.write.value),
                          "plan"});
        break;
      case EventKind::kStuck:
        lines->push_back({event.at, event.link.Text(), NameOf(event.direction), "stuck",
                          event.credits_alone ? "credits" : "all", "plan"});
        if (event.cycles && event.at + *event.cycles <= end)
          lines->push_back({event.at + *event.cycles, event.link.Text(), NameOf(event.direction), "stuck ends", "", "plan"});
        break;
      case EventKind::kBer:
        lines->push_back({event.at, event.link.Text(), NameOf(event.direction), "ber", fmt::format("{}", event.value), "plan"});
        break;
      case EventKind::kLaneDown:
      case EventKind::kLaneUp:
        lines->push_back({event.at, event.link.Text(), NameOf(event.direction), faults::NameOf(event.kind),
                          std::to_string(event.lane), "plan"});
        break;
      default:
        lines->push_back({event.at, event.link.Text(), NameOf(event.direction), faults::NameOf(event.kind),
                          std::to_string(event.count), "plan"});
    }
  }
}

/// SerDes lanes that work again because the time of their event is over.
void AddLanesUp(const faults::Plan& plan, Cycle end, std::vector<FaultLine>* lines) {
  for (std::size_t i = 0; i < plan.events.size(); ++i) {
    const faults::PlannedEvent& event = plan.events[i];
    if (event.kind != EventKind::kLaneDown || !event.cycles || event.at + *event.cycles > end) continue;
    const auto is_earlier_end = [&](const faults::PlannedEvent& other) {
      return other.kind == EventKind::kLaneUp && other.link == event.link && other.lane == event.lane &&
             other.at >= event.at && other.at <= event.at + *event.cycles;
    };
    if (std::any_of(plan.events.begin() + static_cast<std::ptrdiff_t>(i), plan.events.end(), is_earlier_end)) continue;
    lines->push_back({event.at + *event.cycles, event.link.Text(), NameOf(event.direction), "lane_up",
                      std::to_string(event.lane), "plan"});
  }
}

const char* NameOf(network::Damage what) {
  using network::Damage;
  switch (what) {
    case Damage::kBadWord:
      return "bad word";
    case Damage::kDroppedWord:
      return "dropped word";
    case Damage::kRepeatedWord:
      return "repeated word";
    case Damage::kNoise:
      return "noise";
    case Damage::kBadSlot:
      return "bad slot";
    case Damage::kDroppedSlot:
      return "dropped slot";
    case Damage::kRepeatedSlot:
      break;
  }
  return "repeated slot";
}

/// Errors that were drawn, whether they have a line of their own or not.
std::int64_t CountDrawn(const network::RetryCounts& counts) {
  return counts.bad_words + counts.dropped_words + counts.repeated_words + counts.noisy_words + counts.bad_slots +
         counts.dropped_slots + counts.repeated_slots - counts.words_of_lanes - counts.slots_of_lanes;
}

void AddDrawn(const std::vector<network::DrawnError>& errors, const std::string& link, std::vector<FaultLine>* lines) {
  for (const network::DrawnError& error : errors)
    lines->push_back({error.cycle, link, "in", NameOf(error.what), "", "drawn"});
}

/// Damaged words and slots, at the end that gets them: the link and its direction are those of that end.
std::vector<FaultLine> DrawnLines(const network::Network& network, const network::Figures& figures) {
  std::vector<FaultLine> lines;
  for (std::size_t n = 0; n < figures.nodes.size(); ++n) {
    const network::NodeFigures& own = figures.nodes[n];
    for (std::size_t p = 0; p < own.drawn.size(); ++p) {
      const int node = static_cast<int>(n), port = static_cast<int>(p);
      AddDrawn(own.drawn[p], LinkOf(node, port), &lines);
      AddDrawn(own.drawn_at_nics[p], fmt::format("e{}", network.wiring().far(node, port).endpoint), &lines);
    }
  }
  std::stable_sort(lines.begin(), lines.end(), [](const FaultLine& a, const FaultLine& b) { return a.cycle < b.cycle; });
  return lines;
}

}  // namespace

bool HasFaults(const network::Network& network) {
  return !network.options().faults.empty() || network.options().fault_plan != nullptr;
}

std::vector<FaultLine> FaultLines(const network::Network& network, const network::Figures& figures, std::size_t most) {
  const Cycle end = EndOf(network);
  std::vector<FaultLine> lines;
  for (const network::LinkFault& down : network.options().faults) AddDown(down, end, &lines);
  for (const network::LinkFault& down : network.faults().downs()) AddDown(down, end, &lines);
  if (network.options().fault_plan != nullptr) {
    AddEvents(*network.options().fault_plan, end, &lines);
    AddLanesUp(*network.options().fault_plan, end, &lines);
  }
  for (std::size_t n = 0; n < figures.nodes.size(); ++n) {
    for (const network::GivenUp& one : figures.nodes[n].given_up) AddGivenUp(one, static_cast<int>(n), network, end, &lines);
    for (const network::LaneChange& one : figures.nodes[n].lane_changes)
      AddLaneChange(one, static_cast<int>(n), network, end, &lines);
  }
  std::vector<FaultLine> drawn = DrawnLines(network, figures);
  const std::size_t kept = std::min(most, drawn.size());
  const std::int64_t more = CountDrawn(figures.statistics.retry) - static_cast<std::int64_t>(kept);
  lines.insert(lines.end(), drawn.begin(), drawn.begin() + static_cast<std::ptrdiff_t>(kept));
  std::stable_sort(lines.begin(), lines.end(), [](const FaultLine& a, const FaultLine& b) { return a.cycle < b.cycle; });
  if (more > 0) lines.push_back({end, "", "", "more errors", std::to_string(more), "drawn"});
  return lines;
}

std::string FaultsCsv(const std::vector<FaultLine>& lines) {
  std::string csv = "cycle,link,direction,what,value,cause\n";
  for (const FaultLine& line : lines)
    csv += fmt::format("{},{},{},{},{},{}\n", line.cycle, line.link, line.direction, line.what, line.value, line.cause);
  return csv;
}

nlohmann::json FaultsReport(const std::vector<FaultLine>& lines) {
  nlohmann::json shown = nlohmann::json::array();
  for (std::size_t i = 0; i < std::min(kMostShown, lines.size()); ++i) {
    const FaultLine& line = lines[i];
    shown.push_back({{"cycle", line.cycle}, {"link", line.link}, {"direction", line.direction}, {"what", line.what},
                     {"value", line.value}, {"cause", line.cause}});
  }
  return {{"shown", shown}, {"lines", lines.size()}};
}

namespace {

/// Sums over all directions of links that repeat.
network::DirectionCounts SumOfDirections(const network::Figures& figures) {
  network::DirectionCounts sum;
  for (const network::NodeFigures& node : figures.nodes) {
    for (const std::vector<network::DirectionCounts>* all : {&node.sent, &node.sent_by_nics}) {
      for (const network::DirectionCounts& one : *all) {
        sum.down_cycles += one.down_cycles;
        sum.degraded_cycles += one.degraded_cycles;
      }
    }
  }
  return sum;
}

}  // namespace

nlohmann::ordered_json LinkRetryJson(const network::Network& network, const network::Figures& figures) {
  using Json = nlohmann::ordered_json;
  if (!network.options().retry) return nullptr;
  const network::RetryCounts& counts = figures.statistics.retry;
  const network::DirectionCounts directions = SumOfDirections(figures);
  return Json{{"attempts", counts.attempts},
              {"sent_words", counts.sent_words},
              {"resent_words", counts.resent_words},
              {"accepted_words", counts.accepted_words},
              {"replays", counts.replays},
              {"timeouts", counts.timeouts},
              {"nacks", counts.nacks},
              {"healed_cells", counts.healed_cells},
              {"broken_copies", counts.broken_copies},
              {"bad_words", counts.bad_words},
              {"dropped_words", counts.dropped_words},
              {"repeated_words", counts.repeated_words},
              {"noisy_words", counts.noisy_words},
              {"bad_slots", counts.bad_slots},
              {"dropped_slots", counts.dropped_slots},
              {"repeated_slots", counts.repeated_slots},
              {"lanes_failed", counts.lanes_failed},
              {"lanes_back", counts.lanes_back},
              {"links_given_up", counts.given_up},
              {"down_cycles", directions.down_cycles},
              {"degraded_cycles", directions.degraded_cycles},
              {"efficiency", counts.sent_words > 0 ? Json(static_cast<double>(counts.accepted_words) /
                                                          static_cast<double>(counts.sent_words))
                                                   : Json(nullptr)}};
}

std::vector<std::string> LateEvents(const network::Network& network) {
  std::vector<std::string> warnings;
  if (network.options().fault_plan == nullptr) return warnings;
  const Cycle end = EndOf(network);
  for (const faults::PlannedEvent& event : network.options().fault_plan->events) {
    if (event.at > end)
      warnings.push_back(fmt::format("warning: {}: the event of cycle {} has no effect: the run ended in cycle {}",
                                     event.origin, event.at, end));
  }
  return warnings;
}

}  // namespace tilefly::runs
