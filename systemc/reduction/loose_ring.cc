// SPDX-License-Identifier: Apache-2.0
#include "systemc/reduction/loose_ring.h"

#include <algorithm>

#include "golden/common/stage_times.h"
#include "systemc/reduction/combiner_ring.h"

namespace tilefly::systemc {

Cycle& LooseRing::CameOf(int port, bool streams, int slot_or_group, int number) {
  const int entry = streams ? slot_or_group * kMostStored + number % core_.context.profile.red_store
                            : golden::kRedSlots * kMostStored + slot_or_group * golden::kRedEngines + number;
  return came_[static_cast<std::size_t>(port)][static_cast<std::size_t>(entry)];
}

void LooseRing::Receive(int port, fabric::Packet* packet, Cycle end) {
  Advance(end);
  const bool has_header = packet->frame != nullptr && packet->frame->size() >= Red::kBytes;
  const Red header = has_header ? Red::UnpackBytes(packet->frame->data()) : Red();
  core_.ports[port].Begin(clock_, header.group);
  Report report;
  packet->drop = core_.ports[port].End(*packet, &report) ? Drop::kNone : Drop::kRed;
  if (report.ev == RedEv::kNone) return;
  if (report.ev == RedEv::kSegment) CameOf(port, true, report.slot, header.seq) = end + golden::kEndToLaunch;
  if (report.ev == RedEv::kShort) CameOf(port, false, report.group, report.engine) = end + golden::kEndToLaunch;
  GroupControl::Events events;
  events.reports = {report};
  core_.Tell(clock_, core_.control.Commit(clock_, events));
  Advance(clock_);
  LaunchAll(end + golden::kEndToLaunch);
}

/// The state's clock goes on to `cycle`, if that is later, with what time alone does until then.
void LooseRing::Advance(Cycle cycle) {
  clock_ = std::max(clock_, cycle);
  core_.state.live = core_.context.registers.enabled();
  while (core_.control.unsettled()) core_.Tell(clock_, core_.control.Commit(clock_, {}));
  for (Cycle due = core_.control.Due(0); due <= clock_; due = core_.control.Due(0)) {
    core_.Tell(due, core_.control.Commit(due, {}));
    while (core_.control.unsettled()) core_.Tell(due, core_.control.Commit(due, {}));
    if (core_.control.Due(0) == due) break;
  }
}

/// When a launch that is there begins: its parts have come, and its lanes are free.
Cycle LooseRing::StartOf(const Launch& launch, Cycle trigger) {
  Cycle start = trigger;
  golden::ForEachBit(launch.parts, [&](int p) {
    start = std::max(start, launch.streams() ? CameOf(p, true, launch.slot, launch.segment)
                                             : CameOf(p, false, launch.group, launch.engine));
  });
  const TreeState::Slot& slot = core_.state.slots[launch.slot];
  if (launch.streams() && !launch.down() && !slot.in_operation) start = std::max(start, slot.last_launch + 1);
  const Cycle past = fabric::CycleAt(sc_core::sc_time_stamp());
  const Cycle busy = launch.streams() ? core_.context.profile.red_stream : core_.context.profile.red_short;
  LaneLedger& returns = lanes_[2 + static_cast<std::size_t>(launch.lane)];
  LaneLedger& collect = launch.is_notice() ? returns : lanes_[launch.down()];
  LaneLedger::Turn turn{start, start + busy, launch.candidate, launch.streams()};
  do {  // until both are free
    start = turn.start;
    turn = turn.From(collect.Free(turn));
    turn = turn.From(returns.Free(turn));
  } while (turn.start != start);
  returns.Book(past, turn);
  if (&collect != &returns) collect.Book(past, turn);
  return start;
}

/// All launches that may be, at `trigger` at the earliest.
void LooseRing::LaunchAll(Cycle trigger) {
  while (std::optional<Launch> launch = core_.launches.Decide(clock_)) {
    launch->at = StartOf(*launch, trigger);
    const std::vector<Leaving> leaving = Make(*launch);
    Advance(clock_);
    // Last, for the calls may come back with answers.
    for (const Leaving& packet : leaving) Deliver(packet);
  }
}

/// The launch with all that it does until its packets are complete.
std::vector<LooseRing::Leaving> LooseRing::Make(const Launch& launch) {
  std::vector<Leaving> leaving;
  const Collection collected = core_.Collect(launch);
  GroupControl::Events begins;
  begins.launch = &launch;
  core_.Tell(launch.at, core_.control.Commit(clock_, begins));
  for (int p = 0; launch.streams() && p < core_.context.profile.ports; ++p) {
    core_.ports[p].Launched(launch.slot, launch.down());
    const bool due = (core_.ports[p].credits_due() >> launch.slot & 1) != 0;
    if (due) leaving.push_back({launch.at + golden::kLaunchToCreditGrant, core_.MakeCredit(p, launch.slot)});
  }
  const Cycle landed = launch.at + core_.context.profile.red_delay;
  GroupControl::Landing landing{&launch, &collected.word};
  GroupControl::Events lands;
  lands.landing = &landing;
  core_.Tell(landed, core_.control.Commit(std::max(clock_, landed), lands));
  core_.control.AddRoom(launch,
                        launch.streams() ? core_.context.profile.red_cells : core_.context.profile.red_short_cells);
  const FramePointer frame =
      launch.to == 0 ? nullptr : ResultFrame(core_.context.profile, launch, collected, landing.code, landing.tag);
  if (frame == nullptr) return leaving;
  golden::ForEachBit(launch.to, [&](int p) {
    Crossing* const crossing = core_.MakeResult(p, static_cast<int>(launch.lane), launch.group, frame);
    const Cycle complete = landed + p / 2 + crossing->packet->words() - 1;
    leaving.push_back({complete + golden::kCompleteToGrant, crossing});
  });
  return leaving;
}

/// A packet of row R, granted in its cycle if the channel is free, leaves at once.
void LooseRing::Deliver(const Leaving& leaving) {
  Crossing* const crossing = leaving.crossing;
  // Calls are not before now: what a register write lets go may be late.
  const Cycle cell = std::max(leaving.granted + golden::kGrantToCell, fabric::CycleAt(sc_core::sc_time_stamp()));
  sc_core::sc_time delay = fabric::UntilCycle(cell);
  results_[static_cast<std::size_t>(crossing->output)]->b_transport(*crossing, delay);
  crossing->packet->release();
  core_.context.crossings.Release(crossing);
}

}  // namespace tilefly::systemc
