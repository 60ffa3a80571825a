// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/common/bytes.h"
#include "generated/wire.h"

namespace tilefly::cosim {

/// A reduction packet as its two ends see it (docs/blocks/reduction.md, Packets).
struct RedPacket {
  Red red;
  Bytes data;  ///< no data when red.empty, else red.bytes bytes
};

}  // namespace tilefly::cosim
