// SPDX-License-Identifier: Apache-2.0
// Which launch has a lane of the ring when, for loosely timed use: a launch is booked by the call that brings its last
// part, and a call cannot wait for its turn.
#pragma once

#include <deque>

#include "generated/registers.h"
#include "golden/common/types.h"

namespace tilefly::systemc {

/// The launches of a lane. Those of streams go one behind the other. A short operation takes its turn behind the launch
/// under way (docs/blocks/reduction.md, CFU: launches), and a waiting launch of another candidate goes between two of its
/// own: launches that were booked for that time go back in the books, though their times have been told.
class LaneLedger {
 public:
  struct Turn {
    Cycle start;
    Cycle end;  ///< exclusive
    RedCandidate candidate;
    bool streams;

    Turn From(Cycle cycle) const { return {cycle, cycle + end - start, candidate, streams}; }
  };

  /// The first cycle from `turn.start` on in which it may begin.
  Cycle Free(const Turn& turn) const {
    const Cycle cycles = turn.end - turn.start;
    Cycle start = turn.start;
    bool others_go = false;  // it had the last turn
    for (const Turn& booked : turns_) {
      if (booked.end <= start) continue;
      if (turn.streams ? booked.start >= start + cycles : booked.start > start) break;
      const bool own = booked.candidate == turn.candidate;
      if (!turn.streams && booked.start == start && !own && !others_go) break;
      start = booked.end;
      others_go = own;
    }
    return start;
  }

  /// Books the turn at its start, which is free. What ended by `past`, before which nobody will ask, is forgotten.
  void Book(Cycle past, const Turn& turn) {
    while (!turns_.empty() && turns_.front().end <= past) turns_.pop_front();
    auto at = turns_.begin();
    while (at != turns_.end() && at->start < turn.start) ++at;
    at = turns_.insert(at, turn);
    Cycle free = turn.end;
    for (++at; at != turns_.end() && at->start < free; ++at) {
      *at = at->From(free);
      free = at->end;
    }
  }

 private:
  std::deque<Turn> turns_;  ///< apart from one another, by their starts
};

}  // namespace tilefly::systemc
