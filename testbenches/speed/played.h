// SPDX-License-Identifier: Apache-2.0
// What a run puts on the links of a device, to be played to any device alone.
#pragma once

#include <vector>

#include "cosim/device.h"

namespace tilefly::cosim {

using Played = std::vector<Device::Inputs>;

/// Cycles of traffic at the end of what is played; configuration comes before.
inline constexpr Cycle kTrafficCycles = 3000;

/// The inputs of a golden rosetta64 under uniform traffic of `bytes` at `load` percent, recorded once.
const Played& PlayedInputs(int bytes, int load);

}  // namespace tilefly::cosim
