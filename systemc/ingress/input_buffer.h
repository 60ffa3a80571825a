// SPDX-License-Identifier: Apache-2.0
// Room of an input buffer (docs/blocks/ingress.md, Admission and Class shares). Cells that go free are told in advance,
// and counting them costs no kernel event.
#pragma once

#include "golden/common/agenda.h"
#include "golden/registers/class_shares.h"

namespace tilefly::systemc {

class InputBuffer {
 public:
  /// A buffer of `cells` cells of 48 B.
  explicit InputBuffer(int cells) : cells_(cells) {}

  /// Event of `cycle`: a packet comes in that reserves `cells` cells. Returns false when there is no room. The cycles
  /// of calls must not decrease.
  bool Admit(Cycle cycle, int cells) {
    Roll(cycle - 1);
    if (used_ + cells > cells_) return false;
    used_ += cells;
    return true;
  }
  /// Event of `cycle`: a packet of class `tc` that is accounted comes to the queue stage. Returns false when its class
  /// has no room.
  bool Account(Cycle cycle, const golden::ClassShares& shares, int tc, int cells) {
    Roll(cycle - 1);
    if (!account_.Admits(shares, tc, cells)) return false;
    account_.Add(tc, cells);
    return true;
  }
  /// Event: `cells` reserved cells were not needed.
  void Correct(int cells) { used_ -= cells; }
  /// Event of `cycle`, which may be to come: `cells` cells go free. `tc`: the class in whose account they are; -1: they
  /// are in no account.
  void Free(Cycle cycle, int cells, int tc) { freed_.Enter(cycle, {cells, tc}); }

  /// Cells accounted; cells that have gone free since the last event may still be counted.
  int most() const { return used_; }
  /// The next event in which cells go free that are still counted, kNever: none is known.
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
