// SPDX-License-Identifier: Apache-2.0
// What a switch tells of its inside in each cycle. Who reads it needs no device.
#pragma once

#include <vector>

#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/cycle.h"

namespace tilefly::cosim {

/// A drop that a device tells some cycles after its event.
struct LateDrop {
  int port;
  Cycle cycle;  ///< of the event
  Drop reason;
};

/// Events of the previous cycle and levels of this one, as on the tile page.
struct Observation {
  std::vector<Portobs> ports;  ///< radix entries
  std::vector<Turnobs> turns;  ///< one a tile
  std::vector<RedObs> reds;    ///< reduction ports, radix entries; none: the device has no reductions
  CfuObs cfu;
  std::vector<LateDrop> late_drops;  ///< of a bounded device, in the place of those in `ports`
};

}  // namespace tilefly::cosim
