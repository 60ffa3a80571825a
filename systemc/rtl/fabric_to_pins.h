// SPDX-License-Identifier: Apache-2.0
// A fabric socket's packets on the pins of a port (docs/systemc.md, RTL in SystemC): words forward; credit returns and acks
// of the control slot backward.
#pragma once

#include <array>
#include <deque>
#include <list>

#include <tlm_utils/passthrough_target_socket.h>

#include "golden/common/generated/registers.h"
#include "golden/link/framer.h"
#include "systemc/fabric/packet.h"
#include "systemc/rtl/pins.h"
#include "systemc/rtl/transactor.h"

namespace tilefly::systemc {

class FabricToPins final : public Transactor {
 public:
  /// Cycles after its end that a packet waits for its ack **[A]**: then it is taken for lost.
  static constexpr Cycle kAckWait = 65536;

  explicit FabricToPins(sc_core::sc_module_name name);

  tlm_utils::passthrough_target_socket<FabricToPins, 32, fabric::Types> in{"in"};
  sc_core::sc_out<Pins<Word>> word_o{"word_o"};  ///< to the switch's word_i
  sc_core::sc_in<Pins<Ctrl>> ctrl_i{"ctrl_i"};   ///< of the switch's ctrl_o

  /// As the port's register has it: lanes and credits.
  void set_mode(const PortMode& mode);
  Cycle Next(Cycle now) const override;
  /// Packets that began and have not ended.
  std::size_t open() const { return open_; }

 private:
  /// A packet that came, with a reference: until it has ended, and its ack has come or comes no more.
  struct Hop {
    fabric::Packet* packet;
    bool ended;
    bool answerable;  ///< an ack may come
    Cycle lost;       ///< from when on the ack is taken for lost, once it has ended
  };
  using Hops = std::list<Hop>;
  /// A packet whose words are on the pins, or will be.
  struct Sending {
    Hops::iterator hop;
    bool ends;  ///< with its last word: nobody says when its cells are free
    Cycle first;
    int lanes;
    int words;
    golden::Framer framer;
    golden::Frame frame;
  };

  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Drive(Cycle now) override;
  void Look(Cycle now) override;
  void Free(int vl, std::uint16_t freed);
  void End(Hops::iterator hop);
  void Acknowledge(const Ack& ack);
  void ForgetLost();
  void Tell(fabric::Packet* packet, const tlm::tlm_phase& phase);

  int lanes_ = 4;
  bool credits_ = true;
  std::deque<Sending> sending_;
  Hops hops_;
  std::array<std::deque<Hops::iterator>, golden::kMaxLanes> lanes_open_;
  std::array<std::uint16_t, golden::kMaxLanes> freed_{};  ///< as the latest message of the lane says
  std::array<int, golden::kMaxLanes> free_{};             ///< cells that no packet has ended with
  std::size_t open_ = 0;
  bool shown_ = false;  ///< a word is on the pins
  sc_core::sc_event lost_;
};

}  // namespace tilefly::systemc
