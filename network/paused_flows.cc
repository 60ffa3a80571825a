// SPDX-License-Identifier: Apache-2.0
#include "network/paused_flows.h"

#include <algorithm>
#include <iterator>

namespace tilefly::network {
namespace {

constexpr Cycle kPeriodCycles = 64;  // of a pause's period

}  // namespace

void PausedFlows::Count(Cycle now) {
  if (to_come_.empty() || to_come_.front().wire >= now) return;
  ForgetEnded(now);
  for (; !to_come_.empty() && to_come_.front().wire < now; to_come_.Pop()) {
    const LinkPause& one = to_come_.front();
    const Key key = KeyOf(one.pause.tc, one.pause.destination);
    if (one.pause.period == 0) {
      const auto found = flows_.find(key);
      if (found == flows_.end()) continue;
      found->second.until = 0;
      if (found->second.aside.empty()) flows_.erase(found);
      continue;
    }
    Flow& flow = flows_[key];
    flow.until = one.wire + 1 + kPeriodCycles * one.pause.period;
    flow.credit = one.pause.credit;
  }
}

/// Flows of which nothing is left to know: so there are no more of them than pauses come in a pause's time.
void PausedFlows::ForgetEnded(Cycle now) {
  for (auto flow = flows_.begin(); flow != flows_.end();)
    flow = flow->second.until <= now && flow->second.aside.empty() ? flows_.erase(flow) : std::next(flow);
}

Cycle PausedFlows::NextEnd(Cycle now) const {
  Cycle next = kNever;
  for (const auto& [key, flow] : flows_) {
    if (!flow.MayStart(now)) next = std::min(next, flow.until);
  }
  return next;
}

void PausedFlows::Started(Key flow, Cycle now, int cells) {
  const auto found = flows_.find(flow);
  if (found != flows_.end() && found->second.until > now) found->second.credit -= cells;
}

void PausedFlows::PutAside(Key flow, int queue, const Traffic::NewPacket& packet) {
  Flow& own = flows_[flow];
  own.queue = queue;
  own.aside.push_back({next_++, packet});
  ++of_queue_[queue];
  ++aside_;
}

const Traffic::NewPacket* PausedFlows::First(int queue, Cycle now, Key* flow) const {
  if (!HasAsideOf(queue)) return nullptr;
  const Aside* first = nullptr;
  for (const auto& [key, one] : flows_) {
    if (one.aside.empty() || one.queue != queue || !one.MayStart(now)) continue;
    if (first != nullptr && first->number < one.aside.front().number) continue;
    first = &one.aside.front();
    *flow = key;
  }
  return first == nullptr ? nullptr : &first->packet;
}

void PausedFlows::Pop(Key flow) {
  Flow& own = flows_.at(flow);
  own.aside.pop_front();
  --of_queue_[own.queue];
  --aside_;
}

}  // namespace tilefly::network
