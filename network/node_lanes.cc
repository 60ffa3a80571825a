// SPDX-License-Identifier: Apache-2.0
// SerDes lanes of the links of a switch that a fault plan takes down (docs/network.md, Links with faults).
#include <algorithm>

#include "network/repeating_node.h"

namespace tilefly::network {

/// Of the port, as a receiver and as a sender.
void RepeatingNode::BeginLanes(int port, const PlannedFaults& faults, Cycle begin) {
  const golden::PortRegisters& registers = RegistersOf(port);
  const FarEnd& to = far(port);
  RepeatingPorts::Port& repeats = (*repeats_)[port];
  const DirectionPlan& in = faults.Into(index_, port);
  if (in.damages_lanes()) repeats_->JudgeLanes(port, in, begin, registers.serdes_lanes(), registers.lanes);
  const DirectionPlan& out = to.node >= 0 ? faults.Into(to.node, to.port) : faults.IntoNic(index_, port);
  if (out.damages_lanes()) repeats.sender.ChooseLanes();
  repeats.lanes = {repeats.sender.lanes(), repeats.sender.used_lanes()};
}

void RepeatingNode::TellLanes(int port, bool of_nic, Cycle from) {
  const RetrySender& sender = of_nic ? NicEnd(port).sender() : (*repeats_)[port].sender;
  TellLanesInUse(port, of_nic, from, {sender.lanes(), sender.used_lanes()});
}

/// Where they are others than before: the far end's wire, and the time line, know it.
void RepeatingNode::TellLanesInUse(int port, bool of_nic, Cycle from, const RepeatingPorts::LanesInUse& now) {
  RepeatingPorts::Port& repeats = (*repeats_)[port];
  RepeatingPorts::LanesInUse& known = of_nic ? repeats.nic_lanes : repeats.lanes;
  if (now.count != known.count)
    lane_changes_.push_back({from, static_cast<std::uint8_t>(port), of_nic, static_cast<std::uint8_t>(now.count)});
  known.count = now.count;
  if (now.used == known.used) return;
  known.used = now.used;
  const FarEnd& to = far(port);
  const LinkUse use{from + to.delay, static_cast<std::uint8_t>(known.used)};
  if (of_nic) return repeats.dead->Use(use.wire, use.used);
  if (to.node < 0) return repeats.nic->TakeUse(use);
  SendTo(to, LinkKind::kUse).use = use;
}

DirectionCounts RepeatingNode::SentBy(int port, bool nic, Cycle begin, Cycle end) const {
  if (!Repeats(port) || (nic && !RepeatsToNic(port))) return {};
  const RetrySender& sender = nic ? NicEnd(port).sender() : (*repeats_)[port].sender;
  DirectionCounts counts{sender.resent_words(), sender.replays(), (*repeats_)[port].downs->CyclesDown(begin, end), 0};
  const int cable = RegistersOf(port).serdes_lanes();
  LaneChange now{begin, static_cast<std::uint8_t>(port), nic, static_cast<std::uint8_t>(cable)};
  const auto count_to = [&](Cycle to) {
    if (now.lanes < cable) counts.degraded_cycles += std::max<Cycle>(0, std::min(to, end) - now.from);
  };
  for (const LaneChange& change : lane_changes_) {
    if (change.port != port || change.nic != nic) continue;
    count_to(change.from);
    now = change;
  }
  count_to(end);
  return counts;
}

}  // namespace tilefly::network
