// SPDX-License-Identifier: Apache-2.0
// Which SerDes lanes a sender of a naive system uses, cycle by cycle (docs/network.md, Links with faults).
#pragma once

#include <array>
#include <deque>

#include "generated/wire.h"
#include "golden/common/cycle.h"

namespace tilefly::network {

/// What is on its way on a link.
struct NaiveOnWire {
  Cycle cycle;  ///< in which it is at the far end
  Link link;
  unsigned used;  ///< SerDes lanes, a bit each
};

class NaiveLaneUse {
 public:
  /// `stages`: cycles from a packet's start in the retry half to its first word on the link.
  NaiveLaneUse(int cable, int stages) : all_((1u << cable) - 1), stages_(stages) { history_.assign(8, all_); }

  /// The lanes of the words, and of the slot, of this cycle. `m`: lanes that the sender has in use in it.
  unsigned Of(const Link& link, int m) {
    if (m == Count(Wanted())) lanes_now_ = Wanted();
    history_.push_front(lanes_now_);
    history_.pop_back();
    if (link.word.valid && link.word.sop) packet_ = history_[static_cast<std::size_t>(stages_)];
    const unsigned used = (link.word.valid || in_packet_) ? packet_ : lanes_now_;
    if (link.word.valid) in_packet_ = !link.word.eop;
    return used;
  }
  /// What comes to the sender in this cycle counts from the next one on.
  void Hear(const Link& link, bool up) {
    if (!up) {
      avoid_ = 0;
      in_packet_ = false;
    } else if (!link.ctrl.err && link.ctrl.lanes_valid) {
      avoid_ = link.ctrl.lanes_bad;
    }
  }

 private:
  static int Count(unsigned lanes) { return __builtin_popcount(lanes); }
  unsigned Wanted() const { return (all_ & ~avoid_) == 0 ? 1 : all_ & ~avoid_; }

  const unsigned all_;
  const int stages_;
  unsigned avoid_ = 0;
  unsigned lanes_now_ = all_;
  unsigned packet_ = 0;
  bool in_packet_ = false;
  std::deque<unsigned> history_;  ///< the lanes of this cycle and of those before
};

}  // namespace tilefly::network
