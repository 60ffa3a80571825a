// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/link_faults.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilefly::cosim {
namespace {

constexpr std::uint32_t kNumberOfIn = 64;  ///< the direction into port P has the number 64 + P, the one out of it P

const char* NameOf(LinkFaults::Way way) { return way == LinkFaults::kOut ? "out" : "in"; }

bool Covers(faults::Direction direction, LinkFaults::Way way) {
  return direction == faults::Direction::kBoth || (direction == faults::Direction::kOut) == (way == LinkFaults::kOut);
}

/// Whether directions of links do it; else links do, or switches.
bool IsOfDirections(faults::EventKind kind) {
  return kind != faults::EventKind::kDown && kind != faults::EventKind::kUp && kind != faults::EventKind::kTable;
}

const faults::Rates& RatesOf(const faults::Plan& plan, int port, LinkFaults::Way way) {
  for (const faults::PlannedLink& link : plan.links) {
    if (link.link.port == port && Covers(link.direction, way)) return link.rates;
  }
  return plan.channel;
}

std::string ValueOf(const faults::PlannedEvent& event) {
  switch (event.kind) {
    case faults::EventKind::kBer:
      return fmt::format("{:g}", event.value);
    case faults::EventKind::kStuck:
      return event.credits_alone ? "credits" : "all";
    case faults::EventKind::kLaneDown:
    case faults::EventKind::kLaneUp:
      return std::to_string(event.lane);
    default:
      return std::to_string(event.count);
  }
}

}  // namespace

LinkFaults::LinkFaults(const LinkFaultSetup& setup, int port, Cycle begin) : port_(port), begin_(begin), log_(setup.log) {
  const std::uint64_t seed = setup.plan.seed.value_or(setup.seed);
  for (const Way way : {kOut, kIn}) {
    const std::uint32_t number = static_cast<std::uint32_t>(port) + (way == kIn ? kNumberOfIn : 0);
    ways_.emplace_back(RatesOf(setup.plan, port, way), seed, number);
    for (const faults::PlannedEvent& event : setup.plan.events) {
      // What a stuck receiver does not say is missing in the other direction.
      const Way of = event.kind == faults::EventKind::kStuck ? (way == kOut ? kIn : kOut) : way;
      if (IsOfDirections(event.kind) && event.link.port == port && Covers(event.direction, of)) ways_.back().events.push_back(event);
    }
  }
}

faults::FaultCounts LinkFaults::Sum(const faults::FaultCounts& a, const faults::FaultCounts& b) {
  return {a.dropped + b.dropped, a.bad + b.bad, a.repeated + b.repeated, a.noisy + b.noisy};
}

faults::FaultCounts LinkFaults::words() const {
  faults::FaultCounts sum = Sum(ways_[kOut].faults.words(), ways_[kIn].faults.words());
  for (const Direction& way : ways_) sum.bad += way.faults.words_of_lanes();
  return sum;
}

faults::FaultCounts LinkFaults::slots() const {
  faults::FaultCounts sum = Sum(ways_[kOut].faults.slots(), ways_[kIn].faults.slots());
  for (const Direction& way : ways_) sum.bad += way.faults.slots_of_lanes();
  return sum;
}

/// The events of the plan that end in this cycle, `at` since the begin of traffic.
void LinkFaults::EndEvents(Way way, Cycle at) {
  Direction& direction = ways_[way];
  const auto tell = [&](Way named, const char* what, const std::string& value) {
    if (log_ != nullptr && !plain_) log_->Planned({at, port_, NameOf(named), what, value, "plan"});
  };
  if (at >= direction.unstick) {
    direction.faults.Unstick();
    direction.stuck = false;
    direction.unstick = kNever;
    tell(way == kOut ? kIn : kOut, "stuck ends", "");
  }
  for (int lane = 0; lane < faults::kSerdesLanes; ++lane) {
    Cycle& up = direction.lane_up[static_cast<std::size_t>(lane)];
    if (at < up) continue;
    direction.faults.LaneUp(lane);
    up = kNever;
    tell(way, NameOf(faults::EventKind::kLaneUp), std::to_string(lane));
  }
}

