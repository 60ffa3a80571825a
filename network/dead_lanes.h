// SPDX-License-Identifier: Apache-2.0
// SerDes lanes of one direction of a link that a fault plan takes down (docs/blocks/link_retry.md, Fault plan), and
// which lanes the sender uses: what both come to at the receiving end.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "golden/common/cycle.h"

namespace tilefly::network {

/// A SerDes lane that is dead for some time.
struct DeadLane {
  int lane;
  Cycle from;          ///< cycle of traffic, at the receiving end
  Cycle till;          ///< cycle from which on it works again; kNever: it stays dead
  std::string origin;  ///< of the event: "FILE:LINE: kind"
};

class DeadLanes {
 public:
  /// `dead`: by cycles of traffic, which begins in cycle `begin`. The sender uses `cable` lanes at first.
  DeadLanes(const std::vector<DeadLane>& dead, Cycle begin, int cable);

  // What the sender does, at the receiving end; told in the order of the cycles, and not later than they are asked for.

  /// The sender uses these lanes, a bit each, from cycle `from` on, where it sends no packet.
  void Use(Cycle from, unsigned lanes) { uses_.push_back({from, lanes}); }
  /// The words of a packet, from cycle `first` to cycle `last`, are on these lanes.
  void Carry(Cycle first, Cycle last, unsigned lanes) { packets_.push_back({first, last, lanes}); }

  /// Dead lanes that the sender uses in cycle `cycle`: word and slot of the cycle are bad.
  unsigned Hit(Cycle cycle) const { return DeadIn(cycle) & UsedIn(cycle); }
  /// The SerDes lanes that the sender uses in cycle `cycle`, a bit each.
  unsigned UsedIn(Cycle cycle) const;
  /// `lane_err` of the cycle: lanes that are not in use are looked at in each 64th.
  unsigned Errors(Cycle cycle) const;
  /// The first cycle from `from` on in which `lane_err` has one of `lanes`, as far as it is known what the sender does;
  /// kNever: none has.
  Cycle NextError(Cycle from, unsigned lanes) const;
  /// No cycle before `cycle` is asked for any more.
  void Forget(Cycle cycle);

  /// State between two cycles. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(dead_, uses_, packets_);
  }

 private:
  static constexpr Cycle kLook = 64;  ///< cycles from one look at lanes that are not in use to the next
  /// What is so from a cycle on.
  struct Lanes {
    Cycle from;
    unsigned lanes;
  };
  struct Packet {
    Cycle first, last;
    unsigned lanes;
  };

  unsigned DeadIn(Cycle cycle) const;
  Cycle NextChange(Cycle cycle) const;

  const Cycle begin_;
  std::deque<Lanes> dead_;  ///< by cycle; what was before the first is no more asked for
  std::deque<Lanes> uses_;  ///< likewise
  std::deque<Packet> packets_;
};

}  // namespace tilefly::network
