// SPDX-License-Identifier: Apache-2.0
// What a switch that reduces needs from the owner of its packets' bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "generated/wire.h"
#include "golden/state/packet.h"

namespace tilefly::golden {

class RedBytes {
 public:
  virtual ~RedBytes() = default;
  /// Reduction header of a packet whose first word has come.
  virtual Red HeaderOf(Payload payload) const = 0;
  /// Data of a packet that has come, from its word 1 on: as many bytes as its header says. Null when packets carry no
  /// data.
  virtual const std::uint8_t* DataOf(Payload payload) const = 0;
  /// Makes a packet of the switch: a frame of `length` bytes with this header and `data`. Where packets carry no data,
  /// only the number of bytes counts. The payload belongs to the switch until a link takes the last copy.
  virtual Payload Make(const Red& header, int length, const std::vector<std::uint8_t>& data) = 0;
};

}  // namespace tilefly::golden
