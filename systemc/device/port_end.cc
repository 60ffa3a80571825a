// SPDX-License-Identifier: Apache-2.0
#include "systemc/device/port_end.h"

#include <algorithm>
#include <cstring>

#include "golden/common/stage_times.h"
#include "golden/link/control_frame.h"

namespace tilefly::systemc {
namespace {

/// The place of a packet's number in its bytes. Of these bytes only the headers of a bare frame are read.
std::size_t MarkAt(const fabric::Packet& packet) {
  const auto kind = static_cast<Kind>(packet.header.kind());
  if (kind == Kind::kStd) return packet.frame->size() - sizeof(std::uint32_t);
  return packet.enh || kind != Kind::kEnhIp ? 0 : golden::kEthBytes;
}

std::uint32_t IdOf(const fabric::Packet& packet) {
  std::uint32_t id;
  std::memcpy(&id, packet.frame->data() + MarkAt(packet), sizeof id);
  return id;
}

/// Bytes of a record into a frame, which may end before them.
void PutBytes(const KernelInput& input, fabric::Frame* frame) {
  const auto offset = static_cast<std::size_t>(input.offset);
  std::copy_n(input.bytes.begin(), std::min(input.bytes.size(), frame->size() - offset), frame->begin() + input.offset);
}

}  // namespace

PortEnd::PortEnd(sc_core::sc_module_name name, int port, Switch* node, fabric::PacketPool* pool,
                 std::vector<KernelOutput>* outputs, GivenFrames* given)
    : TimedModule(name),
      port_(port),
      node_(node),
      pool_(pool),
      outputs_(outputs),
      given_(given),
      hops_([this](fabric::Packet& packet, const tlm::tlm_phase& phase) {
        tlm::tlm_phase told = phase;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        in->nb_transport_bw(packet, told, delay);
      }) {
  out.register_nb_transport_bw(this, &PortEnd::Hear);
  in.register_nb_transport_fw(this, &PortEnd::Receive);
}

void PortEnd::Give(const KernelInput& input) {
  inputs_.Enter(input.cycle, input);
  Wake(input.cycle);
}

KernelOutput& PortEnd::Say(KernelOutput::Kind kind, Cycle cycle) {
  KernelOutput& output = outputs_->emplace_back();
  output.kind = kind;
  output.cycle = cycle;
  output.port = static_cast<std::uint8_t>(port_);
  return output;
}

void PortEnd::Step(Cycle now) {
  inputs_.Drain(now, [&](const KernelInput& input) { Do(input); });
  ends_.Drain(now, [&](fabric::HopLedger::Handle hop) { hops_.End(hop); });
  if (now < next_lost_) return;  // nobody waits for it
  next_lost_ = std::min(hops_.ForgetLost(now), now + fabric::HopLedger::kAckWait);
}

void PortEnd::Do(const KernelInput& input) {
  switch (input.kind) {
    case KernelInput::Kind::kBegin:
      return Begin(input);
    case KernelInput::Kind::kOpen:
      return Open(input);
    case KernelInput::Kind::kBare:
      return Close(input);
    case KernelInput::Kind::kBytes:
      return PutBytes(input, arriving_.at(input.id).frame.get());
    case KernelInput::Kind::kEnd:
      return End(input);
    case KernelInput::Kind::kCredit:
      return hops_.Return(input.vl, input.cells);
    case KernelInput::Kind::kAck:
      return hops_.Acknowledge(input.ack);
    case KernelInput::Kind::kWrite:
      return node_->Write(input.write);
  }
}

/// When the frame's last user lets it go, the packet is gone.
std::shared_ptr<fabric::Frame> PortEnd::MarkedFrame(const KernelInput& input, bool bare) {
  auto frame = std::make_unique<fabric::Frame>(static_cast<std::size_t>(std::max(input.length, kLookedAt)));
  const bool is_red = !bare && input.header.is_red();
  if (bare || is_red) PutBytes(input, frame.get());
  if (is_red) {
    given_->emplace(frame.get(), input.id);
  } else {
    const bool at_end = bare || static_cast<Kind>(input.header.kind()) == Kind::kStd;
    std::memcpy(frame->data() + (at_end ? frame->size() - sizeof input.id : 0), &input.id, sizeof input.id);
  }
  return {frame.release(), [outputs = outputs_, given = given_, id = input.id](const fabric::Frame* gone) {
            given->erase(gone);
            KernelOutput& output = outputs->emplace_back();
            output.kind = KernelOutput::Kind::kGone;
            output.cycle = fabric::CycleAt(sc_core::sc_time_stamp());
            output.id = id;
            delete gone;
          }};
}

void PortEnd::Forward(fabric::Packet* packet, tlm::tlm_phase phase) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  out->nb_transport_fw(*packet, phase, delay);
}

