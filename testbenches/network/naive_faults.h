// SPDX-License-Identifier: Apache-2.0
// What a fault plan does to one direction of a link of a naive system, in every cycle of traffic.
#pragma once

#include <vector>

#include "faults/direction_faults.h"
#include "network/network.h"

namespace tilefly::network {

class NaiveFaults {
 public:
  NaiveFaults(const Network& network, const DirectionPlan& plan, std::uint32_t direction)
      : events_(plan.events),
        faults_(plan.rates, network.options().fault_plan->seed.value_or(network.options().seed), direction) {
    events_.insert(events_.end(), plan.slot_events.begin(), plan.slot_events.end());
    lanes_ = plan.dead_lanes;
  }

  /// What comes in cycle `at` of traffic in the place of `link`, which uses these SerDes lanes.
  Link Pass(Cycle at, const Link& link, unsigned used) {
    for (const DeadLane& dead : lanes_) {
      if (dead.till == at) faults_.LaneUp(dead.lane);
    }
    for (const DeadLane& dead : lanes_) {
      faults::PlannedEvent event;
      event.kind = faults::EventKind::kLaneDown;
      event.lane = dead.lane;
      if (dead.from == at && dead.till > at) faults_.Begin(event);
    }
    if (at == unstick_) faults_.Unstick();
    for (const faults::PlannedEvent& event : events_) {
      if (event.at != at) continue;
      faults_.Begin(event);
      if (event.kind == faults::EventKind::kStuck) unstick_ = event.cycles ? at + *event.cycles : kNever;
    }
    return faults_.Pass(link, used);
  }

 private:
  std::vector<faults::PlannedEvent> events_;
  faults::DirectionFaults faults_;
  std::vector<DeadLane> lanes_;
  Cycle unstick_ = kNever;
};

}  // namespace tilefly::network
