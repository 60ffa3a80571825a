// SPDX-License-Identifier: Apache-2.0
#include "runs/system/fault_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "runs/common/fault_effects.h"
#include "runs/system/down_links.h"
#include "runs/system/manager_results.h"

namespace tilefly::runs {
namespace {

using faults::EventKind;

constexpr std::size_t kMostShown = 100;  ///< lines in the report

Cycle EndOf(const network::Network& network) { return network.cycle() - network.nics().begin; }

const char* NameOf(faults::Direction direction, const LinkNames::End& end) {
  if (direction == faults::Direction::kBoth) return "both";
  return direction == faults::Direction::kOut ? end.out() : end.in();
}

/// Links that go down and come up, at both ends in one cycle.
void AddDowns(const std::vector<LinkDown>& downs, Cycle end, std::vector<FaultLine>* lines) {
  for (const LinkDown& down : downs) {
    const std::string cycles = down.till == kNever ? "ever" : std::to_string(down.till - down.from);
    lines->push_back({down.from, down.link, "both", "link_down", cycles, down.cause});
    const std::string put_off = down.asked == kNever ? "" : fmt::format("put off from {}", down.asked);
    if (down.till <= end) lines->push_back({down.till, down.link, "both", "link_up", put_off, down.chose_till});
  }
}

std::string ValueOf(const faults::PlannedEvent& event) {
  switch (event.kind) {
    case EventKind::kDown:
      return event.cycles ? std::to_string(*event.cycles) : "ever";
    case EventKind::kUp:
      return "";
    case EventKind::kStuck:
      return event.credits_alone ? "credits" : "all";
    case EventKind::kBer:
      return fmt::format("{}", event.value);
    case EventKind::kLaneDown:
    case EventKind::kLaneUp:
      return std::to_string(event.lane);
    default:
      return std::to_string(event.count);
  }
}

/// The SerDes lanes that a port or a NIC sends on.
void AddLaneChange(const network::LaneChange& one, int node, const network::Network& network, const LinkNames& names, Cycle end,
                   std::vector<FaultLine>* lines) {
  const LinkNames::End sends = names.Of(node, one.port, one.nic);
  const Cycle cycle = one.from - network.nics().begin;
  if (cycle <= end) lines->push_back({cycle, sends.link, sends.out(), "lanes", std::to_string(one.lanes), "lanes"});
}

void AddEvents(const faults::Plan& plan, const LinkNames& names, Cycle end, std::vector<FaultLine>* lines) {
  for (const faults::PlannedEvent& event : plan.events) {
    if (event.at > end) continue;
    if (event.kind == EventKind::kTable) {
      lines->push_back({event.at, fmt::format("s{}", event.write.node), "", "table",
                        fmt::format("{} {} = 0x{:x}", ToString(event.write.space), event.write.index, event.write.value), "plan"});
      continue;
    }
    const LinkNames::End named = names.Of(event.link);
    const char* const direction = NameOf(event.direction, named);
    lines->push_back({event.at, named.link, direction, faults::NameOf(event.kind), ValueOf(event), "plan"});
    if (event.kind == EventKind::kStuck && event.cycles && event.at + *event.cycles <= end)
      lines->push_back({event.at + *event.cycles, named.link, direction, "stuck ends", "", "plan"});
  }
}

/// SerDes lanes that work again because the time of their event is over.
void AddLanesUp(const faults::Plan& plan, const LinkNames& names, Cycle end, std::vector<FaultLine>* lines) {
  for (std::size_t i = 0; i < plan.events.size(); ++i) {
    const faults::PlannedEvent& event = plan.events[i];
    if (event.kind != EventKind::kLaneDown || !event.cycles || event.at + *event.cycles > end) continue;
    const auto is_earlier_end = [&](const faults::PlannedEvent& other) {
      return other.kind == EventKind::kLaneUp && other.link == event.link && other.lane == event.lane &&
             other.at >= event.at && other.at <= event.at + *event.cycles;
    };
    if (std::any_of(plan.events.begin() + static_cast<std::ptrdiff_t>(i), plan.events.end(), is_earlier_end)) continue;
    const LinkNames::End named = names.Of(event.link);
    lines->push_back({event.at + *event.cycles, named.link, NameOf(event.direction, named), "lane_up", ValueOf(event), "plan"});
  }
}

const char* NameOf(network::Damage what) {
  using network::Damage;
  switch (what) {
    case Damage::kBadWord:
      return "bad_word";
    case Damage::kDroppedWord:
      return "drop_word";
    case Damage::kRepeatedWord:
      return "repeat_word";
    case Damage::kNoise:
      return "noise_word";
    case Damage::kBadSlot:
      return "bad_slot";
    case Damage::kDroppedSlot:
      return "drop_slot";
    case Damage::kRepeatedSlot:
      return "repeat_slot";
    case Damage::kMutedSlot:
      break;
  }
  return "muted_slot";
}

/// Errors that happened, whether they have a line of their own or not.
std::int64_t CountDamage(const network::RetryCounts& counts) {
  return counts.bad_words + counts.dropped_words + counts.repeated_words + counts.noisy_words + counts.bad_slots +
         counts.dropped_slots + counts.repeated_slots - counts.words_of_lanes - counts.slots_of_lanes;
}

/// Damaged words and slots that came to an end of a link, those that the plan was to damage or the others. A receiver that is
/// stuck has lines of its own.
void AddDamage(const std::vector<network::DrawnError>& errors, const LinkNames::End& end, bool planned, std::vector<FaultLine>* lines) {
  for (const network::DrawnError& error : errors) {
    if (error.planned() == planned && error.what != network::Damage::kMutedSlot)
      lines->push_back({error.cycle, end.link, end.in(), NameOf(error.what), "", planned ? "plan" : "drawn", true});
  }
}

bool IsEarlier(const FaultLine& a, const FaultLine& b) { return a.cycle < b.cycle; }

std::vector<FaultLine> DamageLines(const network::Figures& figures, const LinkNames& names, bool planned) {
  std::vector<FaultLine> lines;
  for (std::size_t n = 0; n < figures.nodes.size(); ++n) {
    const network::NodeFigures& own = figures.nodes[n];
    for (std::size_t p = 0; p < own.drawn.size(); ++p) {
      const int node = static_cast<int>(n), port = static_cast<int>(p);
      AddDamage(own.drawn[p], names.Of(node, port), planned, &lines);
      AddDamage(own.drawn_at_nics[p], names.Of(node, port, true), planned, &lines);
    }
  }
  std::stable_sort(lines.begin(), lines.end(), IsEarlier);
  return lines;
}

}  // namespace

bool HasFaults(const network::Network& network) {
  return !network.options().faults.empty() || network.options().fault_plan != nullptr;
}

std::vector<FaultLine> FaultLines(const network::Network& network, const network::Figures& figures, std::size_t most) {
  const Cycle end = EndOf(network);
  const LinkNames names(network);
  std::vector<FaultLine> lines;
  if (network.options().fault_plan != nullptr) {
    AddEvents(*network.options().fault_plan, names, end, &lines);
    AddLanesUp(*network.options().fault_plan, names, end, &lines);
  }
  for (std::size_t n = 0; n < figures.nodes.size(); ++n) {
    const int node = static_cast<int>(n);
    for (const network::GivenUp& one : figures.nodes[n].given_up) {
      const LinkNames::End asks = names.Of(node, one.port, one.nic);
      const Cycle cycle = one.cycle - network.nics().begin;
      if (cycle <= end) lines.push_back({cycle, asks.link, asks.out(), "given_up", "", "port"});
    }
    for (const network::LaneChange& one : figures.nodes[n].lane_changes) AddLaneChange(one, node, network, names, end, &lines);
  }
  AddDowns(DownsOf(network, figures, names), end, &lines);
  for (FaultLine& line : ManagerLines(network, names)) lines.push_back(std::move(line));
  std::vector<FaultLine> last;
  const auto add = [&](bool planned, std::size_t at_most, std::int64_t happened) {
    std::vector<FaultLine> damage = DamageLines(figures, names, planned);
    damage.resize(std::min(at_most, damage.size()));
    lines.insert(lines.end(), damage.begin(), damage.end());
    const std::int64_t more = happened - static_cast<std::int64_t>(damage.size());
    if (more > 0) last.push_back({end, "", "", "more errors", std::to_string(more), planned ? "plan" : "drawn", true});
  };
  const network::RetryCounts& counts = figures.statistics.retry;
  add(true, network::DrawnError::kMost, counts.planned);
  add(false, most, CountDamage(counts) - counts.planned);
  std::stable_sort(lines.begin(), lines.end(), IsEarlier);
  lines.insert(lines.end(), last.begin(), last.end());
  return lines;
}

std::string FaultsCsv(const std::vector<FaultLine>& lines) {
  std::string csv = "cycle,link,direction,what,value,cause\n";
  for (const FaultLine& line : lines)
    csv += fmt::format("{},{},{},{},{},{}\n", line.cycle, line.link, line.direction, line.what, line.value, line.cause);
  return csv;
}

nlohmann::json FaultsReport(const std::vector<FaultLine>& lines) {
  std::vector<FaultLine> first;
  for (const bool damage : {false, true}) {
    for (const FaultLine& line : lines) {
      if (line.damage == damage && first.size() < kMostShown) first.push_back(line);
    }
  }
  std::stable_sort(first.begin(), first.end(), IsEarlier);
  nlohmann::json shown = nlohmann::json::array();
  for (const FaultLine& line : first) {
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
              {"planned", counts.planned},
              {"lanes_failed", counts.lanes_failed},
              {"lanes_back", counts.lanes_back},
              {"links_given_up", counts.given_up},
              {"down_cycles", directions.down_cycles},
              {"degraded_cycles", directions.degraded_cycles},
              {"efficiency", counts.sent_words > 0 ? Json(static_cast<double>(counts.accepted_words) /
                                                          static_cast<double>(counts.sent_words))
                                                   : Json(nullptr)}};
}

namespace {

/// Events that damage words or slots, or what a receiver says.
bool Damages(EventKind kind) {
  switch (kind) {
    case EventKind::kDropWord:
    case EventKind::kBadWord:
    case EventKind::kRepeatWord:
    case EventKind::kDropSlot:
    case EventKind::kBadSlot:
    case EventKind::kRepeatSlot:
    case EventKind::kStuck:
      return true;
    default:
      return false;
  }
}

/// The numbers of the events that damaged something.
std::set<int> EventsThatHit(const network::Figures& figures) {
  std::set<int> numbers;
  for (const network::NodeFigures& node : figures.nodes) {
    for (const auto* all : {&node.drawn, &node.drawn_at_nics}) {
      for (const std::vector<network::DrawnError>& errors : *all) {
        for (const network::DrawnError& error : errors) numbers.insert(error.event);
      }
    }
  }
  return numbers;
}

}  // namespace

std::vector<std::string> EventsWithoutEffect(const network::Network& network, const network::Figures& figures) {
  std::vector<std::string> warnings;
  if (network.options().fault_plan == nullptr) return warnings;
  const Cycle end = EndOf(network);
  const std::set<int> hit = EventsThatHit(figures);
  for (const faults::PlannedEvent& event : network.options().fault_plan->events) {
    if (event.at > end) {
      warnings.push_back(fmt::format("warning: {}: the event of cycle {} has no effect: the run ended in cycle {}",
                                     event.origin, event.at, end));
    } else if (Damages(event.kind) && hit.count(event.number) == 0) {
      const char* const shared = event.kind == EventKind::kStuck ? "" : " (or another error acted on what it would have hit)";
      warnings.push_back(WithoutEffect(event, WhyIdle(event.kind) + shared));
    }
  }
  return FirstOf(std::move(warnings));
}

}  // namespace tilefly::runs
