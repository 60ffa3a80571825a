// SPDX-License-Identifier: Apache-2.0
// Interface of a switch in a system: a switch of transaction models, or RTL behind transactors.
#pragma once

#include <tlm>

#include "generated/wire.h"
#include "golden/common/types.h"
#include "systemc/fabric/packet.h"
#include "systemc/link/link_user.h"

namespace tilefly::systemc {

class SwitchNode : public sc_core::sc_module {
 public:
  /// Types of the sockets of a port.
  using In = tlm::tlm_target_socket<32, fabric::Types>;
  using Out = tlm::tlm_initiator_socket<32, fabric::Types>;

  /// Sockets of a port's link, in and out. All of them must be bound.
  virtual In& in(int port) = 0;
  virtual Out& out(int port) = 0;
  /// Whether the switch also takes packets by `b_transport`.
  virtual bool TakesBlocking() const { return true; }
  /// Writes a register: on the register bus in the cycle of the call, or as soon as earlier writes have had the bus;
  /// before the simulation, before its first cycle.
  virtual void Write(const Cfg& write) = 0;
  /// Whether nothing is inside, all room is free, and all credits are home.
  virtual bool Drained() = 0;
  /// The cable at the port's `out` takes `cycles` cycles. Returns how many of them the times of packets at `out`
  /// already include.
  virtual Cycle TakeCable(int /*port*/, Cycle /*cycles*/) { return 0; }
  /// The link at the port's `out` sends damaged packets again: the port takes a packet for it only when it has room. To
  /// be called before the simulation. Returns what the link tells the port; null: the switch has no such links.
  virtual LinkUser* Repeat(int /*port*/, LinkRoom* /*link*/) { return nullptr; }

 protected:
  explicit SwitchNode(sc_core::sc_module_name name) : sc_module(name) {}
};

}  // namespace tilefly::systemc
