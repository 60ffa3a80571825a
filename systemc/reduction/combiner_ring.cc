// SPDX-License-Identifier: Apache-2.0
#include "systemc/reduction/combiner_ring.h"

#include <algorithm>
#include <utility>

#include "golden/common/stage_times.h"
#include "systemc/reduction/taken.h"

namespace tilefly::systemc {

using golden::Bit;
using golden::kRedSlots;

CombinerRing::CombinerRing(sc_core::sc_module_name name, Context& context)
    : TimedModule(name),
      taken("taken", context.profile.ports),
      result("result", context.profile.ports),
      context_(context),
      state_(context.profile),
      control_(state_),
      launches_(state_),
      rows_(context.profile.ports),
      loose_(context.profile.ports) {
  for (int port = 0; port < context.profile.ports; ++port) {
    ports_.emplace_back(context, port, state_.trees, state_.bindings);
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
  begins_.Drain(event, [&](const Begin& begin) { ports_[begin.port].Begin(event, begin.group); });
  ends_.Drain(event, [&](const End& end) { TakeEnd(event, end); });
  granted_.Drain(event, [&](Crossing* crossing) { LetCross(event, crossing); });
  Commit(event);
  writes_.Drain(event, [&](const Cfg& write) {
    const int group = state_.trees.Write(write);
    control_.Disturb();
    if (group < 0) return;
    control_.Forget(group);
    for (ReductionPort& port : ports_) port.Forget(group);
  });
  if (loose_.clock > 0) return;  // loosely timed: calls do the rest
  Decide(now);
  Ask(now);
  Plan(now);
}

/// A taken packet has ended; its input hears whether it was of use.
void CombinerRing::TakeEnd(Cycle cycle, const End& end) {
  Report report;
  tlm::tlm_phase phase = fabric::DROPPED;
  if (ports_[end.port].End(*end.packet, &report)) phase = fabric::END_PACKET;
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
      ports_[p].Launched(command.slot, command.down);
      if (ports_[p].credits_due() != 0) asking_ |= Bit(p);
    }
  });
  arriving_.Drain(cycle, [&](const Arriving& arriving) {
    rows_[arriving.port].Complete(
        arriving.lane, MakeResult(arriving.port, static_cast<int>(arriving.lane), arriving.group, arriving.frame));
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
    launches_.Launched(*launch);
    flights_.push_back({*launch, Collect(*launch)});
    WakeAfter(launch->at + context_.profile.red_delay);
    if (launch->streams()) {
      commands_.Enter(cycle + golden::kLaunchToCommand, {launch->slot, launch->down()});
      WakeAfter(cycle + golden::kLaunchToCommand);
    }
  }
  reports_.Drain(cycle, [&](const Report& report) { events.reports.push_back(report); });
  rooms_.Drain(cycle, [&](const GroupControl::Room& room) { events.rooms.push_back(room); });
  Obey(cycle, control_.Commit(cycle, events));
  if (events.landing != nullptr) Send(cycle, landed, landing);
  const PortMask live = std::exchange(state_.live, enabled_);
  if (live != enabled_) control_.Disturb();
}

/// What the ports are told by the events of `cycle`.
void CombinerRing::Obey(Cycle cycle, const GroupControl::Commands& told) {
  for (ReductionPort& port : ports_) {
    for (int s = 0; s < kRedSlots; ++s) {
      if (told.unbound[s]) port.Unbound(s);
      if (told.bound[s]) port.Bound(s);
    }
    if (told.clear >= 0) port.Clear(cycle + 1, told.clear);
  }
}

void CombinerRing::Decide(Cycle now) {
  enabled_ = context_.registers.enabled();
  if (state_.live != enabled_) WakeAfter(now);
  decided_ = launches_.Decide(now);
  if (decided_) WakeAfter(now);
}

/// Row R of each output: one request a cycle.
void CombinerRing::Ask(Cycle now) {
  bool again = false;
  golden::ForEachBit(asking_, [&](int p) {
    Crossing* const crossing = rows_[p].Ask(ports_[p], [&](int slot) { return MakeCredit(p, slot); });
    if (rows_[p].Wants(ports_[p])) {
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

/// The parts of a launch in the order of the ring.
Collection CombinerRing::Collect(const Launch& launch) {
  HalfRings rings(context_.profile.ports, !launch.down(), launch.small);
  golden::ForEachBit(launch.parts, [&](int p) {
    if (const golden::RedPart* part = ports_[p].PartOf(launch)) rings.Pass(p, *part);
  });
  return rings.CombineHalves();
}

/// Word 0 of the launch is on the return lane: its packet, if it has one, goes to its ports.
void CombinerRing::Send(Cycle cycle, const Flight& flight, const GroupControl::Landing& landing) {
  const Launch& launch = flight.launch;
  const int reserved = launch.streams() ? context_.profile.red_cells : context_.profile.red_short_cells;
  const FramePointer frame =
      launch.to == 0 ? nullptr : ResultFrame(context_.profile, launch, flight.collected, landing.code, landing.tag);
  if (frame == nullptr) return control_.AddRoom(launch, reserved);
  const int length = static_cast<int>(frame->size());
  control_.AddRoom(launch, reserved - golden::CellsOf(length));
  const Cycle words = golden::CeilDiv(length + golden::HeaderBits::kBytes, golden::kWordBytes);
  golden::ForEachBit(launch.to, [&](int p) {
    const Cycle complete = cycle + p / 2 + words - 1;
    arriving_.Enter(complete, {p, launch.lane, launch.group, frame});
    WakeAfter(complete);
  });
}

Crossing* CombinerRing::MakeCredit(int port, int slot) {
  Red header;
  header.what = static_cast<std::uint8_t>(RedWhat::kCredit);
  header.group = state_.bindings[slot].group;
  header.tag = state_.bindings[slot].tag;
  header.credit = ports_[port].TakeCredit(slot);
  return MakeResult(port, ResultRow::kCredits, header.group, MakeRedFrame(context_.profile, header, {}));
}

/// A packet of row R for the peer of the port.
Crossing* CombinerRing::MakeResult(int port, int input, int group, const FramePointer& frame) {
  const golden::RedPeer& peer = state_.trees.peer(port, group);
  fabric::Packet& packet = context_.made.Make();
  packet.frame = frame;
  packet.length = static_cast<int>(frame->size());
  packet.header = golden::HeaderBits(peer.HeaderFrom(context_.registers.AddressOf(port), packet.length));
  Crossing* const crossing = context_.crossings.Make();
  crossing->packet = &packet;
  crossing->header = packet.header;
  crossing->input = context_.profile.ports + input;
  crossing->output = port;
  crossing->vl = peer.vl;
  crossing->cells = packet.cells();
  crossing->length = packet.length;
  return crossing;
}

/// Steps that time alone asks for.
void CombinerRing::Plan(Cycle now) {
  if (planned_ <= now) planned_ = kNever;
  // Of a deadline the decision of its cycle may launch, and then its events are judged.
  const Cycle next = std::max(now + 1, std::min(control_.Due(now), launches_.again()));
  if (next >= planned_) return;
  planned_ = next;
  Wake(next);
}

bool CombinerRing::Idle() const {
  bool idle = flights_.empty() && !decided_;
  for (int p = 0; p < context_.profile.ports; ++p) {
    const auto most = static_cast<std::int16_t>(context_.profile.red_room);
    idle = idle && rows_[p].empty() && state_.room[p][0] == most && state_.room[p][1] == most &&
           state_.room[p][2] == context_.profile.red_short_room;
  }
  return idle;
}

}  // namespace tilefly::systemc
