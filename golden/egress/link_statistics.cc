// SPDX-License-Identifier: Apache-2.0
#include "golden/egress/link_statistics.h"

#include <algorithm>

#include "golden/common/stage_times.h"

namespace tilefly::golden {

/// The cycles of [from, to) that count.
void LinkStatistics::Add(Port* port, LinkState state, Cycle from, Cycle to) const {
  from = std::max(from, from_);
  to = std::min(to, to_);
  if (from < to) port->times[static_cast<std::size_t>(state)] += to - from;
}

/// Up to `to` nothing but the link's end of sending has changed.
void LinkStatistics::Book(Port* port, Cycle to) const {
  Cycle from = port->since;
  if (to <= from) return;
  port->since = to;
  const Cycle idle = std::min(std::max(from, port->busy_until), to);
  Add(port, port->discards ? LinkState::kRetry : LinkState::kBusy, from, idle);
  from = idle;
  if (port->holds) port->held_cycles += to - from;
  if (port->holds || port->repeats) return Add(port, LinkState::kRetry, from, to);
  if (port->granted.empty()) {
    Add(port, port->reason, from, to);
    return;
  }
  const Cycle late = std::min(std::max(from, port->granted.front() + kGrantToCell + 1), to);
  Add(port, LinkState::kCrossing, from, late);
  Add(port, LinkState::kArbitration, late, to);
}

/// A packet counts as on its way in the cycle in which its first cell arrives, too.
void LinkStatistics::Close(Port* port, Cycle to) const {
  if (port->landed != 0 && to > port->landed_at) {
    Book(port, port->landed_at + 1);
    port->granted.erase(port->granted.begin(), port->granted.begin() + port->landed);
    port->landed = 0;
  }
  Book(port, to);
}

void LinkStatistics::Turn(Port* port, Cycle now, LinkState reason, unsigned blocked) const {
  Close(port, now);
  const Cycle spent = now - port->judged_at;
  if (port->reason == LinkState::kNoRoom) port->full_cycles += spent;
  ForEachBit(port->blocked, [&](int lane) { port->blocked_cycles[lane] += spent; });
  port->judged_at = now;
  port->reason = reason;
  port->blocked = blocked;
}

}  // namespace tilefly::golden
