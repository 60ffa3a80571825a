// SPDX-License-Identifier: Apache-2.0
// A cable for the packets of one direction. What is told forward or backward reaches the other end that many cycles
// later.
#pragma once

#include <functional>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "systemc/fabric/packet.h"
#include "systemc/fabric/time.h"

namespace tilefly::systemc {

class CreditLink final : public sc_core::sc_module {
 public:
  /// Says whether the packet is damaged on the way, by a bit error that its frame check shows.
  using Damage = std::function<bool(const fabric::Packet&)>;

  /// A cable of `delay` cycles in both directions; not negative.
  CreditLink(sc_core::sc_module_name name, Cycle delay) : CreditLink(name, delay, delay) {}
  /// A cable of `forward` and `backward` cycles. They may differ, because a sender may already include a part of the
  /// way in its times.
  CreditLink(sc_core::sc_module_name name, Cycle forward, Cycle backward);

  tlm_utils::passthrough_target_socket<CreditLink, 32, fabric::Types> in{"in"};  ///< to be bound to the sender
  tlm_utils::simple_initiator_socket<CreditLink, 32, fabric::Types> out{"out"};  ///< to be bound to the receiver

  /// From now on packets for which `damage` returns true arrive bad.
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
