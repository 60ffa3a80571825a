// SPDX-License-Identifier: Apache-2.0
// The RTL in the place of a switch of transaction models: an RtlSwitch with transactors on all ports, and a clock that
// stands still while nothing moves (docs/systemc.md, RTL in SystemC).
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include "golden/registers/registers.h"
#include "systemc/rtl/fabric_to_pins.h"
#include "systemc/rtl/node_clock.h"
#include "systemc/rtl/pins_to_fabric.h"
#include "systemc/rtl/register_pins.h"
#include "systemc/rtl/rtl_switch.h"
#include "systemc/switch/switch_node.h"

namespace tilefly::systemc {

class RtlNode final : public SwitchNode {
 public:
  /// Packets that leave are made from `pool`. Throws UsageError when the program has no Verilated tile of the profile.
  RtlNode(sc_core::sc_module_name name, const Profile& profile, fabric::PacketPool* pool,
          const cosim::DeviceOptions& options = {});

  In& in(int port) override { return to_pins_[static_cast<std::size_t>(port)].in; }
  Out& out(int port) override { return from_pins_[static_cast<std::size_t>(port)].out; }
  bool TakesBlocking() const override { return false; }
  void Write(const Cfg& write) override;
  bool Drained() override;
  /// Takes all of the cable's cycles.
  Cycle TakeCable(int port, Cycle cycles) override;

  /// Packets that came in by the port and have not ended; and packets that left by it and have not ended at its link
  /// partner.
  std::size_t inside(int port) const { return to_pins_[static_cast<std::size_t>(port)].open(); }
  std::size_t behind(int port) const { return from_pins_[static_cast<std::size_t>(port)].open(); }

  /// As `Switch::configure`. A read takes the eight cycles of the bus: `b_transport` waits.
  tlm_utils::simple_target_socket_optional<RtlNode, 32> configure{"configure"};

 private:
  Cycle Next(Cycle now) const;
  void Connect(std::size_t port);
  void Transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  golden::Registers registers_;
  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_vector<sc_core::sc_signal<Pins<Word>>> word_in_;
  sc_core::sc_vector<sc_core::sc_signal<Pins<Word>>> word_out_;
  sc_core::sc_vector<sc_core::sc_signal<Pins<Ctrl>>> ctrl_in_;
  sc_core::sc_vector<sc_core::sc_signal<Pins<Ctrl>>> ctrl_out_;
  sc_core::sc_vector<sc_core::sc_signal<bool>> link_up_;
  sc_core::sc_signal<Pins<Cfg>> cfg_{"cfg"};
  sc_core::sc_signal<Pins<ReadAnswer>> rdata_{"rdata"};
  RtlSwitch rtl_;
  RegisterPins register_pins_{"registers"};
  sc_core::sc_vector<FabricToPins> to_pins_;
  sc_core::sc_vector<PinsToFabric> from_pins_;
  NodeClock clock_;
};

}  // namespace tilefly::systemc
