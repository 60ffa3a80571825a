// SPDX-License-Identifier: Apache-2.0
// How long a PAUSE lasts, from the page's formula (docs/blocks/link.md, PAUSE). Golden has a function of its own, which
// what is told the times by this one is judged against.
#pragma once

#include "golden/common/types.h"

namespace tilefly::bench {

/// floor(8q/m) cycles: a quantum is 512 bit times, and a lane brings 64 bits a cycle.
constexpr Cycle PauseTime(Cycle quanta, Cycle lanes) {
  constexpr Cycle kQuantumBits = 512, kLaneBits = 64;
  return quanta * kQuantumBits / (lanes * kLaneBits);
}

}  // namespace tilefly::bench
