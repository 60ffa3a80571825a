// SPDX-License-Identifier: Apache-2.0
// The register bus of pins, one access a cycle.
#pragma once

#include <deque>

#include "systemc/rtl/pins.h"
#include "systemc/rtl/transactor.h"

namespace tilefly::systemc {

class RegisterPins final : public Transactor {
 public:
  explicit RegisterPins(sc_core::sc_module_name name) : Transactor(name) {}

  sc_core::sc_out<Pins<Cfg>> cfg_o{"cfg_o"};         ///< to the switch's cfg_i
  sc_core::sc_in<Pins<ReadAnswer>> rdata_i{"rdata_i"};  ///< of the switch's rdata_o

  /// Puts an access on the bus after the accesses before it, in this cycle at the earliest.
  void Access(const Cfg& access);
  /// Reads a register. It must be called from a thread, and waits for the answer. Callers take turns.
  std::uint64_t Read(const Cfg& read);

  Cycle Next(Cycle now) const override { return shown_ || !queue_.empty() ? now : kNever; }

 private:
  void Drive(Cycle now) override;
  void Look(Cycle now) override;

  std::deque<Cfg> queue_;
  Cycle driven_in_ = -1;
  bool shown_ = false;  ///< an access is on the pins
  std::uint64_t answer_ = 0;
  sc_core::sc_event answered_;
  sc_core::sc_mutex readers_;
};

}  // namespace tilefly::systemc
