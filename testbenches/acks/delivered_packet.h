// SPDX-License-Identifier: Apache-2.0
// Packets that an output of a switch delivers, as its ack port sees them (docs/blocks/acks.md, "Made").
#pragma once

#include "generated/profile.h"
#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/types.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

inline constexpr std::uint32_t kReplicatedAddress = 0xf'ffff;

/// A packet that is being sent: taken in x, its last word read in e.
struct Sending {
  Header header;
  Cycle end;
  int cells;
  bool sent;
  bool bad;
};

/// A packet that is taken in `now`, with any header; its end is not drawn.
inline Sending DrawPacket(const Stimulus& random, const Profile& profile, Cycle now) {
  Sending packet;
  packet.header.len =
      static_cast<std::uint16_t>(random.Between(32, random.Chance(200, "short", now) ? 100 : 4224, "len", now));
  packet.header.hop = static_cast<std::uint8_t>(1 + random.Below(random.Chance(30, "far", now) ? 15 : 6, "hop", now));
  packet.header.flow = static_cast<std::uint16_t>(random.Below(1024, "flow", now));
  const int ports = random.Chance(16, "any port", now) ? 64 : profile.ports;
  packet.header.src = static_cast<std::uint32_t>(random.Below(1 << 14, "source's switch", now) << 6 |
                                                 random.Below(ports, "source's port", now));
  packet.header.dst = random.Chance(20, "replicated", now)
                          ? kReplicatedAddress
                          : static_cast<std::uint32_t>(random.Below(1 << 20, "dst", now));
  packet.header.kind = static_cast<std::uint8_t>(random.Chance(20, "reduction", now) ? Kind::kRed : Kind::kEnhEth);
  packet.header.tc = static_cast<std::uint8_t>(random.Below(8, "tc", now));
  packet.header.vl = static_cast<std::uint8_t>(random.Below(golden::kMaxLanes, "vl", now));
  packet.header.gen = random.Chance(128, "gen", now);
  packet.header.an = random.Chance(128, "an", now);
  for (int h = 0; h < 5; ++h) {
    packet.header.path |=
        static_cast<std::uint32_t>(random.Below(ports, "path", now, static_cast<std::uint32_t>(h)) << 6 * h);
  }
  packet.cells = (packet.header.len + 16 + 47) / 48;
  packet.sent = !random.Chance(20, "not sent", now);
  packet.bad = packet.sent && random.Chance(20, "bad", now);
  return packet;
}

}  // namespace tilefly::bench
