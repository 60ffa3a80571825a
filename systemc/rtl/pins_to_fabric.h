// SPDX-License-Identifier: Apache-2.0
// The pins of a port as packets of a fabric socket (docs/systemc.md, RTL in SystemC): words go forward; END_PACKET and
// ACK go backward on the control slot.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include "generated/registers.h"
#include "golden/common/agenda.h"
#include "golden/credit/credit_returner.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/rtl/pins.h"
#include "systemc/rtl/transactor.h"

namespace tilefly::systemc {

/// The transactor knows a packet when its last word has come, and tells it then. By that time the receiver of a packet
/// that is cut through may already have the first word. Therefore the transactor includes the delay of the cable: a
/// packet whose last word comes before its first word is at the cable's other end begins there in the cycle of its
/// first word. Other packets are told as `whole`, in the cycle of their last word at the other end.
class PinsToFabric final : public Transactor {
 public:
  /// Packets are made from `pool`.
  PinsToFabric(sc_core::sc_module_name name, fabric::PacketPool* pool);

  tlm_utils::simple_initiator_socket<PinsToFabric, 32, fabric::Types> out{"out"};
  sc_core::sc_in<Pins<Word>> word_i{"word_i"};   ///< of the switch's word_o
  sc_core::sc_out<Pins<Ctrl>> ctrl_o{"ctrl_o"};  ///< to the switch's ctrl_i

  /// Sets the port's mode register, from which lanes and credits are taken.
  void set_mode(const PortMode& mode);
  /// Sets the cycles from the port to the receiver of the socket.
  void set_cable(Cycle cable) { cable_ = cable; }
  Cycle Next(Cycle now) const override;
  /// Packets that began and have not ended.
  std::size_t open() const { return open_; }

 private:
  struct Returned {
    int vl;
    int cells;
  };

  tlm::tlm_sync_enum Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Drive(Cycle now) override;
  void Look(Cycle now) override;
  void Receive(Cycle now, const Word& word);
  void Begin(Cycle now);

  fabric::PacketPool* pool_;
  int lanes_ = 4;
  bool credits_ = true;
  Cycle cable_ = 0;
  bool in_packet_ = false;
  bool enh_ = false;
  Cycle first_ = 0;  ///< of the packet that comes
  int next_ = 0;     ///< its next word
  fabric::Frame bytes_;  ///< header included
  golden::Agenda<Returned> returned_;
  golden::Agenda<Ack> acks_due_;
  golden::CreditReturner returner_;
  std::deque<Ack> acks_;
  Ctrl driven_;
  Cycle driven_in_ = -1;
  std::size_t open_ = 0;
};

}  // namespace tilefly::systemc
