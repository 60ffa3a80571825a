// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "golden/common/cycle.h"

namespace tilefly::network {

/// When a run's state is saved: each time that so many cycles have passed, and before a run ends that is stopped.
class SaveTimes {
 public:
  /// `every` 0: only before a run that is stopped ends.
  void Set(Cycle every, std::function<void()> save) {
    save_ = std::move(save);
    every_ = every;
    next_ = kNever;
  }
  /// A round begins in cycle `begins`. `stop`: the run ends.
  void SaveWhenDue(Cycle begins, bool stop) {
    if (!save_) return;
    if (next_ == kNever && every_ > 0) next_ = begins + every_;
    if (begins < next_ && !stop) return;
    save_();
    if (every_ > 0) next_ = begins + every_;
  }

 private:
  std::function<void()> save_;  ///< null: nothing is saved
  Cycle every_ = 0;
  Cycle next_ = kNever;
};

}  // namespace tilefly::network