void LinkFaults::BeginEvent(Way way, Cycle at, const faults::PlannedEvent& event) {
  Direction& direction = ways_[way];
  direction.faults.Begin(event);
  direction.words.drops += event.kind == faults::EventKind::kDropWord ? event.count : 0;
  direction.words.bad += event.kind == faults::EventKind::kBadWord ? event.count : 0;
  direction.words.repeats += event.kind == faults::EventKind::kRepeatWord ? event.count : 0;
  direction.slots.drops += event.kind == faults::EventKind::kDropSlot ? event.count : 0;
  direction.slots.bad += event.kind == faults::EventKind::kBadSlot ? event.count : 0;
  direction.slots.repeats += event.kind == faults::EventKind::kRepeatSlot ? event.count : 0;
  const Cycle end = event.cycles ? at + *event.cycles : kNever;
  if (event.kind == faults::EventKind::kStuck) {
    direction.stuck = true;
    direction.unstick = end;
  } else if (event.kind == faults::EventKind::kLaneDown) {
    direction.lane_up[static_cast<std::size_t>(event.lane)] = end;
  } else if (event.kind == faults::EventKind::kLaneUp) {
    direction.lane_up[static_cast<std::size_t>(event.lane)] = kNever;
  }
}

/// The events of the plan that begin in this cycle, `at` since the begin of traffic.
void LinkFaults::Begin(Way way, Cycle at) {
  Direction& direction = ways_[way];
  EndEvents(way, at);
  for (; direction.next < direction.events.size() && direction.events[direction.next].at <= at; ++direction.next) {
    const faults::PlannedEvent& event = direction.events[direction.next];
    const bool is_stuck = event.kind == faults::EventKind::kStuck;
    const Way named = is_stuck ? (way == kOut ? kIn : kOut) : way;
    BeginEvent(way, at, event);
    without_effect_ += plain_;
    const std::string value = plain_ ? "no effect: the link goes on without retry" : ValueOf(event);
    if (log_ != nullptr) log_->Planned({at, port_, NameOf(named), faults::NameOf(event.kind), value, "plan"});
  }
}

/// Lines of the errors that the draws made. What an event of the plan does stands in its own line.
void LinkFaults::Tell(Way way, Cycle at, const char* what, const faults::FaultCounts& before, const faults::FaultCounts& after,
                      bool idle, Owed* owed) {
  const auto take = [](std::int64_t* left, bool when) {
    if (!when || *left == 0) return false;
    --*left;
    return true;
  };
  const bool dropped = take(&owed->drops, !idle), spoilt = take(&owed->bad, !idle), repeated = take(&owed->repeats, true);
  const auto tell = [&](bool happened, bool planned, const char* verb) {
    if (happened && !planned) log_->Drawn({at, port_, NameOf(way), fmt::format("{}_{}", verb, what), "", "drawn"});
  };
  tell(after.dropped != before.dropped, dropped, "drop");
  tell(after.bad != before.bad, spoilt, "bad");
  tell(after.repeated != before.repeated, repeated, "repeat");
  tell(after.noisy != before.noisy, false, "noise");
}

Link LinkFaults::Pass(Way way, Cycle now, const Link& link, unsigned lanes) {
  if (now < begin_ || ended_) return link;
  const Cycle at = now - begin_;
  Direction& direction = ways_[way];
  Begin(way, at);
  const faults::FaultCounts words = direction.faults.words(), slots = direction.faults.slots();
  if (plain_) return link;
  const Link out = direction.faults.Pass(link, lanes);
  if (log_ == nullptr) return out;
  Tell(way, at, "word", words, direction.faults.words(), !link.word.valid, &direction.words);
  Tell(way, at, "slot", slots, direction.faults.slots(), link.ctrl == Ctrl{}, &direction.slots);
  return out;
}

}  // namespace tilefly::cosim
