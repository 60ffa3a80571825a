// SPDX-License-Identifier: Apache-2.0
// Loads after the events of every cycle, all written down, and what the load ring is to show of them
// (docs/blocks/routing.md).
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "golden/common/types.h"

namespace tilefly::golden {

class LoadsByCycle {
 public:
  static constexpr int kPorts = 8;

  /// The load of `output` changes in cycle `now`.
  void Add(Cycle now, int output, int cells) {
    Reach(now);
    loads_.back()[static_cast<std::size_t>(output)] += cells;
  }
  /// It is `load` after the events of cycle `now`.
  void Set(Cycle now, int output, int load) {
    Reach(now);
    loads_.back()[static_cast<std::size_t>(output)] = load;
  }
  /// What decisions of cycle `decision` see, by epochs of so many cycles; the events that count are written down.
  int Visible(Cycle decision, Cycle epoch, int output) const {
    if (decision < epoch) return 0;
    const Cycle last = epoch * (decision / epoch - 1) - 2;  // that counts
    if (last < 0 || loads_.empty()) return 0;
    const auto& loads = loads_[std::min(static_cast<std::size_t>(last), loads_.size() - 1)];
    return std::min(4095, loads[static_cast<std::size_t>(output)]);
  }
  /// The latest.
  int load(int output) const { return loads_.empty() ? 0 : loads_.back()[static_cast<std::size_t>(output)]; }

 private:
  void Reach(Cycle now) {
    while (static_cast<Cycle>(loads_.size()) <= now) {
      loads_.push_back(loads_.empty() ? std::array<int, kPorts>{} : loads_.back());
    }
  }
  std::vector<std::array<int, kPorts>> loads_;
};

}  // namespace tilefly::golden
