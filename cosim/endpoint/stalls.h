// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilefly::cosim {

/// Random stalls of endpoints: of starts, of consumption (credit returns), of PAUSE. Never holes in a packet (law 2).
struct StallOptions {
  double share = 0;           ///< share of the events that stall
  int max_cycles = 400;       ///< a stall takes 1 to this many cycles
  bool starts = true;         ///< frames start late
  bool credits = true;        ///< packets are consumed late, so their credits return late
  bool pause = true;          ///< standard ports send PAUSE now and then, a quarter of `share`
  bool ignore_pause = false;  ///< senders of standard ports do not obey PAUSE: input buffers overflow
};

}  // namespace tilefly::cosim
