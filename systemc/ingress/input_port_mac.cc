// SPDX-License-Identifier: Apache-2.0
// What the MAC of an input says of a packet (docs/blocks/link.md): whether it takes it, how it ended, and control frames.
#include <algorithm>

#include "golden/common/stage_times.h"
#include "systemc/ingress/input_port.h"

namespace tilefly::systemc {

/// Whether the header is one that the MAC takes.
bool InputPort::InRange(const fabric::Packet& packet) const {
  if (!packet.enh) return packet.open || packet.frame != nullptr;
  const auto kind = static_cast<Kind>(packet.header.kind());
  const bool standard = kind == Kind::kStd;
  const int least = standard ? context_.profile.min_std_bytes : context_.profile.min_enh_bytes;
  const bool known = standard || kind == Kind::kEnhEth || kind == Kind::kEnhIp || kind == Kind::kRed;
  return known && packet.length == packet.header.length() && packet.length >= least &&
         packet.length <= context_.profile.mtu_bytes;
}

/// How a packet that is stored and forwarded ended.
Drop InputPort::StatusOf(const fabric::Packet& packet) const {
  if (packet.fault != Drop::kNone) return packet.fault;
  if (!packet.enh && packet.length > context_.profile.mtu_bytes) return Drop::kLong;
  if (!packet.enh && packet.length < context_.profile.min_std_bytes) return Drop::kShort;
  if (packet.bad) return Drop::kStomped;
  return !packet.enh && golden::IsControl(packet.frame->data()) ? Drop::kControl : Drop::kNone;
}

/// Why the packet is not let in, in event `cycle`; kNone: it is. Counts.
Drop InputPort::RefusalOf(Cycle cycle, const fabric::Packet& packet) {
  if (!context_.port(port_).mode.enable) return Drop::kBroken;
  Drop refusal = Drop::kNone;
  if (!InRange(packet)) {
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
  if (!Close(*packet)) return;
  const Drop status = StatusOf(*packet);
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

/// A good control frame is the output's, whatever admission says of it.
void InputPort::HearControl(const fabric::Packet& packet, Cycle last) {
  if (packet.enh || !InRange(packet) || StatusOf(packet) != Drop::kControl) return;
  output->HearPause(last + golden::kWireToEvent, golden::ParsePause(packet.frame->data()));
}

/// The packet that began open has a length, and an end.
void InputPort::HearLastWord(const fabric::Packet& packet, Cycle last) {
  const auto [opened, a0, refused] = *OpenOf(packet);
  if (log_ != nullptr) log_->Words(TransactionLog::kIn, packet, a0, last + 1);
  HearControl(packet, last);
  if (refused) {
    Close(packet);
    return;
  }
  ends_.Enter(last + golden::kWireToEvent, {opened, a0, last, false});
  WakeAfter(last + golden::kWireToEvent);
}

std::deque<InputPort::Open>::iterator InputPort::OpenOf(const fabric::Packet& packet) {
  return std::find_if(open_.begin(), open_.end(), [&](const Open& open) { return open.packet == &packet; });
}

/// The end of a packet. False: it began open, and was refused since.
bool InputPort::Close(const fabric::Packet& packet) {
  const auto open = OpenOf(packet);
  if (open == open_.end()) return true;
  const bool refused = open->refused;
  open->packet->release();
  open_.erase(open);
  return !refused;
}

}  // namespace tilefly::systemc
