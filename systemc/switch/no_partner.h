// SPDX-License-Identifier: Apache-2.0
// The end of a port that has no link, or a link in one direction only: nothing comes in, and a packet that leaves is an
// error.
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

class NoPartner final : public sc_core::sc_module {
 public:
  explicit NoPartner(sc_core::sc_module_name name) : sc_module(name) {
    in.register_nb_transport_fw(this, &NoPartner::Receive);
    in.register_b_transport(this, &NoPartner::ReceiveBlocking);
    out.register_nb_transport_bw(this, &NoPartner::Receive);
  }

  tlm_utils::simple_initiator_socket_optional<NoPartner, 32, fabric::Types> out{"out"};
  tlm_utils::passthrough_target_socket_optional<NoPartner, 32, fabric::Types> in{"in"};

 private:
  tlm::tlm_sync_enum Receive(fabric::Packet&, tlm::tlm_phase&, sc_core::sc_time&) {
    SC_REPORT_ERROR("tilefly/switch", (std::string(name()) + ": a packet at a port without a link").c_str());
    return tlm::TLM_ACCEPTED;
  }
  void ReceiveBlocking(fabric::Packet&, sc_core::sc_time&) {
    SC_REPORT_ERROR("tilefly/switch", (std::string(name()) + ": a packet at a port without a link").c_str());
  }
};

}  // namespace tilefly::systemc
