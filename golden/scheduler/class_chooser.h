// SPDX-License-Identifier: Apache-2.0
// Chooses the class that an output serves next (docs/blocks/scheduler.md): round-robin over the active classes. The Deficit
// Table takes the same place.
#pragma once

#include "golden/arbiter/round_robin.h"

namespace tilefly::golden {

class ClassChooser {
 public:
  /// The class served in this cycle; `active` is not 0.
  int Choose(unsigned active) const { return RoundRobin(active, pointer_); }
  /// A grant was given to `chosen`.
  void Granted(int chosen, int classes) { pointer_ = PointerAfter(chosen, classes); }

 private:
  std::uint8_t pointer_ = 0;
};

}  // namespace tilefly::golden
