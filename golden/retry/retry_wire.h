// SPDX-License-Identifier: Apache-2.0
// What both halves of the retry block share (docs/blocks/retry.md): the report of the control slot, how lanes are read,
// and the arithmetic of numbers.
#pragma once

#include <cstdint>

#include "golden/common/types.h"

namespace tilefly::golden {

/// A report: all packets before `seq` are accepted; with `nack`, replay from there.
struct RetryReport {
  bool valid = false;
  bool nack = false;
  std::uint16_t seq = 0;
};
inline bool operator==(const RetryReport& a, const RetryReport& b) {
  return a.valid == b.valid && a.nack == b.nack && a.seq == b.seq;
}

/// SerDes lanes that `lanes_i` stands for: values outside 1..4 work as 4.
constexpr int RetryLanes(int lanes) { return lanes >= 1 && lanes <= 4 ? lanes : 4; }

/// Numbers of `bits` bits: all arithmetic is modulo 2^bits.
class RetryNumbers {
 public:
  constexpr explicit RetryNumbers(int bits) : count_(1 << bits) {}
  constexpr int half() const { return count_ / 2; }
  constexpr int Of(int a) const { return a & (count_ - 1); }
  constexpr bool Ahead(int a, int b) const { return Of(a - b) >= 1 && Of(a - b) < half(); }

 private:
  int count_;
};

}  // namespace tilefly::golden
