// SPDX-License-Identifier: Apache-2.0
// The RTL as a module: the Verilated array of tiles that `--device rtl` runs, with pins (docs/systemc.md, RTL in SystemC).
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "cosim/device_factory.h"
#include "systemc/fabric/time.h"
#include "systemc/rtl/pins.h"

namespace tilefly::systemc {

/// The edge at the time of cycle c ends cycle c - 1: it takes the pins of that cycle, and shows those of c. An edge at
/// time 0 ends no cycle. A cycle without an edge is an idle cycle: nothing is on the pins, and the switch goes on.
class RtlSwitch final : public sc_core::sc_module {
 public:
  /// Throws UsageError when the program has no Verilated tile of the profile.
  RtlSwitch(sc_core::sc_module_name name, const Profile& profile, const cosim::DeviceOptions& options = {});

  sc_core::sc_in<bool> clk_i{"clk_i"};
  /// For each port: the two parts of its link, and whether the link is up.
  sc_core::sc_vector<sc_core::sc_in<Pins<Word>>> word_i;
  sc_core::sc_vector<sc_core::sc_in<Pins<Ctrl>>> ctrl_i;
  sc_core::sc_vector<sc_core::sc_out<Pins<Word>>> word_o;
  sc_core::sc_vector<sc_core::sc_out<Pins<Ctrl>>> ctrl_o;
  sc_core::sc_vector<sc_core::sc_in<bool>> link_up_i;
  /// The register bus. A read of a counter is answered eight cycles later.
  sc_core::sc_in<Pins<Cfg>> cfg_i{"cfg_i"};
  sc_core::sc_out<Pins<ReadAnswer>> rdata_o{"rdata_o"};

  /// Writes a register before the simulation. The switch goes through a cycle with the write on its register bus and
  /// all links up; these cycles come before cycle 0.
  void Configure(const Cfg& write);
  /// The first cycle from the current one on in which the switch needs an edge, when nothing is on the pins: the
  /// current one while something moves inside, kNever when nothing is inside.
  Cycle Next() const;
  /// Runs the `final` checks of the tiles. Throws cosim::DeviceError.
  void CheckDrained() { device_->CheckDrained(); }

 private:
  struct Read {
    Cycle due;
    int port;
    int index;
  };

  void Edge();
  void Idle(Cycle to);
  void TakePins();
  void Show();
  void Answer(Cycle now);

  std::unique_ptr<cosim::Device> device_;
  Cycle before_ = 0;  ///< cycles before cycle 0
  cosim::Device::Inputs idle_;
  cosim::Device::Inputs inputs_;
  std::vector<Link> shown_;
  std::deque<Read> reads_;
  bool answered_ = false;  ///< rdata_o is valid
};

}  // namespace tilefly::systemc
