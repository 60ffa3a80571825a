// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/endpoint/link_sender.h"

namespace tilefly::cosim {

/// A reduction packet as its two ends see it (docs/blocks/reduction.md, Packets).
struct RedPacket {
  Red red;
  Bytes data;  ///< none when red.empty, else red.bytes
};

/// A peer of a reduction port, and how its packets travel.
struct RedAddress {
  std::uint32_t address = 0;  ///< fabric address
  bool node = false;          ///< it is an aggregation node
  int vl = 0;                 ///< lane of what goes to it
  int tc = 0;
};

/// The frame that a peer sends to the switch behind `port`, on `vl`.
std::shared_ptr<Frame> MakeRedFrame(const SwitchSetup& setup, int port, const RedAddress& from, int vl, const RedPacket& packet);
/// What came for `peer`. Throws CheckFailure unless its header is the peer's, its length follows from `red`, and the rest
/// of it is zero.
RedPacket ParseRedFrame(const SwitchSetup& setup, const RedAddress& peer, const Reception& reception);
/// Whether the frame is a reduction packet.
inline bool IsRed(bool enh, const Header& header) { return enh && header.kind == static_cast<std::uint8_t>(Kind::kRed); }

}  // namespace tilefly::cosim
