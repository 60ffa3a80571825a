// SPDX-License-Identifier: Apache-2.0
// Room of an input buffer (docs/blocks/ingress.md, Admission and Class shares). Cells that go free are told in advance:
// counting them costs no kernel event.
#pragma once

#include "golden/common/agenda.h"
#include "golden/ingress/class_shares.h"

namespace tilefly::systemc {

class InputBuffer {
 public:
  /// Of `cells` of 48 B.
  explicit InputBuffer(int cells) : cells_(cells) {}

  /// Event of `cycle`: a packet that reserves `cells`; false: no room. Cycles of calls do not decrease.
  bool Admit(Cycle cycle, int cells) {
    Roll(cycle - 1);
    if (used_ + cells > cells_) return false;
    used_ += cells;
    return true;
  }
  /// Event of `cycle`: an accounted packet of class `tc` comes to the queue stage; false: its class has no room.
  bool Account(Cycle cycle, const golden::ClassShares& shares, int tc, int cells) {
    Roll(cycle - 1);
    if (!account_.Admits(shares, tc, cells)) return false;
    account_.Add(tc, cells);
    return true;
  }
  /// Event: `cells` of a reserve were not needed.
  void Correct(int cells) { used_ -= cells; }
  /// Event of `cycle`, which may be to come: `cells` go free, those in the account of class `tc`, -1: in none.
  void Free(Cycle cycle, int cells, int tc) { freed_.Enter(cycle, {cells, tc}); }

  /// Cells accounted, when those that have gone free since are not looked at.
  int most() const { return used_; }
  /// The next event in which cells go free that have not been counted, kNever: none is known.
  Cycle NextFreed() const { return freed_.Next(); }
  /// Cells accounted after the events of `cycle`.
  int Used(Cycle cycle) {
    Roll(cycle);
    return used_;
  }

 private:
  struct Freed {
    int cells;
    int tc;
  };
  void Roll(Cycle cycle) {
    freed_.Drain(cycle, [&](const Freed& freed) {
      used_ -= freed.cells;
      if (freed.tc >= 0) account_.Add(freed.tc, -freed.cells);
    });
  }

  int cells_;
  int used_ = 0;
  golden::ClassAccount account_;
  golden::Agenda<Freed> freed_;
};

}  // namespace tilefly::systemc
