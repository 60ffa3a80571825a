// SPDX-License-Identifier: Apache-2.0
#include "systemc/ingress/input_port.h"

#include <algorithm>
#include <utility>

#include "golden/common/stage_times.h"
#include "golden/ingress/cut_through.h"
#include "systemc/fabric/journey.h"
#include "systemc/ingress/input_flows.h"

namespace tilefly::systemc {
namespace {

using fabric::Journey;

}  // namespace

InputPort::InputPort(sc_core::sc_module_name name, int port, Context& context)
    : TimedModule(name),
      port_(port),
      context_(context),
      mac_(context.profile),
      taken_(port, context, mac_,
             [this](fabric::Packet* packet, Drop reason, Cycle released) { EndTaken(packet, reason, released); }),
      loose_(port, context, mac_, taken_, data),
      buffer_(context.profile.cells),
      stage_(context.profile.copy_entries),
      queues_(context.profile),
      grants_(context.profile.rows),
      acks_(context.profile.rows) {
  in.register_nb_transport_fw(this, &InputPort::Receive);
  in.register_b_transport(this, &InputPort::Blocking);
  grant.register_nb_transport_fw(this, &InputPort::ReceiveGrant);
  ack.register_nb_transport_fw(this, &InputPort::ReceiveAck);
}

InputPort::~InputPort() = default;

tlm::tlm_sync_enum InputPort::Receive(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const golden::PortRegisters& registers = context_.port(port_);
  const Cycle a0 = fabric::CycleOfCall(delay);
  if (phase == fabric::LAST_WORD) {
    HearLastWord(packet, a0);
    return tlm::TLM_ACCEPTED;
  }
  if (log_ != nullptr) log_->Enter(packet, packet.header, packet.header.vl(), "admission", a0);
  packet.acquire();
  Arriving arriving{&packet, a0, kNever, packet.enh && registers.mode.cut_through};
  if (packet.open) {
    mac_.Begin(&packet, a0);
  } else {
    arriving.last = a0 + packet.Duration(registers.serdes_lanes());
    if (log_ != nullptr) log_->Words(TransactionLog::kIn, packet, a0, arriving.last + 1);
    HearControl(packet, arriving.last);
  }
  admissions_.Enter(a0 + golden::kWireToEvent, arriving);
  WakeAfter(a0 + golden::kWireToEvent);
  taken_.Announce(&packet, a0);
  return tlm::TLM_ACCEPTED;
}

/// The packet that began open has a length, and an end.
void InputPort::HearLastWord(const fabric::Packet& packet, Cycle last) {
  const auto [opened, a0, refused] = mac_.OpenOf(packet);
  if (log_ != nullptr) log_->Words(TransactionLog::kIn, packet, a0, last + 1);
  HearControl(packet, last);
  if (refused) {
    mac_.Close(packet);
    return;
  }
  ends_.Enter(last + golden::kWireToEvent, {opened, a0, last, false});
  WakeAfter(last + golden::kWireToEvent);
}

/// A good control frame is the output's, whatever admission says of it.
void InputPort::HearControl(const fabric::Packet& packet, Cycle last) {
  if (const auto request = mac_.PauseOf(packet)) output->HearPause(last + golden::kWireToEvent, *request);
}

tlm::tlm_sync_enum InputPort::ReceiveGrant(int, Crossing& crossing, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const Cycle cycle = fabric::CycleOfCall(delay);
  grants_.Enter(cycle, context_.geometry.row[crossing.output], &crossing);
  WakeAfter(cycle);
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum InputPort::ReceiveAck(int, Crossing& crossing, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const Cycle cycle = fabric::CycleOfCall(delay);
  acks_.Enter(cycle, context_.geometry.row[crossing.output], &crossing);
  WakeAfter(cycle);
  return tlm::TLM_ACCEPTED;
}

/// Tells who follows the packet, and who records this module.
void InputPort::Note(const Crossing& crossing, golden::Stage stage, Cycle cycle) {
  Journey::Note(*crossing.packet, name(), stage, cycle);
  if (log_ != nullptr) {
    log_->Enter(*crossing.packet, crossing.header, crossing.header.vl(), TransactionLog::NameOf(stage), cycle);
  }
}

void InputPort::Step(Cycle now) {
  const Cycle event = now - 1;
  stage_.Settle(event);
  entering_.Drain(event, [&](const Staged& staged) { Enter(event, staged); });
  if (flows_ != nullptr) ReleaseHeld(event);
  admissions_.Drain(event, [&](const Arriving& arriving) { Admit(event, arriving); });
  ends_.Drain(event, [&](const Arriving& arriving) { End(event, arriving); });
  PassAgain(event);
  answers_.Drain(event, [&](Crossing* crossing) { Answer(event, crossing); });
  if (flows_ != nullptr || flows_written_ <= event) EndFlows(event);
  granted_here_.Drain(event, [&](Crossing* crossing) {
    Crossing* const granted = queues_.Granted(event, crossing);
    if (crossing->reroute) return TakeBack(event, granted);
    granted_.push_back(granted);
    Note(*granted, golden::Stage::kGrantHere, event);
  });
  queued_.Drain(event, [&](Crossing* crossing) {
    queues_.Queued(event, crossing);
    if (!crossing->copy && !crossing->stored->again) context_.counters.Count(port_, Counter::kRxPackets);
    Note(*crossing, golden::Stage::kQueued, event);
  });
  queues_.Repush(event);

  Merge(now);
  Pick(now);
  Request(now);
  Serve(now);
}

void InputPort::Admit(Cycle cycle, const Arriving& arriving) {
  fabric::Packet* const packet = arriving.packet;
  if (const Drop refusal = RefusalOf(cycle, *packet); refusal != Drop::kNone) {
    if (arriving.last == kNever) mac_.OpenOf(*packet).refused = true;
    return Refuse(packet, refusal, cycle);
  }
  output->Filled(buffer_.most());
  if (arriving.cut_through) {
    piped_ = cycle;
    if (packet->bad)
      context_.counters.Count(port_, packet->fault == Drop::kBroken ? Counter::kRxDamaged : Counter::kRxStomped);
    return taken_.Has(*packet) ? PassToNode(arriving) : Describe(cycle, arriving);
  }
  if (taken_.Has(*packet)) {
    piped_ = arriving.last + golden::kWireToEvent;
    return PassToNode(arriving);
  }
  if (arriving.last == kNever) return;  // its last word says when it ends
  ends_.Enter(arriving.last + golden::kWireToEvent, arriving);
  WakeAfter(arriving.last + golden::kWireToEvent);
}

/// Why the packet is not let in, in event `cycle`; kNone: it is. Counts.
Drop InputPort::RefusalOf(Cycle cycle, const fabric::Packet& packet) {
  if (!context_.port(port_).mode.enable) return Drop::kBroken;
  Drop refusal = Drop::kNone;
  if (!mac_.Takes(packet)) {
    refusal = Drop::kHeader;
  } else if (!buffer_.Admit(cycle, packet.enh ? packet.cells() : context_.profile.mtu_cells)) {
    refusal = Drop::kBufferFull;
  }
  if (refusal != Drop::kNone) context_.counters.Count(port_, refusal);
  return refusal;
}

/// The end of a packet that is stored and forwarded is known.
void InputPort::End(Cycle cycle, const Arriving& arriving) {
  fabric::Packet* const packet = arriving.packet;
  if (!mac_.Close(*packet)) return;
  piped_ = cycle;
  const Drop status = mac_.StatusOf(*packet);
  if (status == Drop::kNone) {
    if (!packet->enh) {
      buffer_.Correct(context_.profile.mtu_cells - packet->cells());
      output->Drained(cycle);
    }
    return Describe(cycle, arriving);
  }
  context_.counters.Count(port_, status);
  Free(cycle + golden::kLookUpToFifo, packet->enh ? packet->cells() : context_.profile.mtu_cells, -1);
  Refuse(packet, status, cycle + golden::kLookUpToFifo);
}

/// An admitted packet is the aggregation node's, whatever its end.
void InputPort::PassToNode(const Arriving& arriving) {
  const Cycle released = taken_.Pass(arriving.packet, arriving.a0, arriving.last, arriving.cut_through);
  Free(released, arriving.packet->cells(), -1);
}

/// The aggregation node has used the packet, or it is dropped.
void InputPort::EndTaken(fabric::Packet* packet, Drop reason, Cycle released) {
  if (reason != Drop::kNone) return Refuse(packet, reason, released);
  Return(packet, fabric::END_PACKET, released + golden::kFreedToWire);
  packet->release();
}

/// Look-up, classification and routing in event a + 4.
void InputPort::Describe(Cycle cycle, const Arriving& arriving) {
  fabric::Packet* const packet = arriving.packet;
  Staged staged{Descriptor::Of(context_, port_, *packet, cycle), nullptr, cycle + golden::kLookUpToFifo};
  if (arriving.cut_through) staged.released = std::max(staged.released, arriving.last + golden::kLastWordToRelease);
  if (staged.descriptor.drop != Drop::kNone) {
    context_.counters.Count(port_, staged.descriptor.drop);
    Free(staged.released, packet->cells(), -1);
    return Refuse(packet, staged.descriptor.drop, staged.released);
  }
  const int lanes = context_.port(port_).serdes_lanes();
  Stored* const stored = staged.stored = stored_.Make();
  stored->packet = packet;
  stored->header = staged.descriptor.came;
  stored->vl_in = staged.descriptor.vl_in;
  stored->last = arriving.last;
  stored->start = arriving.cut_through ? arriving.a0 + golden::StartOffset(packet->length, lanes) : 0;
  stored->cells = packet->cells();
  stored->tc = staged.descriptor.tc();
  stored->copies = __builtin_popcountll(staged.descriptor.outputs);
  stored->accounted = context_.port(port_).shares->lossy_classes != 0;
  entering_.Enter(cycle + golden::kLookUpToFifo, staged);
  WakeAfter(cycle + golden::kLookUpToFifo);
}

/// Event a + 18: the queue stage, if the packet's class has room.
void InputPort::Enter(Cycle cycle, Staged staged) {
  Stored* const stored = staged.stored;
  const bool counted = stored->accounted && !stored->again;
  if (counted && !buffer_.Account(cycle, *context_.port(port_).shares, stored->tc, stored->cells)) {
    context_.counters.Count(port_, Drop::kClassFull);
    Free(staged.released, stored->cells, -1);
    Refuse(stored->packet, Drop::kClassFull, staged.released);
    stored_.Release(stored);
    return;
  }
  if (flows_ == nullptr) {
    staged.descriptor.Enter(context_, port_, cycle, stored->again);
  } else if (!flows_->Enter(cycle, &staged)) {
    if (log_ != nullptr) log_->Enter(*stored->packet, stored->packet->header, staged.descriptor.vl_in, "held", cycle);
    return;
  }
  Stage(cycle, staged);
}

void InputPort::Stage(Cycle cycle, const Staged& staged) {
  const fabric::Packet& packet = *staged.stored->packet;
  if (log_ != nullptr) log_->Enter(packet, packet.header, staged.descriptor.vl_in, "queue stage", cycle);
  stage_.Enter(staged.descriptor, staged.stored);
}

/// A packet that a flow channel held enters the queue stage.
void InputPort::ReleaseHeld(Cycle event) {
  if (const std::optional<Staged> released = flows_->Release(event)) Stage(event, *released);
}

void InputPort::WriteFlows(Cycle cycle) {
  if (flows_ == nullptr && !context_.port(port_).has_flows()) return;  // no event for ports that never have flow channels
  flows_written_ = cycle;
  WakeAfter(cycle);
}

/// The end of the event for the flow channels: what they do by themselves, then the registers that were written in it.
void InputPort::EndFlows(Cycle event) {
  if (flows_ != nullptr) {
    if (const auto pause = flows_->End(event)) TellPause(event, *pause);
  }
  if (std::exchange(flows_written_, kNever) <= event) {
    if (!context_.port(port_).has_flows()) return flows_.reset();
    if (flows_ == nullptr) flows_ = std::make_unique<InputFlows>(port_, context_);
    flows_->SetRegisters(event);
  }
  if (flows_->due() == flows_wake_ || flows_->due() == kNever) return;
  flows_wake_ = flows_->due();
  WakeAfter(flows_wake_);
}

void InputPort::TellPause(Cycle event, const golden::FlowPause& pause) {
  fabric::Packet& packet = context_.made.Make();
  packet.pause = pause;
  Return(&packet, fabric::FLOW_PAUSE, event + golden::kFlowPauseToWire);
  packet.release();
}

/// The queue stage takes one entry of its head.
void InputPort::Serve(Cycle now) {
  Crossing* const crossing = stage_.Serve(context_, port_);
  if (crossing == nullptr) return;
  queued_.Enter(now + golden::kServeToQueued, crossing);
  WakeAfter(now + golden::kServeToQueued);
  if (!stage_.empty()) Wake(now + 1);
}

void InputPort::Request(Cycle now) {
  if (Crossing* const crossing = queues_.Pop(now)) {
    Note(*crossing, golden::Stage::kRequested, now);
    tlm::tlm_phase phase = REQUEST;
    sc_core::sc_time delay = fabric::UntilCycle(now);
    request[context_.geometry.col(crossing->output)]->nb_transport_fw(*crossing, phase, delay);
  }
  if (queues_.active()) Wake(now + 1);
}

/// R:1 choices: what is chosen arrives in the next cycle.
void InputPort::Merge(Cycle now) {
  if (Crossing* const crossing = grants_.Decide(now)) {
    granted_here_.Enter(now + golden::kMergeToArrival, crossing);
    WakeAfter(now + golden::kMergeToArrival);
  }
  if (Crossing* const crossing = acks_.Decide(now)) {
    answers_.Enter(now + golden::kMergeToArrival, crossing);
    WakeAfter(now + golden::kMergeToArrival);
  }
  if (grants_.waiting() || acks_.waiting()) Wake(now + 1);
}

/// The oldest grant that may start.
void InputPort::Pick(Cycle now) {
  if (granted_.empty()) return;
  if (now < next_pick_) return Wake(next_pick_);
  const auto pick = std::find_if(granted_.begin(), granted_.end(),
                                 [&](const Crossing* c) { return now + golden::kPickToLeave >= c->stored->start; });
  if (pick == granted_.end()) return Wake(granted_.front()->stored->start - golden::kPickToLeave);
  Crossing* const crossing = *pick;
  granted_.erase(pick);
  Transfer(now, crossing);
  if (!granted_.empty()) Wake(next_pick_);
}

void InputPort::Transfer(Cycle now, Crossing* crossing) {
  Note(*crossing, golden::Stage::kPicked, now);
  next_pick_ = now + crossing->cells;
  const Cycle last_leaves = now + golden::kPickToLeave - 1 + crossing->cells;
  if (log_ != nullptr) log_->Leave(*crossing->packet, last_leaves + 1);
  if (crossing->copy) {
    stage_.FreeEntry(last_leaves);
    if (!stage_.empty()) WakeAfter(last_leaves);
  }
  Stored* const stored = crossing->stored;
  crossing->stored = nullptr;
  crossing->header.Leave(port_, crossing->vl);
  tlm::tlm_phase phase = CELLS;
  sc_core::sc_time delay = fabric::UntilCycle(now + golden::kPickToLeave);
  data[context_.geometry.col(crossing->output)]->nb_transport_fw(*crossing, phase, delay);
  if (--stored->copies != 0) return;
  if (log_ != nullptr) log_->Leave(*stored->packet, last_leaves + 1);  // what copies were made of
  Free(last_leaves, stored->cells, stored->accounted ? stored->tc : -1);
  Return(stored->packet, fabric::END_PACKET, last_leaves + golden::kFreedToWire);
  stored->packet->release();
  stored_.Release(stored);
}

/// Event, which may be to come: cells of class `tc` go free, -1: of none.
void InputPort::Free(Cycle event, int cells, int tc) {
  buffer_.Free(event, cells, tc);
  output->Drained(event);
}

/// Dropped: its cells are free in the event of `freed`. Lets the packet go.
void InputPort::Refuse(fabric::Packet* packet, Drop reason, Cycle freed) {
  packet->drop = reason;
  if (log_ != nullptr) {
    log_->Enter(*packet, packet->header, packet->header.vl(), "dropped", fabric::CycleAt(sc_core::sc_time_stamp()));
    log_->Leave(*packet, freed);
  }
  Return(packet, fabric::DROPPED, freed + golden::kFreedToWire);
  packet->release();
}

/// An ack comes home, or goes on by the link.
void InputPort::Answer(Cycle cycle, Crossing* crossing) {
  const PortMode& mode = context_.port(port_).mode;
  tilefly::Ack& ack = crossing->ack;
  if (mode.acks) {
    context_.counters.Count(port_, Counter::kAcksIn);
    if (flows_ != nullptr) {
      flows_->Acknowledge(cycle, ack);
    } else {
      context_.flows.Advance(cycle);
      context_.flows.Acknowledge(port_, ack.flow, ack.cells);
    }
  }
  if (mode.enable && mode.credits) {
    ack.hops = static_cast<std::uint8_t>(std::max(0, ack.hops - 1));
    crossing->packet->ack = ack;
    Return(crossing->packet, fabric::ACK, cycle + golden::kAckToWire);
  }
  crossing->packet->release();
  context_.crossings.Release(crossing);
}

void InputPort::Return(fabric::Packet* packet, const tlm::tlm_phase& phase, Cycle wire) {
  tlm::tlm_phase told = phase;
  sc_core::sc_time delay = fabric::UntilCycle(wire);
  in->nb_transport_bw(*packet, told, delay);
}

}  // namespace tilefly::systemc
