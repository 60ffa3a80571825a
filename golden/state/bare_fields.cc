// SPDX-License-Identifier: Apache-2.0
#include "golden/state/bare_fields.h"

namespace tilefly::golden {
namespace {

constexpr int kEtherTypeAt = 12;
constexpr int kTagBytes = 4;
constexpr int kTypeVlan = 0x8100;
constexpr int kTypeServiceVlan = 0x88A8;
constexpr int kTypeIpv4 = 0x0800;
constexpr int kTypeIpv6 = 0x86DD;

int BigEndian16(const std::uint8_t* bytes) { return bytes[0] << 8 | bytes[1]; }

}  // namespace

BareFields BareFields::Parse(const std::uint8_t* frame) {
  BareFields fields{};
  for (int i = 0; i < 6; ++i) fields.destination = fields.destination << 8 | frame[i];
  int at = kEtherTypeAt;
  int type = BigEndian16(frame + at);
  if (type == kTypeVlan || type == kTypeServiceVlan) {
    fields.tagged = true;
    fields.pcp = static_cast<std::uint8_t>(frame[at + 2] >> 5);
    at += kTagBytes;
    type = BigEndian16(frame + at);
  }
  const std::uint8_t* packet = frame + at + 2;
  if (type == kTypeIpv4) {
    fields.ip = true;
    fields.dscp = static_cast<std::uint8_t>(packet[1] >> 2);
  } else if (type == kTypeIpv6) {
    fields.ip = true;
    fields.dscp = static_cast<std::uint8_t>((packet[0] & 0xF) << 2 | packet[1] >> 6);
  }
  return fields;
}

}  // namespace tilefly::golden
