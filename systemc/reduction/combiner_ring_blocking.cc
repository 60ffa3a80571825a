// SPDX-License-Identifier: Apache-2.0
// Loosely timed use of the ring (docs/systemc.md, Loosely timed): the call that brings the last part of a launch makes
// it, and passes the results on.
#include <algorithm>

#include "golden/common/stage_times.h"
#include "systemc/reduction/combiner_ring.h"

namespace tilefly::systemc {

/// When the part came: of a segment number or an engine.
Cycle& CombinerRing::CameOf(int port, bool streams, int slot_or_group, int number) {
  const int entry = streams ? slot_or_group * kMostStored + number % context_.profile.red_store
                            : golden::kRedSlots * kMostStored + slot_or_group * golden::kRedEngines + number;
  return loose_.came[static_cast<std::size_t>(port)][static_cast<std::size_t>(entry)];
}

/// A taken packet that ends well, as an event of the call's time. `drop` says whether it was of use.
void CombinerRing::Blocking(int port, fabric::Packet& packet, sc_core::sc_time& delay) {
  const Cycle end = fabric::CycleOfCall(delay);
  Advance(end);
  const bool has_header = packet.frame != nullptr && packet.frame->size() >= Red::kBytes;
  const Red header = has_header ? Red::UnpackBytes(packet.frame->data()) : Red();
  ports_[port].Begin(loose_.clock, header.group);
  Report report;
  packet.drop = ports_[port].End(packet, &report) ? Drop::kNone : Drop::kRed;
  if (report.ev == RedEv::kNone) return;
  if (report.ev == RedEv::kSegment) CameOf(port, true, report.slot, header.seq) = end + golden::kEndToLaunch;
  if (report.ev == RedEv::kShort) CameOf(port, false, report.group, report.engine) = end + golden::kEndToLaunch;
  GroupControl::Events events;
  events.reports = {report};
  Obey(loose_.clock, control_.Commit(loose_.clock, events));
  Advance(loose_.clock);
  LaunchAll(end + golden::kEndToLaunch);
}

/// The state's clock goes on to `cycle`, if that is later, with what time alone does until then.
void CombinerRing::Advance(Cycle cycle) {
  loose_.clock = std::max(loose_.clock, cycle);
  state_.live = context_.registers.enabled();
  while (control_.unsettled()) Obey(loose_.clock, control_.Commit(loose_.clock, {}));
  for (Cycle due = control_.Due(0); due <= loose_.clock; due = control_.Due(0)) {
    Obey(due, control_.Commit(due, {}));
    while (control_.unsettled()) Obey(due, control_.Commit(due, {}));
    if (control_.Due(0) == due) break;
  }
}

/// When a launch that is there begins: its parts have come, and its lanes are free.
Cycle CombinerRing::StartOf(const Launch& launch, Cycle trigger) {
  Cycle start = trigger;
  golden::ForEachBit(launch.parts, [&](int p) {
    start = std::max(start, launch.streams() ? CameOf(p, true, launch.slot, launch.segment)
                                             : CameOf(p, false, launch.group, launch.engine));
  });
  const TreeState::Slot& slot = state_.slots[launch.slot];
  if (launch.streams() && !launch.down() && !slot.in_operation) start = std::max(start, slot.last_launch + 1);
  const Cycle past = fabric::CycleAt(sc_core::sc_time_stamp());
  const Cycle busy = launch.streams() ? context_.profile.red_stream : context_.profile.red_short;
  LaneLedger& returns = loose_.lanes[2 + static_cast<std::size_t>(launch.lane)];
  LaneLedger& collect = launch.is_notice() ? returns : loose_.lanes[launch.down()];
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
void CombinerRing::LaunchAll(Cycle trigger) {
  while (std::optional<Launch> launch = launches_.Decide(loose_.clock)) {
    launch->at = StartOf(*launch, trigger);
    const std::vector<Leaving> leaving = Make(*launch);
    Advance(loose_.clock);
    // Last, for the calls may come back with answers.
    for (const Leaving& packet : leaving) Deliver(packet);
  }
}

/// The launch with all that it does until its packets are complete.
std::vector<CombinerRing::Leaving> CombinerRing::Make(const Launch& launch) {
  std::vector<Leaving> leaving;
  const Collection collected = Collect(launch);
  GroupControl::Events begins;
  begins.launch = &launch;
  Obey(launch.at, control_.Commit(loose_.clock, begins));
  for (int p = 0; launch.streams() && p < context_.profile.ports; ++p) {
    ports_[p].Launched(launch.slot, launch.down());
    const bool due = (ports_[p].credits_due() >> launch.slot & 1) != 0;
    if (due) leaving.push_back({launch.at + golden::kLaunchToCreditGrant, MakeCredit(p, launch.slot)});
  }
  const Cycle landed = launch.at + context_.profile.red_delay;
  GroupControl::Landing landing{&launch, &collected.word};
  GroupControl::Events lands;
  lands.landing = &landing;
  Obey(landed, control_.Commit(std::max(loose_.clock, landed), lands));
  control_.AddRoom(launch, launch.streams() ? context_.profile.red_cells : context_.profile.red_short_cells);
  const FramePointer frame =
      launch.to == 0 ? nullptr : ResultFrame(context_.profile, launch, collected, landing.code, landing.tag);
  if (frame == nullptr) return leaving;
  golden::ForEachBit(launch.to, [&](int p) {
    Crossing* const crossing = MakeResult(p, static_cast<int>(launch.lane), launch.group, frame);
    const Cycle complete = landed + p / 2 + crossing->packet->words() - 1;
    leaving.push_back({complete + golden::kCompleteToGrant, crossing});
  });
  return leaving;
}

/// A packet of row R, granted in its cycle if the channel is free, leaves at once.
void CombinerRing::Deliver(const Leaving& leaving) {
  Crossing* const crossing = leaving.crossing;
  // Calls are not before now: what a register write lets go may be late.
  const Cycle cell = std::max(leaving.granted + golden::kGrantToCell, fabric::CycleAt(sc_core::sc_time_stamp()));
  sc_core::sc_time delay = fabric::UntilCycle(cell);
  result[crossing->output]->b_transport(*crossing, delay);
  crossing->packet->release();
  context_.crossings.Release(crossing);
}

}  // namespace tilefly::systemc
