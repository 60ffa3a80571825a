// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "golden/common/cycle.h"

namespace tilefly::network {

/// When a link of a naive system works: first from cycle `up` on.
class NaiveLinkState {
 public:
  NaiveLinkState(Cycle up, int delay) : delay_(delay) { TakeDown(0, up); }

  void TakeDown(Cycle from, Cycle till) { downs_.emplace_back(from, till); }
  /// An end asks for it in cycle `now`.
  void GiveUp(Cycle now, Cycle retrain) {
    const Cycle from = now + 2 * delay_ + 536;
    TakeDown(from, from + std::max<Cycle>(retrain, 2 * delay_ + 548));
    ++given_up;
  }
  bool IsUp(Cycle now) const {
    return std::none_of(downs_.begin(), downs_.end(),
                        [&](const auto& down) { return now >= down.first && now < down.second; });
  }
  int given_up = 0;

 private:
  int delay_;
  std::vector<std::pair<Cycle, Cycle>> downs_;
};

}  // namespace tilefly::network
