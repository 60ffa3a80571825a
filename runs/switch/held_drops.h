// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "generated/registers.h"
#include "golden/common/cycle.h"

namespace tilefly::runs {

/// Drops of a port with retry that may be of the attempt that is coming in. Whether the attempt is a packet or was broken
/// off is known only behind its last word.
class HeldDrops {
 public:
  /// Keeps a drop of event cycle `cycle` that may be of the attempt whose first word came in `attempt`. Returns false for
  /// any other drop; `attempt` -1: there is no attempt.
  bool Hold(Cycle attempt, bool cut_through, Cycle cycle, Drop reason) {
    if (attempt < 0 || reason == Drop::kClassFull) return false;
    if (cycle != attempt + kAdmission && !(cut_through && cycle == attempt + kLookedUp)) return false;
    attempt_ = attempt;
    held_.push_back({cycle, reason});
    return true;
  }
  /// Tells what is held, once the attempt that comes in is not the one that it may be of.
  template <typename Tell>
  void Release(Cycle attempt, Tell&& tell) {
    if (held_.empty() || attempt == attempt_) return;
    for (const auto& [cycle, reason] : held_) tell(cycle, reason);
    held_.clear();
  }

 private:
  // Judges write these apart from golden/common/stage_times.h, on purpose.
  static constexpr Cycle kAdmission = 4;  ///< from an attempt's first word to the drop of one that is not admitted
  static constexpr Cycle kLookedUp = 18;  ///< to the drop of one that is cut through and has no way

  struct Held {
    Cycle cycle;
    Drop reason;
  };
  Cycle attempt_ = -1;
  std::vector<Held> held_;
};

}  // namespace tilefly::runs
