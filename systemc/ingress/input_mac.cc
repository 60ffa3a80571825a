// SPDX-License-Identifier: Apache-2.0
#include "systemc/ingress/input_mac.h"

#include <algorithm>

namespace tilefly::systemc {

bool InputMac::Takes(const fabric::Packet& packet) const {
  if (!packet.enh) return packet.open || packet.frame != nullptr;
  const auto kind = static_cast<Kind>(packet.header.kind());
  const bool standard = kind == Kind::kStd;
  const int least = standard ? profile_.min_std_bytes : profile_.min_enh_bytes;
  const bool known = standard || kind == Kind::kEnhEth || kind == Kind::kEnhIp || kind == Kind::kRed;
  return known && packet.length == packet.header.length() && packet.length >= least &&
         packet.length <= profile_.mtu_bytes;
}

Drop InputMac::StatusOf(const fabric::Packet& packet) const {
  if (packet.fault != Drop::kNone) return packet.fault;
  if (!packet.enh && packet.length > profile_.mtu_bytes) return Drop::kLong;
  if (!packet.enh && packet.length < profile_.min_std_bytes) return Drop::kShort;
  if (packet.bad) return Drop::kStomped;
  return !packet.enh && golden::IsControl(packet.frame->data()) ? Drop::kControl : Drop::kNone;
}

std::optional<golden::PauseRequest> InputMac::PauseOf(const fabric::Packet& packet) const {
  if (packet.enh || !Takes(packet) || StatusOf(packet) != Drop::kControl) return std::nullopt;
  return golden::ParsePause(packet.frame->data());
}

void InputMac::Begin(fabric::Packet* packet, Cycle a0) {
  packet->acquire();
  open_.push_back({packet, a0, false});
}

std::deque<InputMac::Open>::iterator InputMac::Find(const fabric::Packet& packet) {
  return std::find_if(open_.begin(), open_.end(), [&](const Open& open) { return open.packet == &packet; });
}

bool InputMac::Close(const fabric::Packet& packet) {
  const auto open = Find(packet);
  if (open == open_.end()) return true;
  const bool refused = open->refused;
  open->packet->release();
  open_.erase(open);
  return !refused;
}

}  // namespace tilefly::systemc
