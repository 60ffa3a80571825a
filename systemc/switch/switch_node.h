// SPDX-License-Identifier: Apache-2.0
// What takes the place of a switch in a system: transaction models, or RTL behind transactors.
#pragma once

#include <tlm>

#include "generated/wire.h"
#include "golden/common/types.h"
#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

class SwitchNode : public sc_core::sc_module {
 public:
  /// Sockets of a port.
  using In = tlm::tlm_target_socket<32, fabric::Types>;
  using Out = tlm::tlm_initiator_socket<32, fabric::Types>;

  /// What the port's link brings, and what it takes. All are to be bound.
  virtual In& in(int port) = 0;
  virtual Out& out(int port) = 0;
  /// Whether it takes packets by `b_transport`, too.
  virtual bool TakesBlocking() const { return true; }
  /// A write on the register bus: in the cycle of the call, or as soon as those before it have had the bus; before the
  /// simulation: before its first cycle.
  virtual void Write(const Cfg& write) = 0;
  /// Nothing is inside, all room is free, and all credits are home.
  virtual bool Drained() = 0;
  /// The cable at the port's `out` has so many cycles. Returned: how many of them the times of what it puts out there have in
  /// them already.
  virtual Cycle TakeCable(int /*port*/, Cycle /*cycles*/) { return 0; }

 protected:
  explicit SwitchNode(sc_core::sc_module_name name) : sc_module(name) {}
};

}  // namespace tilefly::systemc
