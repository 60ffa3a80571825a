// SPDX-License-Identifier: Apache-2.0
// The packets of a fabric socket on the pins of a port (docs/systemc.md, RTL in SystemC): words go forward; credit
// returns and acks of the control slot go backward.
#pragma once

#include <deque>

#include <tlm_utils/passthrough_target_socket.h>

#include "generated/registers.h"
#include "golden/link/framer.h"
#include "systemc/fabric/hop_ledger.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/rtl/pins.h"
#include "systemc/rtl/transactor.h"

namespace tilefly::systemc {

class FabricToPins final : public Transactor {
 public:
  explicit FabricToPins(sc_core::sc_module_name name);

  tlm_utils::passthrough_target_socket<FabricToPins, 32, fabric::Types> in{"in"};
  sc_core::sc_out<Pins<Word>> word_o{"word_o"};  ///< to the switch's word_i
  sc_core::sc_in<Pins<Ctrl>> ctrl_i{"ctrl_i"};   ///< of the switch's ctrl_o

  /// Sets the port's mode register, from which lanes and credits are taken.
  void set_mode(const PortMode& mode);
  Cycle Next(Cycle now) const override;
  /// Packets that began and have not ended.
  std::size_t open() const { return hops_.open(); }

 private:
  /// A packet whose words are on the pins, or will be.
  struct Sending {
    fabric::HopLedger::Handle hop;
    bool ends;  ///< the packet ends with its last word, because nobody tells when its cells are free
    Cycle first;
    int lanes;
    int words;
    golden::Framer framer;
    golden::Frame frame;
  };

  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Refuse(fabric::Packet& packet, sc_core::sc_time& delay);
  void Drive(Cycle now) override;
  void Look(Cycle now) override;
  void WaitForAcks(Cycle now);
  void TellPause(const golden::FlowPause& pause);

  int lanes_ = 4;
  bool credits_ = true;
  std::deque<Sending> sending_;
  fabric::HopLedger hops_;
  fabric::PacketPool pauses_;  ///< transactions of FLOW_PAUSE
  bool shown_ = false;  ///< a word is on the pins
  sc_core::sc_event lost_;
};

}  // namespace tilefly::systemc
