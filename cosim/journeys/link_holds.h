// SPDX-License-Identifier: Apache-2.0
// For how long link-level retry held packets that were in an output buffer: the link was free, and took none of them, for
// the replay buffer had no room, SerDes lanes changed, or the link was down. The record does not show until when a take
// keeps the link busy. This follows from the cycle in which the cells of the packet are free, which the room of the output
// buffer shows (docs/blocks/egress.md, Output buffer).
#pragma once

#include <deque>
#include <vector>

#include "cosim/device.h"
#include "generated/profile.h"

namespace tilefly::cosim {

class LinkHolds {
 public:
  explicit LinkHolds(const Profile& profile)
      : outputs_(static_cast<std::size_t>(profile.ports), Output{{}, {}, 0, kNever, profile.obuf_cells, 0, 1}) {}

  /// Takes the record that is seen in cycle `now`. Call it in every cycle.
  void Sample(Cycle now, const Observation& observation);
  /// Of the packet that the link took last: its cycles of that kind. `first`: event of its first cell. Packets are asked
  /// for in the order in which the link takes them.
  Cycle Before(int output, Cycle first);

 private:
  /// A packet that the link took, whose cells are not free yet.
  struct Take {
    Cycle at;  ///< event
    int lanes;
  };
  /// Cycles [from, to) in which the link was free and packets waited.
  struct Held {
    Cycle from, to;
  };
  struct Output {
    std::deque<Take> reading;
    std::deque<Held> held;
    Cycle free;         ///< from which on the last take does not keep the link busy; known when `reading` is empty
    Cycle waits_since;  ///< event: the first of the packets that wait has come; kNever: none waits
    int room;           ///< of the record before
    int waiting;        ///< packets
    int lanes;          ///< of the record before
  };

  static void Free(Cycle event, Output* output);
  static void TakeOne(Cycle event, Output* output);

  std::vector<Output> outputs_;
};

}  // namespace tilefly::cosim
