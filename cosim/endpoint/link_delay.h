// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "golden/common/cycle.h"

namespace tilefly::cosim {

/// A wire of `cycles` cycles, 1 or more, on which `idle` is at first.
template <typename Item>
class LinkDelay {
 public:
  explicit LinkDelay(int cycles, const Item& idle = {}) : ring_(static_cast<std::size_t>(cycles), idle) {}

  /// What comes out in cycle `now`. Call it before Put.
  const Item& Out(Cycle now) const { return ring_[At(now)]; }
  /// Puts in what comes out `cycles` cycles after `now`. To be called in every cycle.
  void Put(Cycle now, const Item& item) { ring_[At(now)] = item; }

 private:
  std::size_t At(Cycle now) const { return static_cast<std::size_t>(now) % ring_.size(); }

  std::vector<Item> ring_;
};

}  // namespace tilefly::cosim
