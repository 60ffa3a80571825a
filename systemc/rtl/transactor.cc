// SPDX-License-Identifier: Apache-2.0
#include "systemc/rtl/transactor.h"

namespace tilefly::systemc {
namespace {

Cycle Now() { return fabric::CycleAt(sc_core::sc_time_stamp()); }

}  // namespace

/// One process drives, for pins have one driver.
Transactor::Transactor(sc_core::sc_module_name name) : sc_module(name) {
  sc_core::sc_spawn_options drive;
  drive.spawn_method();
  drive.dont_initialize();
  drive.set_sensitivity(&clk_i.pos());
  drive.set_sensitivity(&again_);
  sc_core::sc_spawn(
      [this] {
        if (clk_i.posedge()) {
          edge_ = Now();
          shown_.notify(sc_core::SC_ZERO_TIME);  // after the flops of this edge
        }
        Drive(Now());
      },
      sc_core::sc_gen_unique_name("drive"), &drive);
  sc_core::sc_spawn_options look;
  look.spawn_method();
  look.dont_initialize();
  look.set_sensitivity(&shown_);
  sc_core::sc_spawn([this] { Look(Now()); }, sc_core::sc_gen_unique_name("look"), &look);
}

/// Pins are not driven before the edge of their cycle, which still takes those of the cycle before.
void Transactor::Want(Cycle cycle) {
  if (cycle == edge_) again_.notify(sc_core::SC_ZERO_TIME);
  if (ask_) ask_(cycle);
}

}  // namespace tilefly::systemc
