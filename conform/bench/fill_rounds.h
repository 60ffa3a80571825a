// SPDX-License-Identifier: Apache-2.0
// Rounds that fill a device to the brim: outputs take nothing until no input goes on, then all comes out. A queue that
// is a beat too short shows when the level before the longest frame is just what it has room for: so the level is
// swept.
#pragma once

#include <cstdint>
#include <vector>

#include "conform/bench/scenario.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

class FillRounds {
 public:
  /// Without rounds it holds up nothing.
  explicit FillRounds(const Scenario& scenario) : active_(scenario.fill_rounds > 0) {}

  /// Outputs take nothing.
  bool shut() const { return active_ && fills_; }
  /// Frames may begin.
  bool open() const { return !active_ || fills_; }
  /// No input goes on, in this cycle for the first time in the round.
  bool full() const { return full_; }
  /// What happened in cycle `now`: `goes_in`: an input's beat was taken, `waits`: one was not, `empty`: nothing is
  /// inside. True: a new round begins.
  bool Look(Cycle now, bool goes_in, bool waits, bool empty);

 private:
  bool active_;
  bool fills_ = true;
  bool full_ = false;
  Cycle begin_ = -1;  ///< of the round
  Cycle moved_ = 0;   ///< the latest cycle in which a beat went in
};

/// Rounds in which each input sweeps its part of the levels, at most `most`; `together`: inputs that sweep in a round.
int RoundsOf(const Capability& capability, int together, int most);

/// Beats of the frames that bring an empty queue to a level, of those that the nth of `total` sweeps: one to as many as
/// the longest frame has. What follows are longest frames.
std::vector<int> FillersOf(const Capability& capability, std::uint64_t seed, std::int64_t nth, std::int64_t total);

}  // namespace tilefly::conform
