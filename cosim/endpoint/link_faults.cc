// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/link_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

/// The one that `way` is not.
LinkFaults::Way Other(LinkFaults::Way way) { return way == LinkFaults::kOut ? LinkFaults::kIn : LinkFaults::kOut; }

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
    for (std::size_t i = 0; i < setup.plan.events.size(); ++i) {
      const faults::PlannedEvent& event = setup.plan.events[i];
      // What a stuck receiver does not say is missing in the other direction.
      const Way of = event.kind == faults::EventKind::kStuck ? Other(way) : way;
      if (!IsOfDirections(event.kind) || event.link.port != port || !Covers(event.direction, of)) continue;
      ways_.back().events.push_back({event, i});
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

Effect LinkFaults::EffectOf(std::size_t number) const {
  Effect effect = Effect::kNotBegun;
  for (const Direction& way : ways_) {
    for (const Event& event : way.events) {
      if (event.number == number) effect = std::max(effect, event.effect);
    }
  }
  return effect;
}

void LinkFaults::Tell(Cycle at, Way named, const std::string& what, const std::string& value) {
  if (log_ != nullptr) log_->Planned({at, port_, NameOf(named), what, value, "plan"});
}

/// What is on ends with the retry; what is to come has no effect.
void LinkFaults::GoPlain(Cycle now) {
  if (plain_) return;
  plain_ = true;
  for (const Way way : {kOut, kIn}) {
    if (ways_[way].stuck && !ended_) Tell(now - begin_, Other(way), "stuck ends", "the link goes on without retry");
    for (Event& event : ways_[way].events) {
      if (event.effect == Effect::kIdle) event.effect = Effect::kPlain;
    }
  }
}

/// The events of the plan that end in this cycle, `at` since the begin of traffic.
void LinkFaults::EndEvents(Way way, Cycle at) {
  Direction& direction = ways_[way];
  if (at >= direction.unstick) {
    direction.faults.Unstick();
    direction.stuck = false;
    direction.unstick = kNever;
    if (!plain_) Tell(at, Other(way), "stuck ends", "");
  }
  for (int lane = 0; lane < faults::kSerdesLanes; ++lane) {
    Cycle& up = direction.lane_up[static_cast<std::size_t>(lane)];
    if (at < up) continue;
    direction.faults.LaneUp(lane);
    up = kNever;
    if (!plain_) Tell(at, way, NameOf(faults::EventKind::kLaneUp), std::to_string(lane));
  }
}

void LinkFaults::BeginEvent(Way way, Cycle at, std::size_t place) {
  Direction& direction = ways_[way];
  Event& event = direction.events[place];
  direction.faults.Begin(event.plan);
  const Cycle end = event.plan.cycles ? at + *event.plan.cycles : kNever;
  const auto owe = [&](std::deque<std::size_t>* owed) {
    owed->push_back(place);
    event.left = event.plan.count;
    return Effect::kIdle;
  };
  event.effect = [&] {
    switch (event.plan.kind) {
      case faults::EventKind::kDropWord:
        return owe(&direction.words.drops);
      case faults::EventKind::kBadWord:
        return owe(&direction.words.bad);
      case faults::EventKind::kRepeatWord:
        return owe(&direction.words.repeats);
      case faults::EventKind::kDropSlot:
        return owe(&direction.slots.drops);
      case faults::EventKind::kBadSlot:
        return owe(&direction.slots.bad);
      case faults::EventKind::kRepeatSlot:
        return owe(&direction.slots.repeats);
      case faults::EventKind::kBer:
        return std::exchange(direction.word_ber, event.plan.value) == event.plan.value ? Effect::kNoChange : Effect::kActed;
      case faults::EventKind::kStuck:
        direction.stuck = true;
        direction.stuck_by = place;
        direction.unstick = end;
        return Effect::kIdle;
      case faults::EventKind::kLaneDown:
        direction.lane_up[static_cast<std::size_t>(event.plan.lane)] = end;
        return Effect::kActed;
      default:  // kLaneUp
        direction.lane_up[static_cast<std::size_t>(event.plan.lane)] = kNever;
        return Effect::kActed;
    }
  }();
}

/// The events of the plan that begin in this cycle, `at` since the begin of traffic.
void LinkFaults::Begin(Way way, Cycle at) {
  Direction& direction = ways_[way];
  EndEvents(way, at);
  for (; direction.next < direction.events.size() && direction.events[direction.next].plan.at <= at; ++direction.next) {
    Event& event = direction.events[direction.next];
    const Way named = event.plan.kind == faults::EventKind::kStuck ? Other(way) : way;
    if (plain_) {
      event.effect = Effect::kPlain;
    } else {
      BeginEvent(way, at, direction.next);
    }
    Tell(at, named, faults::NameOf(event.plan.kind), plain_ ? "no effect: the link goes on without retry" : ValueOf(event.plan));
  }
}

/// The event whose turn it is; null: none is.
LinkFaults::Event* LinkFaults::Take(Way way, std::deque<std::size_t>* owed) {
  if (owed->empty()) return nullptr;
  Event* const event = &ways_[way].events[owed->front()];
  if (--event->left == 0) owed->pop_front();
  return event;
}

/// It was the event's turn. The time line has the first word, or slot, that it hits, and where it ends.
void LinkFaults::Note(Way way, Cycle at, Event* event, bool acts, bool other) {
  if (event == nullptr) return;
  event->hits += acts;
  if (acts || other) event->effect = std::max(event->effect, acts ? Effect::kActed : Effect::kShared);
  const std::string name = faults::NameOf(event->plan.kind);
  const bool first = acts && event->hits == 1;
  if (first) Tell(at, way, name + " hits", "");
  if (event->left == 0 && event->hits > 0 && event->plan.count > 1) Tell(at, way, name + " ends", std::to_string(event->hits));
}

/// What the plan's events and the draws did to a word, or to a slot; what the draws did has lines of their own.
void LinkFaults::Judge(Way way, Cycle at, const char* what, const Fate& fate, Owed* owed) {
  Event* const drops = fate.idle ? nullptr : Take(way, &owed->drops);
  Event* const spoils = fate.idle ? nullptr : Take(way, &owed->bad);
  Event* const repeats = Take(way, &owed->repeats);
  const bool dropped = fate.after.dropped != fate.before.dropped, bad = fate.after.bad != fate.before.bad;
  const bool noisy = fate.after.noisy != fate.before.noisy, repeated = fate.after.repeated != fate.before.repeated;
  Note(way, at, drops, dropped, false);
  Note(way, at, spoils, bad, dropped);
  Note(way, at, repeats, fate.replaced && !dropped && !bad && !noisy, dropped || bad || noisy);
  const auto tell = [&](bool drawn, const char* verb) {
    if (drawn && log_ != nullptr) log_->Drawn({at, port_, NameOf(way), fmt::format("{}_{}", verb, what), "", "drawn"});
  };
  tell(dropped && drops == nullptr, "drop");
  tell(bad && spoils == nullptr, "bad");
  tell(repeated && repeats == nullptr, "repeat");
  tell(noisy, "noise");
}

Link LinkFaults::Pass(Way way, Cycle now, const Link& link, unsigned lanes) {
  if (now < begin_ || ended_) return link;
  const Cycle at = now - begin_;
  Direction& direction = ways_[way];
  Begin(way, at);
  if (plain_) return link;
  Ctrl said = link.ctrl;
  if (direction.stuck) {
    Event& event = direction.events[direction.stuck_by];
    faults::Mute(event.plan.credits_alone, &said);
    if (!(said == link.ctrl)) event.effect = Effect::kActed;
  }
  Fate word{direction.faults.words(), {}, !link.word.valid}, slot{direction.faults.slots(), {}, said == Ctrl{}};
  const std::int64_t of_lanes = direction.faults.words_of_lanes() + direction.faults.slots_of_lanes();
  const Link out = direction.faults.Pass(link, lanes);
  const bool dead = direction.faults.words_of_lanes() + direction.faults.slots_of_lanes() != of_lanes;
  word.after = direction.faults.words();
  word.replaced = !dead && !(out.word == link.word && out.tag == link.tag);
  slot.after = direction.faults.slots();
  slot.replaced = !dead && !(out.ctrl == said);
  Judge(way, at, "word", word, &direction.words);
  Judge(way, at, "slot", slot, &direction.slots);
  return out;
}

}  // namespace tilefly::cosim
