// SPDX-License-Identifier: Apache-2.0
// The R:1 choice at a port among the column channels that end there (docs/blocks/crossbar.md), for grants and acks.
#pragma once

#include <array>
#include <deque>

#include "golden/common/agenda.h"
#include "systemc/arbiter/arbiter.h"
#include "systemc/switch/crossing.h"

namespace tilefly::systemc {

class ChannelMerge {
 public:
  /// The choice among `rows` channels.
  explicit ChannelMerge(int rows) : arbiter_(rows) {}

  /// Event of `cycle`: the message enters the fifo of the channel of `row`.
  void Enter(Cycle cycle, int row, Crossing* crossing) { entering_.Enter(cycle, {row, crossing}); }
  /// Decision of `now`: the message that arrives as an event of now + 1, null when there is none.
  Crossing* Decide(Cycle now) {
    entering_.Drain(now - 1, [&](const Entering& entering) {
      fifos_[entering.row].push_back(entering.crossing);
      waiting_ |= 1u << entering.row;
    });
    if (waiting_ == 0) return nullptr;
    std::deque<Crossing*>& fifo = fifos_[arbiter_.Choose(waiting_)];
    Crossing* const crossing = fifo.front();
    fifo.pop_front();
    if (fifo.empty()) waiting_ &= ~(1u << (&fifo - fifos_.data()));
    return crossing;
  }
  /// Whether there is a message to choose in the next cycle.
  bool waiting() const { return waiting_ != 0; }

 private:
  struct Entering {
    int row;
    Crossing* crossing;
  };

  golden::Agenda<Entering> entering_;
  std::array<std::deque<Crossing*>, golden::kMaxRows> fifos_;
  unsigned waiting_ = 0;  ///< rows
  Arbiter arbiter_;
};

}  // namespace tilefly::systemc
