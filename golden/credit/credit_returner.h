// SPDX-License-Identifier: Apache-2.0
// Receiver's side of the sender-owned shared buffer: which freed cells are reported next (docs/blocks/credit.md).
#pragma once

#include <array>

#include "golden/arbiter/round_robin.h"

namespace tilefly::golden {

class CreditReturner {
 public:
  struct Message {
    std::uint8_t vl;
    std::uint16_t cells;  ///< freed on the lane since reset, modulo 65536
  };

  bool pending() const { return pending_ != 0; }

  /// Decides the message of a cycle, round-robin over `lanes` lanes. Call it when a message is pending, before the
  /// cycle's `Free`.
  Message Decide(int lanes) {
    const int v = RoundRobin(pending_, pointer_);
    pointer_ = PointerAfter(v, lanes);
    pending_ = static_cast<std::uint16_t>(pending_ & ~(1u << v));
    return {static_cast<std::uint8_t>(v), freed_[v]};
  }

  /// `cells` cells of lane `v` become free.
  void Free(int v, int cells) {
    freed_[v] = static_cast<std::uint16_t>(freed_[v] + cells);
    pending_ = static_cast<std::uint16_t>(pending_ | 1u << v);
  }

 private:
  std::array<std::uint16_t, kMaxLanes> freed_{};
  std::uint16_t pending_ = 0;
  std::uint8_t pointer_ = 0;
};

}  // namespace tilefly::golden
