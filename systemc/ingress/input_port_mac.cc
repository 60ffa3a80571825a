// SPDX-License-Identifier: Apache-2.0
// What the MAC of an input says of a packet (docs/blocks/link.md): whether it takes it, how it ended, and control frames.
#include "systemc/ingress/input_port.h"

namespace tilefly::systemc {

/// Whether the header is one that the MAC takes.
bool InputPort::InRange(const fabric::Packet& packet) const {
  if (!packet.enh) return packet.frame != nullptr;
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

/// A good control frame is the output's, whatever admission says of it.
void InputPort::HearControl(const fabric::Packet& packet, Cycle a0) {
  if (packet.enh || !InRange(packet) || StatusOf(packet) != Drop::kControl) return;
  const Cycle last = a0 + packet.Duration(context_.port(port_).lanes());
  output->HearPause(last + kAdmission, golden::ParsePause(packet.frame->data()));
}

}  // namespace tilefly::systemc
