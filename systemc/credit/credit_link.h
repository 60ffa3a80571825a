// SPDX-License-Identifier: Apache-2.0
// A cable of one direction of packets: what is told forward and backward is that many cycles later at the other end.
#pragma once

#include <functional>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "systemc/fabric/packet.h"
#include "systemc/fabric/time.h"

namespace tilefly::systemc {

class CreditLink final : public sc_core::sc_module {
 public:
  /// Says whether the packet is damaged on the way: a bit error that its check shows.
  using Damage = std::function<bool(const fabric::Packet&)>;

  /// Of `delay` cycles either way, not negative.
  CreditLink(sc_core::sc_module_name name, Cycle delay) : CreditLink(name, delay, delay) {}
  /// Of `forward` and `backward` cycles: a sender may have taken part of the way into account.
  CreditLink(sc_core::sc_module_name name, Cycle forward, Cycle backward);

  tlm_utils::passthrough_target_socket<CreditLink, 32, fabric::Types> in{"in"};  ///< of the sender
  tlm_utils::simple_initiator_socket<CreditLink, 32, fabric::Types> out{"out"};  ///< to the receiver

  /// From now on packets for which `damage` is true arrive bad.
  void set_damage(Damage damage) { damage_ = std::move(damage); }

 private:
  tlm::tlm_sync_enum Forward(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Backward(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Blocking(fabric::Packet& packet, sc_core::sc_time& delay);
  void Harm(fabric::Packet* packet) const {
    if (damage_ && damage_(*packet)) packet->bad = true;
  }

  const Cycle forward_;
  const Cycle backward_;
  Damage damage_;
};

}  // namespace tilefly::systemc
