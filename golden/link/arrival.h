// SPDX-License-Identifier: Apache-2.0
// What a link brings a switch of a packet: its start and its end.
#pragma once

#include "golden/state/packet.h"

namespace tilefly::golden {

/// The start of a packet, as its first word tells it.
struct Arrival {
  bool enh;           ///< it starts with the internal header
  HeaderBits header;  ///< when enh; kind and length are in range
  Payload payload;
  int serdes_lanes = 0;  ///< pace of its words, as the tag of a retry port says; 0: that of the port
};

/// The end of a packet, as the MAC judges it (docs/blocks/link.md, End status).
struct End {
  Drop status = Drop::kNone;
  int length = 0;       ///< of a bare frame: bytes seen, FCS included
  BareFields fields{};  ///< of a bare frame that is good
};

}  // namespace tilefly::golden
