// SPDX-License-Identifier: Apache-2.0
// When a link and a column channel are taken, for loosely timed use. Initiators run ahead of one another, so they book
// in any order. Bookings that end by `past` are forgotten: nobody asks for a time before it any more.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "golden/common/types.h"

namespace tilefly::systemc {

/// The cycles in which a link is taken.
class LinkLedger {
 public:
  /// Books the first `cycles` free cycles from `earliest` on. Returns the cycle in which a packet starts that ends with
  /// the last of them. Earlier bookings may lie between these cycles: so the link carries no more than it can, and no
  /// packet waits for a gap of its own size.
  Cycle Book(Cycle past, Cycle earliest, Cycle cycles) {
    while (!busy_.empty() && busy_.begin()->second <= past) busy_.erase(busy_.begin());
    Cycle start = earliest;
    auto next = busy_.upper_bound(start);
    if (next != busy_.begin() && std::prev(next)->second >= start) {
      --next;
      start = next->first;
    }
    // From `start` to `end` all will be busy: what is there is swallowed.
    Cycle last = earliest;  // behind the last one booked
    Cycle end = std::max(start, earliest);
    for (Cycle left = cycles;;) {
      const Cycle gap = next == busy_.end() ? left : std::max<Cycle>(0, next->first - end);
      const Cycle taken = std::min(gap, left);
      end += taken;
      left -= taken;
      if (taken > 0) last = end;
      if (next == busy_.end() || next->first > end) break;
      end = std::max(end, next->second);
      next = busy_.erase(next);
    }
    busy_.emplace(start, end);
    return last - cycles;
  }

  /// The same for a long packet. A short packet may take its turn behind it.
  Cycle BookLong(Cycle past, Cycle earliest, Cycle cycles) {
    long_ends_.erase(long_ends_.begin(), long_ends_.upper_bound(past));
    const Cycle start = Book(past, earliest, cycles);
    long_ends_.insert(start + cycles);
    return start;
  }

  /// Books for a short packet of a kind. It goes at the latest behind the long packet that is under way in `earliest`,
  /// though other packets were booked for later by then. Between two short packets of one kind a long packet that waits
  /// may go. Times that were already told stay: the cycles that the short packet takes from other packets are booked
  /// behind them.
  Cycle BookTurn(Cycle past, std::size_t kind, Cycle earliest, Cycle cycles) {
    const Cycle from = std::max(earliest, turn_ends_[kind]);
    const auto turn = long_ends_.lower_bound(from);
    Cycle start = Book(past, from, cycles);
    if (turn != long_ends_.end()) start = std::min(start, *turn);
    turn_ends_[kind] = start + cycles;
    return start;
  }

  static constexpr std::size_t kShortKinds = 2;

 private:
  std::map<Cycle, Cycle> busy_;  ///< from, to (exclusive); apart from one another
  std::set<Cycle> long_ends_;    ///< of the long packets
  std::array<Cycle, kShortKinds> turn_ends_{};  ///< of the last short packet, by kind
};

/// Owners of the column channel from a row to one output (docs/blocks/egress.md, Channel).
class ChannelLedger {
 public:
  /// Books the first cycle from `earliest` on in which `input` owns the channel or nobody does, and returns it: `input`
  /// is granted then. It owns the channel for `hold` cycles; where another input owns it meanwhile, the rest comes
  /// after.
  Cycle Book(Cycle past, int input, Cycle earliest, Cycle hold) {
    while (!turns_.empty() && turns_.begin()->second.end <= past) turns_.erase(turns_.begin());
    Cycle start = earliest;
    for (auto turn = turns_.begin(); turn != turns_.end() && turn->first <= start; ++turn) {
      if (turn->second.input != input) start = std::max(start, turn->second.end);
    }
    Cycle left = hold;
    for (Cycle at = start; left > 0;) {
      const auto next = turns_.upper_bound(at);
      if (next != turns_.begin() && std::prev(next)->second.end > at) {  // somebody's, perhaps its own
        const Turn& turn = std::prev(next)->second;
        if (turn.input == input) left -= turn.end - at;
        at = turn.end;
        continue;
      }
      const Cycle taken = next == turns_.end() ? left : std::min(left, next->first - at);
      turns_[at] = {at + taken, input};
      at += taken;
      left -= taken;
    }
    return start;
  }

 private:
  struct Turn {
    Cycle end;  ///< exclusive
    int input;
  };
  std::map<Cycle, Turn> turns_;  ///< by their first cycles; apart from one another
};

}  // namespace tilefly::systemc
