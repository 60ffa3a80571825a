// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "cosim/common/bytes.h"

namespace tilefly::cosim {

/// The published packet of the small-operand engine (docs/blocks/reduction-trees.md, Small-operand engine).
struct SmallPublished {
  std::uint32_t cookie = 0;
  int pad = 0;
  int repsum_ovfl = 0;
  int repsum_m = 0;
  int rc = 0;
  int resno = 0;
  int count = 0;
  int op = 0;
  bool arm = false;
  int seqno = 0;
  std::array<std::uint8_t, 32> operands{};

  static constexpr int kBytes = 49;
  static constexpr int kNumbers = 1024;  ///< of seqno
  Bytes ToBytes() const;
  static SmallPublished Of(const Bytes& bytes);
  /// By how many numbers `seqno` comes after `first`, modulo kNumbers.
  static int Since(int first, int seqno) { return (seqno - first % kNumbers + kNumbers) % kNumbers; }
};

}  // namespace tilefly::cosim
