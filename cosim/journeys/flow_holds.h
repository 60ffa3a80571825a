// SPDX-License-Identifier: Apache-2.0
// For how long flow channels held the packets of an input, as the record shows it: a channel releases the packets that it
// holds in their order (docs/blocks/flow_channel.md).
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "cosim/device.h"
#include "golden/common/cycle.h"

namespace tilefly::cosim {

class FlowHolds {
 public:
  explicit FlowHolds(int ports) : inputs_(static_cast<std::size_t>(ports)) {}

  /// Takes the record that is seen in cycle `now`. Call it in every cycle.
  void Sample(Cycle now, const Observation& observation);
  /// Cycles for which a flow channel held the packet of `input` with this trigger, so far; 0: none held it.
  Cycle Of(int input, Cycle trigger) const;
  /// Nobody asks for packets of `input` with a trigger before `trigger` any more.
  void Forget(int input, Cycle trigger);

 private:
  struct Held {
    Cycle at;       ///< event
    Cycle till;     ///< event: it is released; kNever: not yet
  };
  struct Input {
    std::deque<Held> held;                            ///< in order
    std::size_t forgotten = 0;                        ///< packets that were held before these
    std::map<int, std::deque<std::size_t>> channels;  ///< by flow channel: those that it holds, counted from the first of all
  };

  std::vector<Input> inputs_;
  Cycle now_ = 0;
};

}  // namespace tilefly::cosim
