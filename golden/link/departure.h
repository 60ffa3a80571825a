// SPDX-License-Identifier: Apache-2.0
// What a link takes of a switch: packets, and the PAUSE frames of a port.
#pragma once

#include <array>
#include <vector>

#include "golden/link/frame_format.h"
#include "golden/state/packet.h"

namespace tilefly::golden {

/// A packet that a link takes: its word k is on `link_o` in take + 8 + floor(4k / serdes_lanes).
struct Departure {
  /// Whether it is sent: not what is discarded, nor an enhanced IP frame for want of an Ethernet header.
  bool has_words() const { return !lost && (format.conversion != Conversion::kEthernet || eth >= 0); }

  Cycle take;
  HeaderBits header;  ///< as it leaves
  Payload payload;
  FrameFormat format;
  std::uint16_t length;  ///< of the stored frame
  std::int16_t eth;      ///< conversion kEthernet: index of the header in Departures::eth_headers, -1: none, no word is sent
  std::uint8_t port;
  std::uint8_t serdes_lanes;
  bool last_copy;        ///< no other packet with this payload is in the switch
  bool cut_through;      ///< its end may not have come yet: it may still turn out to be damaged
  bool lost = false;     ///< the link is down and the packet is discarded: no word is sent
};

/// A PAUSE frame that a link takes; on the wire like a departure.
struct PauseFrame {
  Cycle take;
  std::uint32_t address;  ///< own fabric address
  std::uint16_t quanta;
  std::uint8_t port;
  std::uint8_t serdes_lanes;
};

/// What the links take in a cycle.
struct Departures {
  void Clear() {
    packets.clear();
    pauses.clear();
    eth_headers.clear();
  }
  /// Ethernet header that goes before the packet, zeros when none does.
  std::array<std::uint8_t, kEthBytes> EthOf(const Departure& departure) const {
    return departure.eth < 0 ? std::array<std::uint8_t, kEthBytes>{} : eth_headers[departure.eth];
  }
  std::vector<Departure> packets;
  std::vector<PauseFrame> pauses;
  std::vector<std::array<std::uint8_t, kEthBytes>> eth_headers;
};

}  // namespace tilefly::golden
