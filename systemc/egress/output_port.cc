// SPDX-License-Identifier: Apache-2.0
#include "systemc/egress/output_port.h"

#include <algorithm>
#include <utility>

#include "golden/arbiter/round_robin.h"
#include "golden/common/stage_times.h"
#include "systemc/egress/conversion.h"
#include "systemc/fabric/journey.h"
#include "systemc/reduction/launch.h"

namespace tilefly::systemc {
namespace {

using fabric::Journey;

}  // namespace

OutputPort::OutputPort(sc_core::sc_module_name name, int port, Context& context, const golden::SchedulerChoice& scheduler)
    : TimedModule(name),
      port_(port),
      context_(context),
      grants_(context, port, scheduler),
      acks_(port, context, grants_.meter()) {
  out.register_nb_transport_bw(this, &OutputPort::Hear);
  request.register_nb_transport_fw(this, &OutputPort::ReceiveRequest);
  data.register_nb_transport_fw(this, &OutputPort::ReceiveCells);
  data.register_b_transport(this, &OutputPort::Blocking);
  result.register_nb_transport_fw(this, &OutputPort::ReceiveResult);
  result.register_b_transport(this, &OutputPort::BlockingResult);
}

tlm::tlm_sync_enum OutputPort::ReceiveRequest(int, Crossing& crossing, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const Cycle cycle = fabric::CycleOfCall(delay);
  requests_.Enter(cycle, &crossing);
  WakeAfter(cycle);
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum OutputPort::ReceiveCells(int, Crossing& crossing, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const Cycle cycle = fabric::CycleOfCall(delay);
  first_cells_.Enter(cycle, &crossing);
  WakeAfter(cycle);
  return tlm::TLM_ACCEPTED;
}

/// A request of row R, or its packet's first cell.
tlm::tlm_sync_enum OutputPort::ReceiveResult(Crossing& crossing, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  return phase == REQUEST ? ReceiveRequest(0, crossing, phase, delay) : ReceiveCells(0, crossing, phase, delay);
}

/// What the link's other end tells.
tlm::tlm_sync_enum OutputPort::Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle event = fabric::CycleOfCall(delay) + golden::kWireToEvent;
  if (phase == fabric::FLOW_PAUSE) return tlm::TLM_ACCEPTED;  // it is for NICs
  if (phase == fabric::ACK) {
    packet.acquire();
    link_acks_.Enter(event, {&packet, packet.ack});
  } else {
    // A link with retry returns credits itself.
    if (!context_.port(port_).mode.credits || link_ != nullptr) return tlm::TLM_ACCEPTED;
    returned_.Enter(event, {packet.header.vl(), packet.cells(), era_});
  }
  WakeAfter(event);
  return tlm::TLM_ACCEPTED;
}

void OutputPort::HearPause(Cycle event, const golden::PauseRequest& request) {
  if (!request.obeyed) return;
  heard_.Enter(event, request);
  WakeAfter(event);
}

void OutputPort::Obey(const golden::PauseRequest& request, Cycle event) {
  const golden::PortRegisters& registers = context_.port(port_);
  if (!registers.mode.enable || registers.mode.credits) return;
  context_.counters.Count(port_, Counter::kRxPause);
  golden::ForEachBit(request.classes, [&](int c) {
    grants_.Pause(c, event + golden::PauseCycles(request.quanta[c], registers.serdes_lanes()));
  });
}

void OutputPort::Filled(int most) {
  if (SendsPause() && !pause_.xoff_sent() && most >= context_.port(port_).xoff) WakeAfterSteps();
}

void OutputPort::Drained(Cycle event) {
  if (!SendsPause() || !pause_.xoff_sent()) return;
  if (event < fabric::CycleAt(sc_core::sc_time_stamp())) return WakeAfterSteps();
  WakeAfter(event);
}

void OutputPort::Look() { Wake(fabric::CycleAt(sc_core::sc_time_stamp())); }

/// Tells who follows the packet, and who records this module.
void OutputPort::Note(const Crossing& crossing, golden::Stage stage, Cycle cycle) {
  Journey::Note(*crossing.packet, name(), stage, cycle);
  if (log_ != nullptr) log_->Enter(*crossing.packet, crossing.header, crossing.vl, TransactionLog::NameOf(stage), cycle);
}

void OutputPort::Step(Cycle now) {
  const Cycle event = now - 1;
  // First, for an ack tells the load that the cycle before its own left.
  leaving_.Drain(event, [&](Crossing* crossing) { FreeRoom(now, crossing); });
  link_acks_.Drain(event, [&](const LinkAck& arrived) { PassOn(now, arrived); });
  heard_.Drain(event, [&](const golden::PauseRequest& request) { Obey(request, event); });
  returned_.Drain(event, [&](const Returned& returned) { TakeReturn(returned); });
  charged_.Drain(event, [&](const Returned& charged) { grants_.Charge(charged.vl, charged.cells); });
  if (link_ != nullptr) FollowLink(event);
  grants_.meter().CommitGrants();
  if (granted_cells_ != 0) context_.loads.Add(event, port_, -std::exchange(granted_cells_, 0));
  requests_.Drain(event, [&](Crossing* crossing) { Store(event, crossing); });
  first_cells_.Drain(event, [&](Crossing* crossing) { Arrive(event, crossing); });
  if (SendsPause()) {
    WakeAfterSteps();  // the input's step may say that a PAUSE is due
  } else {
    SendNext(now);
  }
  Grant(now);
}

void OutputPort::AfterSteps(Cycle now) { SendNext(now); }

void OutputPort::Store(Cycle cycle, Crossing* crossing) {
  Note(*crossing, golden::Stage::kStored, cycle);
  context_.loads.Add(cycle, port_, crossing->cells);
  grants_.Request(crossing);
}

void OutputPort::Grant(Cycle now) {
  if (!link_up_ && !Discards()) return;  // what waits for the link stays
  if (Crossing* const crossing = link_up_ ? grants_.Decide(now) : grants_.TakeBack(now)) {
    crossing->reroute = !link_up_;
    Note(*crossing, golden::Stage::kGranted, now);
    granted_cells_ = crossing->cells;  // an event of now: the next step, which `again` asks for, counts it
    tlm::tlm_phase phase = GRANT;
    if (context_.geometry.row[crossing->input] == context_.profile.rows) {  // row R: no crossbar between
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      result->nb_transport_bw(*crossing, phase, delay);
    } else {
      sc_core::sc_time delay = fabric::UntilCycle(now + golden::kGrantToLeave);
      grant[context_.geometry.col(crossing->input)]->nb_transport_fw(*crossing, phase, delay);
    }
  }
  if (grants_.again() != kNever) Wake(grants_.again());
}

/// The first cell of a packet is in the output buffer.
void OutputPort::Arrive(Cycle cycle, Crossing* crossing) {
  Note(*crossing, golden::Stage::kArrived, cycle);
  const int row = context_.geometry.row[crossing->input];
  grants_.FirstCell(cycle, row, crossing->cells);
  crossing->arrived = cycle;
  banks_[row].push_back(crossing);
  waiting_ |= 1u << row;
}

/// The row whose packet's first cell came first; ties by round-robin.
int OutputPort::EarliestRow() {
  Cycle earliest = kNever;
  unsigned rows = 0;
  golden::ForEachBit(waiting_, [&](int row) {
    const Cycle arrived = banks_[row].front()->arrived;
    if (arrived < earliest) rows = 0;
    earliest = std::min(earliest, arrived);
    if (arrived == earliest) rows |= 1u << row;
  });
  const int row = golden::RoundRobin(rows, row_pointer_);
  row_pointer_ = golden::PointerAfter(row, context_.profile.out_rows);
  return row;
}

/// The link takes a packet.
void OutputPort::SendNext(Cycle now) {
  if (SendsPause() && SendPause(now)) return;
  if (waiting_ == 0) return;
  if (now < next_take_) return Wake(next_take_);
  if (!MayTake()) return;  // the link says when it is ready
  const int row = EarliestRow();
  Crossing* const crossing = banks_[row].front();
  banks_[row].pop_front();
  if (banks_[row].empty()) waiting_ &= ~(1u << row);
  const golden::PortRegisters& registers = context_.port(port_);
  golden::FrameFormat format;
  const bool lost = Discards();
  if (lost) Discard(*crossing, &format);
  const bool sent = !lost && Dress(*crossing, &format);
  grants_.Take(crossing->vl, crossing->cells, lost);
  next_take_ = now + golden::CeilDiv(4 * format.slots, registers.serdes_lanes());
  if (waiting_ != 0) Wake(next_take_);
  const Cycle room_free = now + golden::kTakeToRead + golden::WordOffset(format.words - 1, registers.serdes_lanes());
  crossing->answered = sent && registers.mode.acks && !crossing->header.is_red() &&
                       crossing->header.destination() != golden::HeaderBits::kReplicated;
  if (log_ != nullptr) log_->Enter(*crossing->packet, crossing->header, crossing->vl, "taken", now);
  leaving_.Enter(room_free, crossing);
  WakeAfter(room_free);
  if (!sent) return;
  Send(crossing->packet, now);
}

/// The link takes a PAUSE frame when it is free. False: none is due.
bool OutputPort::SendPause(Cycle now) {
  const golden::PortRegisters& registers = context_.port(port_);
  const auto quanta = pause_.Due(now, input->Used(now - 1), registers);
  if (!quanta) {
    // Cells that were to go free when XOFF was sent have not told of it.
    if (pause_.xoff_sent() && input->NextFreed() != kNever) WakeAfter(input->NextFreed());
    return false;
  }
  if (now < next_take_) {
    Wake(next_take_);
    return true;
  }
  pause_.Sent(now, *quanta);
  if (pause_.xoff_sent()) Wake(pause_.refresh());
  next_take_ = now + golden::CeilDiv(4 * PauseSender::kSlots, registers.serdes_lanes());
  Wake(next_take_);
  context_.counters.Count(port_, Counter::kTxPause);
  fabric::Packet& packet = context_.made.Make();
  PauseSender::Dress(context_.registers.AddressOf(port_), *quanta, &packet);
  Send(&packet, now);
  packet.release();
  return true;
}

/// The first word of what the link took in `take` is told.
void OutputPort::Send(fabric::Packet* packet, Cycle take) {
  if (log_ != nullptr) LogWords(*packet, take + golden::kTakeToWire);
  tlm::tlm_phase phase = fabric::BEGIN_PACKET;
  sc_core::sc_time delay = fabric::UntilCycle(take + golden::kTakeToWire);
  out->nb_transport_fw(*packet, phase, delay);
}

void OutputPort::LogWords(const fabric::Packet& packet, Cycle first) {
  log_->Words(TransactionLog::kOut, packet, first, first + packet.Duration(context_.port(port_).serdes_lanes()) + 1);
}

/// The packet gets the form in which it leaves. False: no word of it is sent, for want of an Ethernet header. Counts.
bool OutputPort::Dress(const Crossing& crossing, golden::FrameFormat* format) {
  const golden::PortRegisters& registers = context_.port(port_);
  *format = golden::FrameFormat::Of(registers.mode.std_format, static_cast<Kind>(crossing.header.kind()), crossing.length);
  if (format->conversion == golden::Conversion::kEthernet && (!registers.eth_valid || crossing.header.is_red())) {
    context_.counters.Count(port_, Drop::kNoEthHeader);
    return false;
  }
  fabric::Packet& packet = *crossing.packet;
  packet.header = crossing.header;
  packet.whole = false;
  packet.fault = Drop::kNone;
  packet.enh = format->conversion == golden::Conversion::kHeader;
  packet.frame = Convert(packet.frame, *format, registers.eth);
  packet.length = packet.enh ? crossing.length : format->bytes;
  context_.counters.Count(port_, Counter::kTxPackets);
  if (packet.bad) context_.counters.Count(port_, Counter::kTxStomped);
  ++context_.taken;
  return true;
}

/// Event of now - 1.
void OutputPort::FreeRoom(Cycle now, Crossing* crossing) {
  grants_.FreeRoom(crossing->cells);
  if (log_ != nullptr) log_->Leave(*crossing->packet, now - 1);
  if (crossing->answered && !crossing->packet->bad) {
    if (Crossing* const made = acks_.Make(now - 1, *crossing)) LeaveAck(now, made);
  }
  crossing->packet->release();
  context_.crossings.Release(crossing);
}

/// An ack of the link, as an event of now - 1.
void OutputPort::PassOn(Cycle now, const LinkAck& arrived) {
  const bool came = link_ == nullptr || link_->IsUp(now - 1 - golden::kWireToEvent);
  Crossing* const crossing = came ? acks_.PassOn(now - 1, arrived.packet, arrived.ack) : nullptr;
  if (crossing != nullptr) LeaveAck(now, crossing);
  arrived.packet->release();
}

/// Leave cycle `now`.
void OutputPort::LeaveAck(Cycle now, Crossing* crossing) {
  tlm::tlm_phase phase = RETURN_ACK;
  sc_core::sc_time delay = fabric::UntilCycle(now);
  ack[context_.geometry.col(crossing->input)]->nb_transport_fw(*crossing, phase, delay);
}

/// Loosely timed: when the packet starts on the link. Of row R, results of short operations and CREDITs wait for the
/// result under way alone.
Cycle OutputPort::BookLink(Cycle past, const Crossing& crossing, Cycle earliest, Cycle slots) {
  constexpr int kFirstShort = static_cast<int>(ResultLane::kShort);
  const int input = crossing.input - context_.profile.ports;
  if (input < 0) return link_ledger_.Book(past, earliest, slots);
  if (input < kFirstShort) return link_ledger_.BookLong(past, earliest, slots);
  return link_ledger_.BookTurn(past, static_cast<std::size_t>(input - kFirstShort), earliest, slots);
}

/// Loosely timed: the call's time is that of the first cell's arrival, if the channel is free.
void OutputPort::Blocking(int, Crossing& crossing, sc_core::sc_time& delay) {
  const Cycle past = fabric::CycleAt(sc_core::sc_time_stamp());
  golden::FrameFormat format;
  if (!Dress(crossing, &format)) return;
  const Cycle slots = golden::CeilDiv(4 * format.slots, context_.port(port_).serdes_lanes());
  const Cycle granted = fabric::CycleOfCall(delay) - golden::kGrantToCell;
  const Cycle hold = golden::kGrantToCell + std::max(1, crossing.cells - context_.profile.owner_lead_cycles);
  ChannelLedger& channel = channel_ledgers_[context_.geometry.row[crossing.input]];
  const Cycle arrived = channel.Book(past, crossing.input, granted, hold) + golden::kGrantToCell;
  const Cycle take = BookLink(past, crossing, arrived + golden::kEventToDecision, slots);
  delay = fabric::UntilCycle(take + golden::kTakeToWire);
  if (log_ != nullptr) LogWords(*crossing.packet, take + golden::kTakeToWire);
  out->b_transport(*crossing.packet, delay);
}

}  // namespace tilefly::systemc
