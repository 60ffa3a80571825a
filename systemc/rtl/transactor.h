// SPDX-License-Identifier: Apache-2.0
// The common part of the transactors. In each cycle of the clock they drive the pins with its edge, and look at the
// pins that the switch shows from this edge on.
#pragma once

#include <functional>

#include "systemc/fabric/time.h"

namespace tilefly::systemc {

class Transactor : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};

  /// Sets a function that is called with each cycle in which the transactor needs an edge, as soon as it knows of it.
  /// It is for clocks that stand still while nobody needs an edge.
  void set_ask(std::function<void(Cycle)> ask) { ask_ = std::move(ask); }
  /// The first cycle from `now` on in which the transactor needs an edge: `now` while its words or control slots are on
  /// the pins.
  virtual Cycle Next(Cycle now) const = 0;

 protected:
  explicit Transactor(sc_core::sc_module_name name);

  /// Something is to be on the pins in `cycle`.
  void Want(Cycle cycle);
  /// Drives the pins of cycle `now`. It may be called again for what was not known at the edge.
  virtual void Drive(Cycle now) = 0;
  /// Looks at the pins that the switch shows in cycle `now`.
  virtual void Look(Cycle now) = 0;

 private:
  sc_core::sc_event again_;
  sc_core::sc_event shown_;
  std::function<void(Cycle)> ask_;
  Cycle edge_ = -1;  ///< the latest
};

}  // namespace tilefly::systemc
