// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/attempts_in.h"

#include <utility>

#include "cosim/system/packet_frame.h"

namespace tilefly::cosim {

AttemptsIn::AttemptsIn(const network::DirectionPlan& plan, Cycle begin)
    : plan_(plan), begin_(begin), faults_(plan.rates, plan.seed, plan.direction) {}

/// The word of the cycle, with its tag. A sender whose link is down puts no word on it.
Link AttemptsIn::Sent(Cycle now) {
  Link link;
  if (BeginsIn(now) != nullptr) {
    attempt_ = attempts_.front();
    attempts_.Pop();
    words_ = std::exchange(next_, {});
    index_ = 0;
  }
  if (words_.frame == nullptr || now != attempt_.wire + WordOffset(index_, attempt_.lanes)) return link;
  if (words_.red != nullptr && !words_.packet.data.empty()) {
    const DataPart part = DataIn(index_, words_.packet.header);
    PutData(index_, part, words_.packet.data.data() + part.offset, words_.red.get());
  }
  if (downs_->IsUp(now - way_)) {
    link.word = MakeWord(*words_.frame, index_);
    link.tag.pace = static_cast<std::uint8_t>(attempt_.lanes - 1);
    link.tag.seq = attempt_.seq;
    link.tag.index = static_cast<std::uint8_t>(index_);
  }
  if (++index_ == words_.frame->words()) words_ = {};
  return link;
}

/// What the plan begins and ends in this cycle.
void AttemptsIn::BeginEvents(Cycle now) {
  const auto begin = [&](const std::vector<faults::PlannedEvent>& events, std::size_t* next) {
    for (; *next < events.size() && begin_ + events[*next].at <= now; ++*next) {
      const faults::PlannedEvent& event = events[*next];
      faults_.Begin(event);
      if (event.kind == faults::EventKind::kStuck) unstick_ = event.cycles ? now + *event.cycles : kNever;
    }
  };
  if (now >= unstick_) {
    faults_.Unstick();
    unstick_ = kNever;
  }
  begin(plan_.events, &next_word_event_);
  begin(plan_.slot_events, &next_slot_event_);
  for (const network::DeadLane& dead : plan_.dead_lanes) {
    if (dead.till != kNever && begin_ + dead.till == now) faults_.LaneUp(dead.lane);
  }
  for (const network::DeadLane& dead : plan_.dead_lanes) {
    if (begin_ + dead.from != now) continue;
    faults::PlannedEvent down;
    down.kind = faults::EventKind::kLaneDown;
    down.lane = dead.lane;
    faults_.Begin(down);
  }
}

Link AttemptsIn::Drive(Cycle now, const Ctrl& slot, unsigned lanes) {
  Link link = Sent(now);
  link.ctrl = slot;
  if (now < begin_) return link;
  BeginEvents(now);
  return faults_.Pass(link, lanes);
}

/// Docs/blocks/link_retry.md, Credits: receiver, rule 3.
int AttemptsIn::Stamp(int vl, std::uint16_t cells) {
  constexpr std::uint16_t kOldStamp = 1023;
  std::uint16_t& taken = taken_[static_cast<std::size_t>(vl)];
  const auto behind = static_cast<std::uint16_t>(taken - cells);
  if (behind >= 1 && behind <= kOldStamp) return 0;
  return static_cast<std::uint16_t>(cells - std::exchange(taken, cells));
}

}  // namespace tilefly::cosim
