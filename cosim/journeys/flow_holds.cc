// SPDX-License-Identifier: Apache-2.0
#include "cosim/journeys/flow_holds.h"

#include <algorithm>

#include "golden/common/stage_times.h"

namespace tilefly::cosim {

void FlowHolds::Sample(Cycle now, const Observation& observation) {
  now_ = now;
  for (std::size_t port = 0; port < inputs_.size(); ++port) {
    const Portobs& obs = observation.ports[port];
    Input& input = inputs_[port];
    if (obs.hold_valid) {
      input.channels[obs.hold_channel].push_back(input.forgotten + input.held.size());
      input.held.push_back({now - 1, kNever});
    }
    if (!obs.go_valid) continue;
    const auto channel = input.channels.find(obs.go_channel);
    if (channel == input.channels.end()) continue;  // a device that releases what it does not hold is found elsewhere
    input.held[channel->second.front() - input.forgotten].till = now - 1;
    channel->second.pop_front();
    if (channel->second.empty()) input.channels.erase(channel);
  }
}

Cycle FlowHolds::Of(int input, Cycle trigger) const {
  const std::deque<Held>& held = inputs_[static_cast<std::size_t>(input)].held;
  const Cycle at = trigger + golden::kTriggerToFifo;
  const auto found = std::lower_bound(held.begin(), held.end(), at, [](const Held& one, Cycle cycle) { return one.at < cycle; });
  if (found == held.end() || found->at != at) return 0;
  return std::min(found->till, now_) - at;
}

void FlowHolds::Forget(int input, Cycle trigger) {
  Input& own = inputs_[static_cast<std::size_t>(input)];
  while (!own.held.empty() && own.held.front().till != kNever && own.held.front().at < trigger + golden::kTriggerToFifo) {
    own.held.pop_front();
    ++own.forgotten;
  }
}

}  // namespace tilefly::cosim
