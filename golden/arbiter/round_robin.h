// SPDX-License-Identifier: Apache-2.0
// Round-robin choices over masks (docs/blocks/arbiter.md): `tilefly_rr_arbiter` and `tilefly_hier_arbiter`.
#pragma once

#include <array>

#include "golden/common/types.h"

namespace tilefly::golden {

/// First requester at or after the pointer, wrapping. `requests` is not 0, `pointer` below 64.
inline int RoundRobin(std::uint64_t requests, int pointer) {
  const std::uint64_t after = requests & (~std::uint64_t{0} << pointer);
  return LowestBit(after != 0 ? after : requests);
}

/// Pointer after a choice that was used: winner + 1 modulo `size`.
inline std::uint8_t PointerAfter(int winner, int size) {
  return static_cast<std::uint8_t>(winner + 1 == size ? 0 : winner + 1);
}

/// 2C:1 choices per row, then R:1 over the rows; a level's pointer moves only when its choice is granted at the top.
class HierarchicalArbiter {
 public:
  struct Choice {
    int row;    ///< -1 when nobody requests
    int input;  ///< input of the row
  };

  /// `rows` of `inputs` requesters each.
  HierarchicalArbiter(int rows, int inputs) : rows_(rows), inputs_(inputs) {}

  /// The choice among `requests`, a mask of inputs a row.
  Choice Evaluate(const std::uint32_t* requests) const {
    std::uint64_t rows = 0;
    for (int row = 0; row < rows_; ++row) {
      if (requests[row] != 0) rows |= Bit(row);
    }
    if (rows == 0) return {-1, 0};
    const int row = RoundRobin(rows, top_);
    return {row, RoundRobin(requests[row], leaf_[row])};
  }
  /// The choice was used.
  void Commit(const Choice& choice) {
    if (choice.row < 0) return;
    leaf_[choice.row] = PointerAfter(choice.input, inputs_);
    top_ = PointerAfter(choice.row, rows_);
  }

 private:
  int rows_;
  int inputs_;
  std::uint8_t top_ = 0;
  std::array<std::uint8_t, kMaxRows> leaf_{};
};

}  // namespace tilefly::golden
