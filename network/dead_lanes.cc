// SPDX-License-Identifier: Apache-2.0
#include "network/dead_lanes.h"

#include <algorithm>
#include <map>

namespace tilefly::network {

DeadLanes::DeadLanes(const std::vector<DeadLane>& dead, Cycle begin, int cable) : begin_(begin) {
  uses_.push_back({0, (1u << cable) - 1});
  std::map<Cycle, unsigned> at;  // all cycles in which something changes
  at[0] = 0;
  for (const DeadLane& one : dead) {
    at[begin + one.from] = 0;
    if (one.till != kNever) at[begin + one.till] = 0;
  }
  for (auto& [cycle, lanes] : at) {
    for (const DeadLane& one : dead) {
      if (cycle >= begin + one.from && (one.till == kNever || cycle < begin + one.till)) lanes |= 1u << one.lane;
    }
    dead_.push_back({cycle, lanes});
  }
}

unsigned DeadLanes::DeadIn(Cycle cycle) const {
  unsigned lanes = 0;
  for (const Lanes& one : dead_) {
    if (one.from > cycle) break;
    lanes = one.lanes;
  }
  return lanes;
}

unsigned DeadLanes::UsedIn(Cycle cycle) const {
  for (const Packet& packet : packets_) {
    if (packet.first <= cycle && cycle <= packet.last) return packet.lanes;
  }
  unsigned lanes = 0;
  for (const Lanes& one : uses_) {
    if (one.from > cycle) break;
    lanes = one.lanes;
  }
  return lanes;
}

unsigned DeadLanes::Errors(Cycle cycle) const {
  const unsigned dead = DeadIn(cycle);
  return (cycle - begin_) % kLook == 0 ? dead : dead & UsedIn(cycle);
}

/// The first cycle behind `cycle` in which other lanes are dead, or in use.
Cycle DeadLanes::NextChange(Cycle cycle) const {
  Cycle next = kNever;
  const auto see = [&](Cycle at) {
    if (at > cycle) next = std::min(next, at);
  };
  for (const Lanes& one : dead_) see(one.from);
  for (const Lanes& one : uses_) see(one.from);
  for (const Packet& packet : packets_) {
    see(packet.first);
    see(packet.last + 1);
  }
  return next;
}

Cycle DeadLanes::NextError(Cycle from, unsigned lanes) const {
  if (lanes == 0) return kNever;
  for (Cycle cycle = std::max(from, begin_); cycle != kNever; cycle = NextChange(cycle)) {
    const unsigned dead = DeadIn(cycle) & lanes;
    if (dead == 0) continue;
    if ((dead & UsedIn(cycle)) != 0) return cycle;
    const Cycle look = cycle + (kLook - (cycle - begin_) % kLook) % kLook;
    if (look < NextChange(cycle)) return look;
  }
  return kNever;
}

void DeadLanes::Forget(Cycle cycle) {
  while (dead_.size() > 1 && dead_[1].from <= cycle) dead_.pop_front();
  while (uses_.size() > 1 && uses_[1].from <= cycle) uses_.pop_front();
  while (!packets_.empty() && packets_.front().last < cycle) packets_.pop_front();
}

}  // namespace tilefly::network
