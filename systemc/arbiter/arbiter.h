// SPDX-License-Identifier: Apache-2.0
// A round-robin choice with its pointer (docs/blocks/arbiter.md).
#pragma once

#include "golden/arbiter/round_robin.h"

namespace tilefly::systemc {

class Arbiter {
 public:
  /// An arbiter for `size` requesters.
  explicit Arbiter(int size) : size_(size) {}

  /// Chooses one of `requests`, a mask that is not 0, and moves the pointer behind it. Returns the number of the
  /// requester.
  int Choose(std::uint64_t requests) {
    const int winner = golden::RoundRobin(requests, pointer_);
    pointer_ = golden::PointerAfter(winner, size_);
    return winner;
  }

 private:
  int size_;
  std::uint8_t pointer_ = 0;
};

}  // namespace tilefly::systemc
