// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "golden/common/cycle.h"

namespace tilefly::network {

/// When the state of a run is saved: each time that `every` cycles have passed, and before a stopped run ends.
class SaveTimes {
 public:
  /// `every` 0: only before a stopped run ends. `save` is called to save.
  void Set(Cycle every, std::function<void()> save) {
    save_ = std::move(save);
    every_ = every;
    next_ = kNever;
  }
  /// Called when a round begins in cycle `begins`. `stop`: the run ends here.
  void SaveWhenDue(Cycle begins, bool stop) {
    if (!save_) return;
    if (next_ == kNever && every_ > 0) next_ = begins + every_;
    if (begins < next_ && !stop) return;
    save_();
    if (every_ > 0) next_ = begins + every_;
  }

 private:
  std::function<void()> save_;  ///< null: no state is saved
  Cycle every_ = 0;
  Cycle next_ = kNever;
};

}  // namespace tilefly::network
