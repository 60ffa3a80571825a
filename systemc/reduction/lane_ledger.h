// SPDX-License-Identifier: Apache-2.0
// Which launch has a lane of the ring at which time, for loosely timed use. The call that brings a launch's last part
// books the launch, and a call cannot wait for its turn.
#pragma once

#include <deque>

#include "generated/registers.h"
#include "golden/common/types.h"

namespace tilefly::systemc {

/// The launches of a lane. Launches of streams follow one another. A short operation takes its turn behind the launch
/// that is under way (docs/blocks/reduction.md, CFU: launches), and a waiting launch of another candidate goes between
/// two short operations of one candidate. Launches that were booked for that time are moved back in the books, although
/// their times have been told.
class LaneLedger {
 public:
  struct Turn {
    Cycle start;
    Cycle end;  ///< exclusive
    RedCandidate candidate;
    bool streams;

    Turn From(Cycle cycle) const { return {cycle, cycle + end - start, candidate, streams}; }
  };

  /// The first cycle from `turn.start` on in which the launch may begin.
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

  /// Books the turn at its start, which must be free. Turns that ended by `past` are forgotten: nobody asks for a time
  /// before it any more.
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
