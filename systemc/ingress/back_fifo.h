// SPDX-License-Identifier: Apache-2.0
// Packets that outputs have given back to an input, because their links are down, until they pass the descriptor
// pipeline again (docs/blocks/link_retry.md, Taken back).
#pragma once

#include <algorithm>
#include <deque>

#include "systemc/switch/crossing.h"

namespace tilefly::systemc {

class BackFifo {
 public:
  /// Event of `cycle`: a packet joins.
  void Join(Cycle cycle, Stored* stored) { packets_.push_back({cycle, stored}); }
  /// The first event in which the oldest packet may enter the pipeline, not before `cycle`; kNever: there is none.
  Cycle Next(Cycle cycle) const { return packets_.empty() ? kNever : std::max(cycle, packets_.front().joined + kStay); }
  /// Takes the oldest packet out.
  Stored* Pop() {
    Stored* const stored = packets_.front().stored;
    packets_.pop_front();
    return stored;
  }

 private:
  static constexpr Cycle kStay = 2;  ///< cycles that a packet is in the fifo, at least

  struct Joined {
    Cycle joined;
    Stored* stored;
  };
  std::deque<Joined> packets_;
};

}  // namespace tilefly::systemc
