// SPDX-License-Identifier: Apache-2.0
// What a child or the parent contributes to a launch: an entry of a reduction port (docs/blocks/reduction.md, Reduction
// port), the packets that bring an entry, and the packets that are made of a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/types.h"
#include "golden/reduction/arithmetic.h"

namespace tilefly::golden {

inline constexpr int kRedSlots = 2;
inline constexpr int kRedEngines = 8;

/// An entry: its record, in the fields of the collect word that it merges into, and its data.
struct RedPart {
  RedCollect record;
  std::vector<std::uint8_t> data;  ///< record.bytes of them; none when packets carry none

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(record, data);
  }
};

/// A packet that the switch makes.
struct RedFrame {
  /// Bytes of a frame with `data_bytes` bytes of data.
  static int LengthOf(const Profile& profile, int data_bytes);

  Red header;
  int data_bytes = 0;
  std::vector<std::uint8_t> data;
};

/// Bytes of data in a packet with this header.
inline int DataBytes(const Red& header) { return header.empty ? 0 : header.bytes; }
/// Whether the bytes of the operands are a multiple of the unit that counts as a whole, and the operands may be
/// combined.
inline bool HasLegalLanes(const Red& header) {
  const auto op = static_cast<RedOp>(header.op);
  const auto type = static_cast<RedType>(header.dtype);
  return header.bytes % UnitBytes(op, type) == 0 && (header.bytes == 0 || IsLegal(op, type));
}

/// Record of a SEGMENT or RESULT.
RedPart SegmentPart(const Red& header, const std::uint8_t* data);
/// Record of a SHORT or SHORT_RESULT.
RedPart ShortPart(const Red& header, const std::uint8_t* data);

/// The published packet of the small-operand engine.
namespace small {
inline constexpr int kBytes = 49;
inline constexpr int kOperandsAt = 17;

RedPart Part(const std::uint8_t* packet);
/// The packet of what was merged. `operands`: 32 bytes.
std::vector<std::uint8_t> PacketOf(const RedCollect& merged, const std::uint8_t* operands);
/// The greatest return code that the flags of a combiner stand for.
RedRc CodeOf(std::uint8_t flags);
}  // namespace small

}  // namespace tilefly::golden
