// SPDX-License-Identifier: Apache-2.0
// What a switch that reduces wants of the one who keeps its packets' bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "generated/wire.h"
#include "golden/ingress/packet.h"

namespace tilefly::golden {

class RedBytes {
 public:
  virtual ~RedBytes() = default;
  /// Reduction header of a packet that has begun to come.
  virtual Red HeaderOf(Payload payload) const = 0;
  /// Data of a packet that has come, from its word 1 on: as many bytes as its header says. Null: packets carry none.
  virtual const std::uint8_t* DataOf(Payload payload) const = 0;
  /// A packet that the switch makes: a frame of `length` bytes with this header and `data`, or as many bytes that
  /// nobody carries. It is the switch's up to the last copy's take.
  virtual Payload Make(const Red& header, int length, const std::vector<std::uint8_t>& data) = 0;
};

}  // namespace tilefly::golden
