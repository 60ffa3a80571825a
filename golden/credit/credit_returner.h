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
  /// Cells of lane `v` freed since reset, modulo 65536; at a retry port less those that were resident at link down.
  std::uint16_t freed(int v) const { return freed_[v]; }

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

  /// At a retry port: the link is down. Of lane `v` the MAC took `taken[v]` cells since link up; those that are
  /// still resident are to be told at link up.
  void Restart(const std::array<std::uint16_t, kMaxLanes>& taken) {
    for (int v = 0; v < kMaxLanes; ++v) freed_[v] = static_cast<std::uint16_t>(freed_[v] - taken[v]);
    pending_ = 0;
  }
  /// The port becomes a retry port: what was freed before does not count.
  void Forget() { freed_ = {}; }
  /// At a retry port: the link is up again, and each of `lanes` lanes is to say what it holds.
  void Speak(int lanes) { pending_ = static_cast<std::uint16_t>(Bit(lanes) - 1); }

 private:
  std::array<std::uint16_t, kMaxLanes> freed_{};
  std::uint16_t pending_ = 0;
  std::uint8_t pointer_ = 0;
};

}  // namespace tilefly::golden