void PortEnd::Begin(const KernelInput& input) {
  fabric::Packet& packet = pool_->Make();
  packet.header = input.header;
  packet.length = input.length;
  const std::shared_ptr<fabric::Frame> frame = MarkedFrame(input, false);
  packet.frame = frame;
  arriving_[input.id] = {&packet, frame};
  Forward(&packet, fabric::BEGIN_PACKET);
}

/// What the last word of a packet with header tells.
void PortEnd::End(const KernelInput& input) {
  fabric::Packet* const packet = arriving_.extract(input.id).mapped().packet;
  packet->bad = input.status != Drop::kNone;
  packet->fault = input.status;
  packet->release();
}

/// A bare frame, of which the first word tells nothing but that it comes.
void PortEnd::Open(const KernelInput& input) {
  fabric::Packet& packet = pool_->Make();
  packet.enh = false;
  packet.open = true;
  arriving_[input.id] = {&packet, nullptr};
  Forward(&packet, fabric::BEGIN_PACKET);
}

/// Its last word.
void PortEnd::Close(const KernelInput& input) {
  fabric::Packet* const packet = arriving_.extract(input.id).mapped().packet;
  packet->open = false;
  packet->length = input.length;
  packet->frame = MarkedFrame(input, true);
  packet->fault = input.status;
  packet->bad = packet->fault != Drop::kNone;
  Forward(packet, fabric::LAST_WORD);
  packet->release();
}

tlm::tlm_sync_enum PortEnd::Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle wire = fabric::CycleOfCall(delay);
  if (phase == fabric::ACK) {
    Say(KernelOutput::Kind::kAck, wire).ack = packet.ack;
    return tlm::TLM_ACCEPTED;
  }
  if (phase == fabric::FLOW_PAUSE) {
    Say(KernelOutput::Kind::kPause, wire).pause = packet.pause;
    return tlm::TLM_ACCEPTED;
  }
  const bool dropped = phase == fabric::DROPPED;
  if (dropped) Say(KernelOutput::Kind::kDrop, wire - golden::kFreedToWire).drop = packet.drop;
  if (dropped && !packet.enh && packet.drop == Drop::kBufferFull) return tlm::TLM_ACCEPTED;  // nobody counted its cells
  KernelOutput& credit = Say(KernelOutput::Kind::kCredit, wire);
  credit.vl = static_cast<std::uint8_t>(packet.header.vl());
  credit.cells = static_cast<std::uint16_t>(packet.cells());
  return tlm::TLM_ACCEPTED;
}

/// The frame of a packet that the switch made.
void PortEnd::SayBytes(const fabric::Packet& packet, Cycle cycle) {
  const auto size = static_cast<std::size_t>(packet.length);
  for (std::size_t offset = 0; offset < size; offset += kLookedAt) {
    RecordBytes& bytes = Say(KernelOutput::Kind::kBytes, cycle).bytes;
    std::copy_n(packet.frame->data() + offset, std::min<std::size_t>(size - offset, kLookedAt), bytes.begin());
  }
}

tlm::tlm_sync_enum PortEnd::Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
  const Cycle first = fabric::CycleOfCall(delay);
  const golden::PortRegisters& registers = node_->registers().port(port_);
  const auto given = given_->find(packet.frame.get());
  // Control frames end where they come: one that leaves is the switch's own PAUSE.
  const bool pause = !packet.enh && golden::IsControl(packet.frame->data());
  const bool made = pause || (packet.header.is_red() && given == given_->end());
  if (made) SayBytes(packet, first);
  KernelOutput& output = Say(KernelOutput::Kind::kPacket, first);
  output.made = made;
  if (!made) output.id = packet.header.is_red() ? given->second : IdOf(packet);
  output.header = packet.header;
  output.enh = packet.enh;
  output.lanes = static_cast<std::uint8_t>(registers.serdes_lanes());
  output.eth = registers.eth;
  const int hops = packet.header.hop() - 1;  // with which it came into this switch
  const Cycle last = first + packet.Duration(registers.serdes_lanes());
  const auto hop = hops_.Begin(packet, last, hops, hops, registers.mode.credits);
  if (registers.mode.credits) return tlm::TLM_ACCEPTED;
  ends_.Enter(last, hop);
  Wake(last);
  return tlm::TLM_ACCEPTED;
}

}  // namespace tilefly::systemc
