// SPDX-License-Identifier: Apache-2.0
// What transactors have in common: in each cycle of the clock they drive pins with its edge, and look at what the switch
// shows since this edge.
#pragma once

#include <functional>

#include "systemc/fabric/time.h"

namespace tilefly::systemc {

class Transactor : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};

  /// Tells of cycles in which the transactor wants an edge, when it comes to know of them: for clocks that stand still while
  /// nobody wants one.
  void set_ask(std::function<void(Cycle)> ask) { ask_ = std::move(ask); }
  /// The first cycle from `now` on in which it wants an edge: `now` while something of it is on the pins.
  virtual Cycle Next(Cycle now) const = 0;

 protected:
  explicit Transactor(sc_core::sc_module_name name);

  /// Something is to be on the pins in `cycle`.
  void Want(Cycle cycle);
  /// Drives the pins of cycle `now`. May come again for what the edge did not know of.
  virtual void Drive(Cycle now) = 0;
  /// The pins of `now` are there.
  virtual void Look(Cycle now) = 0;

 private:
  sc_core::sc_event again_;
  sc_core::sc_event shown_;
  std::function<void(Cycle)> ask_;
  Cycle edge_ = -1;  ///< the latest
};

}  // namespace tilefly::systemc
