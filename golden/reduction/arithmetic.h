// SPDX-License-Identifier: Apache-2.0
// What the combiners of the reduction ring compute with words of operands (docs/blocks/arithmetic.md).
#pragma once

#include <array>
#include <cstdint>

#include "generated/registers.h"

namespace tilefly::golden {

inline constexpr int kOperandBytes = 32;
/// A word: lane i of s bytes is bytes s * i .. s * i + s - 1, the lowest byte first.
using Operands = std::array<std::uint8_t, kOperandBytes>;

/// Bits of Combined::flags.
inline constexpr std::uint8_t kInexactFlag = 1;
inline constexpr std::uint8_t kOverflowFlag = 2;
inline constexpr std::uint8_t kInvalidFlag = 4;
inline constexpr std::uint8_t kIntOverflowFlag = 8;

/// An operation on words. `op` and `type` may have values without a name, which are illegal: Combine gives zeros for
/// them.
struct Operation {
  RedOp op = RedOp::kSum;
  RedType type = RedType::kInt16;
  RedRnd rnd = RedRnd::kNearest;  ///< of floating SUM
  bool ftz = false;               ///< floating SUM flushes subnormals
  std::uint8_t last = 31;         ///< bytes 0..last are operands
};

struct Combined {
  Operands y{};
  std::uint8_t flags = 0;
  friend bool operator==(const Combined& a, const Combined& b) { return a.y == b.y && a.flags == b.flags; }
};

constexpr bool IsFloat(RedType type) { return type >= RedType::kFloat16; }
/// Bytes of a lane.
constexpr int LaneBytes(RedType type) {
  constexpr std::array<int, 8> kBytes = {2, 4, 8, 2, 2, 4, 8, 8};
  return kBytes[static_cast<std::size_t>(type)];
}
/// Whether the operands are records: pairs of lanes, a value and its index.
constexpr bool HasRecords(RedOp op) {
  return (op >= RedOp::kMinloc && op <= RedOp::kMinmaxloc) || op == RedOp::kMinmaxnumloc;
}
/// Bytes of the unit that counts or does not count as a whole: a lane, or a record of an operation with records.
constexpr int UnitBytes(RedOp op, RedType type) { return LaneBytes(type) * (HasRecords(op) ? 2 : 1); }
constexpr bool IsLegal(RedOp op, RedType type) {
  if (type > RedType::kFloat64 || op > RedOp::kMinmaxnumloc) return false;
  return IsFloat(type) ? op < RedOp::kAnd || op > RedOp::kXor : op < RedOp::kMinnum;
}

/// Combines a and b (docs/blocks/arithmetic.md). An illegal pair of operation and type gives zeros.
Combined Combine(const Operation& operation, const Operands& a, const Operands& b);

/// What `tilefly_combine` makes with `use`: bit 0 says that a counts, bit 1 that b counts. A word that meets no other
/// keeps its bytes up to `last`, and nothing else happens to it.
Combined Combine(const Operation& operation, int use, const Operands& a, const Operands& b);

}  // namespace tilefly::golden
