// SPDX-License-Identifier: Apache-2.0
// A clock with a period of 1.28 ns that stands still while nobody needs an edge, so that a simulation ends by itself.
#pragma once

#include <functional>

#include "systemc/fabric/time.h"

namespace tilefly::systemc {

class NodeClock final : public sc_core::sc_module {
 public:
  /// `next(now)` is the first cycle from `now` on that needs an edge at its begin and one at its end; kNever: none
  /// does.
  NodeClock(sc_core::sc_module_name name, std::function<Cycle(Cycle now)> next);

  sc_core::sc_out<bool> clk_o{"clk_o"};

  /// Asks for the edges of `cycle`, which may be the current one.
  void Ask(Cycle cycle);
  /// Whether no edge is to come.
  bool stands() const { return !high_ && due_ == kNever; }

 private:
  void Tick();
  void Rise(Cycle cycle);

  std::function<Cycle(Cycle)> next_;
  sc_core::sc_event tick_;
  Cycle due_ = kNever;  ///< next rising edge
  bool high_ = false;
};

}  // namespace tilefly::systemc
