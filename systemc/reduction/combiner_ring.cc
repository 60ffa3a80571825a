// SPDX-License-Identifier: Apache-2.0
#include "systemc/reduction/combiner_ring.h"

#include <algorithm>
#include <utility>

#include "golden/common/stage_times.h"
#include "systemc/reduction/taken.h"

namespace tilefly::systemc {

using golden::Bit;

CombinerRing::CombinerRing(sc_core::sc_module_name name, Context& context)
    : TimedModule(name),
      taken("taken", context.profile.ports),
      result("result", context.profile.ports),
      context_(context),
      core_(context),
      loose_(core_, result),
      rows_(context.profile.ports) {
  for (int port = 0; port < context.profile.ports; ++port) {
    taken[port].register_nb_transport_fw(this, &CombinerRing::Receive, port);
    taken[port].register_b_transport(this, &CombinerRing::Blocking, port);
    result[port].register_nb_transport_bw(this, &CombinerRing::Granted, port);
  }
}

tlm::tlm_sync_enum CombinerRing::Receive(int port, fabric::Packet& packet, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
  const Cycle cycle = fabric::CycleOfCall(delay);
  if (phase == TAKEN) {
    ends_.Enter(cycle, {port, &packet});
  } else {
    const bool has_header = packet.frame != nullptr && packet.frame->size() >= Red::kBytes;
    begins_.Enter(cycle, {port, has_header ? Red::UnpackBytes(packet.frame->data()).group : golden::kRedGroups});
  }
  WakeAfter(cycle);
  return tlm::TLM_ACCEPTED;
}

void CombinerRing::Blocking(int port, fabric::Packet& packet, sc_core::sc_time& delay) {
  loose_.Receive(port, &packet, fabric::CycleOfCall(delay));
}

tlm::tlm_sync_enum CombinerRing::Granted(int, Crossing& crossing, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const Cycle cycle = fabric::CycleOfCall(delay);
  granted_.Enter(cycle, &crossing);
  WakeAfter(cycle);
  return tlm::TLM_ACCEPTED;
}

void CombinerRing::Write(Cycle cycle, const Cfg& write) {
  writes_.Enter(cycle, write);
  WakeAfter(cycle);
}

void CombinerRing::Step(Cycle now) {
  const Cycle event = now - 1;
  begins_.Drain(event, [&](const Begin& begin) { core_.ports[begin.port].Begin(event, begin.group); });
  ends_.Drain(event, [&](const End& end) { TakeEnd(event, end); });
  granted_.Drain(event, [&](Crossing* crossing) { LetCross(event, crossing); });
  Commit(event);
  writes_.Drain(event, [&](const Cfg& write) {
    const int group = core_.state.trees.Write(write);
    core_.control.Disturb();
    if (group < 0) return;
    core_.control.Forget(group);
    for (ReductionPort& port : core_.ports) port.Forget(group);
  });
  if (loose_.used()) return;  // loosely timed: calls do the rest
  Decide(now);
  Ask(now);
  Plan(now);
}

/// A taken packet has ended; its input hears whether it was of use.
void CombinerRing::TakeEnd(Cycle cycle, const End& end) {
  Report report;
  tlm::tlm_phase phase = fabric::DROPPED;
  if (core_.ports[end.port].End(*end.packet, &report)) phase = fabric::END_PACKET;
  if (report.ev != RedEv::kNone) {
    reports_.Enter(cycle + golden::kEndToReport, report);
    WakeAfter(cycle + golden::kEndToReport);
  }
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  taken[end.port]->nb_transport_bw(*end.packet, phase, delay);
}

/// What stands in `cycle` takes effect.
void CombinerRing::Commit(Cycle cycle) {
  commands_.Drain(cycle, [&](const Command& command) {
    for (int p = 0; p < context_.profile.ports; ++p) {
      core_.ports[p].Launched(command.slot, command.down);
      if (core_.ports[p].credits_due() != 0) asking_ |= Bit(p);
    }
  });
  arriving_.Drain(cycle, [&](const Arriving& arriving) {
    rows_[arriving.port].Complete(
        arriving.lane, core_.MakeResult(arriving.port, static_cast<int>(arriving.lane), arriving.group, arriving.frame));
    asking_ |= Bit(arriving.port);
  });
  GroupControl::Events events;
  Flight landed;
  GroupControl::Landing landing{};
  if (!flights_.empty() && flights_.front().launch.at + context_.profile.red_delay == cycle) {
    landed = std::move(flights_.front());
    flights_.pop_front();
    landing.launch = &landed.launch;
    landing.word = &landed.collected.word;
    events.landing = &landing;
  }
  const std::optional<Launch> launch = std::exchange(decided_, std::nullopt);
  if (launch) {
    events.launch = &*launch;
    core_.launches.Launched(*launch);
    flights_.push_back({*launch, core_.Collect(*launch)});
    WakeAfter(launch->at + context_.profile.red_delay);
    if (launch->streams()) {
      commands_.Enter(cycle + golden::kLaunchToCommand, {launch->slot, launch->down()});
      WakeAfter(cycle + golden::kLaunchToCommand);
    }
  }
  reports_.Drain(cycle, [&](const Report& report) { events.reports.push_back(report); });
  rooms_.Drain(cycle, [&](const GroupControl::Room& room) { events.rooms.push_back(room); });
  core_.Tell(cycle, core_.control.Commit(cycle, events));
  if (events.landing != nullptr) Send(cycle, landed, landing);
  const PortMask live = std::exchange(core_.state.live, enabled_);
  if (live != enabled_) core_.control.Disturb();
}

void CombinerRing::Decide(Cycle now) {
  enabled_ = context_.registers.enabled() & ~context_.LinksDown(now - golden::kEventToDecision);
  if (core_.state.live != enabled_) WakeAfter(now);
  decided_ = core_.launches.Decide(now);
  if (decided_) WakeAfter(now);
}

/// Row R of each output: one request a cycle.
void CombinerRing::Ask(Cycle now) {
  bool again = false;
  golden::ForEachBit(asking_, [&](int p) {
    Crossing* const crossing = rows_[p].Ask(core_.ports[p], [&](int slot) { return core_.MakeCredit(p, slot); });
    if (rows_[p].Wants(core_.ports[p])) {
      again = true;
    } else {
      asking_ &= ~Bit(p);
    }
    if (crossing == nullptr) return;
    tlm::tlm_phase phase = REQUEST;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    result[p]->nb_transport_fw(*crossing, phase, delay);
  });
  if (again) Wake(now + 1);
}

/// Event of `cycle`: the output has granted a packet of row R.
void CombinerRing::LetCross(Cycle cycle, Crossing* crossing) {
  const int port = crossing->output;
  const int input = crossing->input - context_.profile.ports;
  const Cycle first = rows_[port].Granted(cycle, input, crossing->cells);
  asking_ |= Bit(port);
  if (input != ResultRow::kCredits) {
    const Cycle free = first + crossing->cells;
    rooms_.Enter(free, {port, static_cast<ResultLane>(input), crossing->cells});
    WakeAfter(free);
  }
  tlm::tlm_phase phase = CELLS;
  sc_core::sc_time delay = fabric::UntilCycle(first);
  result[port]->nb_transport_fw(*crossing, phase, delay);
}

/// Word 0 of the launch is on the return lane: its packet, if it has one, goes to its ports.
void CombinerRing::Send(Cycle cycle, const Flight& flight, const GroupControl::Landing& landing) {
  const Launch& launch = flight.launch;
  const int reserved = launch.streams() ? context_.profile.red_cells : context_.profile.red_short_cells;
  const FramePointer frame =
      launch.to == 0 ? nullptr : ResultFrame(context_.profile, launch, flight.collected, landing.code, landing.tag);
  if (frame == nullptr) return core_.control.AddRoom(launch, reserved);
  const int length = static_cast<int>(frame->size());
  core_.control.AddRoom(launch, reserved - golden::CellsOf(length));
  const Cycle words = golden::CeilDiv(length + golden::HeaderBits::kBytes, golden::kWordBytes);
  golden::ForEachBit(launch.to, [&](int p) {
    const Cycle complete = cycle + p / 2 + words - 1;
    arriving_.Enter(complete, {p, launch.lane, launch.group, frame});
    WakeAfter(complete);
  });
}

/// Steps that time alone asks for.
void CombinerRing::Plan(Cycle now) {
  if (planned_ <= now) planned_ = kNever;
  // Of a deadline the decision of its cycle may launch, and then its events are judged.
  const Cycle next = std::max(now + 1, std::min(core_.control.Due(now), core_.launches.again()));
  if (next >= planned_) return;
  planned_ = next;
  Wake(next);
}

bool CombinerRing::Idle() const {
  bool idle = flights_.empty() && !decided_;
  for (int p = 0; p < context_.profile.ports; ++p) {
    const auto most = static_cast<std::int16_t>(context_.profile.red_room);
    idle = idle && rows_[p].empty() && core_.state.room[p][0] == most && core_.state.room[p][1] == most &&
           core_.state.room[p][2] == context_.profile.red_short_room;
  }
  return idle;
}

}  // namespace tilefly::systemc
