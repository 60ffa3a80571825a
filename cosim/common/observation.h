// SPDX-License-Identifier: Apache-2.0
// What a switch shows of its inside in each cycle. A reader of this record needs no device.
#pragma once

#include <vector>

#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/cycle.h"

namespace tilefly::cosim {

/// A drop that a device reports some cycles after its event.
struct LateDrop {
  int port;
  Cycle cycle;  ///< of the event
  Drop reason;
};

/// Events of the previous cycle and levels of the current one (docs/blocks/tile.md).
struct Observation {
  std::vector<Portobs> ports;  ///< radix entries
  std::vector<Turnobs> turns;  ///< one a tile
  std::vector<RedObs> reds;    ///< records of reduction ports, radix entries; none: the device has no reductions
  CfuObs cfu;
  std::vector<LateDrop> late_drops;  ///< of a bounded device, in the place of those in `ports`
};

}  // namespace tilefly::cosim
